/**
 * `npm run build`: builds the web bundle into apps/web/dist unless it is current. `--force` always builds.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FolderLock, lockFolder } from '@coffer/local/lock.ts'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { build } from 'vite'
import { forgetWebBuild, isWebCurrent, rememberWebBuild, sourceHash } from './build-stamp.ts'

const root = join(import.meta.dirname, '..', 'apps', 'web')

/** Waits for a concurrent build, which would overwrite the same files. */
async function waitForTurn(): Promise<FolderLock> {
  for (;;) {
    try {
      return await lockFolder(root, 'build')
    } catch (error) {
      if (!(error instanceof OperatorProblem)) throw error
      await sleep(100)
    }
  }
}

async function buildUnlessCurrent(): Promise<string> {
  if (isWebCurrent() && !process.argv.includes('--force')) return 'The web bundle is current.'
  const hash = sourceHash()
  forgetWebBuild()
  for (const mode of ['production', 'phone']) await build({ root, mode, logLevel: 'silent' })
  await build({ root, configFile: join(root, 'vite.operator.config.ts'), logLevel: 'silent' })
  await build({ root, configFile: join(root, 'vite.check.config.ts'), logLevel: 'silent' })
  rememberWebBuild(hash)
  return 'The web bundle is built.'
}

const lock = await waitForTurn()
try {
  console.log(await buildUnlessCurrent())
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
await lock.release()
