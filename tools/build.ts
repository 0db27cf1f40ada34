/** Builds the web bundle into apps/web/dist unless it is current: `npm run build`. `--force` builds in any case. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Lock, lockFolder } from '@coffer/server/platform/lock.ts'
import { Problem } from '@coffer/server/platform/problem.ts'
import { build } from 'vite'
import { forgetWebBuild, isWebCurrent, rememberWebBuild, sourceHash } from './build-stamp.ts'

const root = join(import.meta.dirname, '..', 'apps', 'web')

/** Two builds would write over each other: the second waits, and mostly finds its work done. */
async function waitForTurn(): Promise<Lock> {
  for (;;) {
    try {
      return await lockFolder(root, 'build')
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      await sleep(100)
    }
  }
}

const lock = await waitForTurn()
if (isWebCurrent() && !process.argv.includes('--force')) {
  console.log('The web bundle is current.')
} else {
  const hash = sourceHash()
  forgetWebBuild()
  await build({ root, logLevel: 'warn' })
  rememberWebBuild(hash)
  console.log('The web bundle is built.')
}
await lock.release()
