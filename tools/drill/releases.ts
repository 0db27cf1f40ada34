import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const git = async (...words: string[]) => (await run('git', ['-C', root, ...words])).stdout.trim()

/** The last release, or where there is none yet, what this tree was made of. */
export const lastRelease = () =>
  git('describe', '--tags', '--abbrev=0', '--match', 'v*').catch(() => git('rev-parse', 'HEAD'))

/** Whether this clone, which may be shallow, has a commit. */
export const hasCommit = (commit: string) =>
  git('cat-file', '-e', `${commit}^{commit}`).then(
    () => true,
    () => false,
  )

/** Makes a clean clone of the repository at a commit. */
export async function cloneAt(commit: string, folder: string): Promise<void> {
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', root, folder])
  await run('git', ['-C', folder, 'checkout', '--quiet', await git('rev-parse', commit)])
}

/** Installs a clone by its own `ops/install.sh`; with the modules of this tree where the versions are the same. */
export async function installRelease(clone: string, target: string): Promise<void> {
  const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const env = lock(clone) === lock(root) ? { COFFER_INSTALL_MODULES: root } : {}
  await run('sh', [join(clone, 'ops/install.sh'), target], { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 })
}

/** Lets a clone run tools, with the modules of this tree as links, which take no time to make and delete. */
export async function lendModules(clone: string): Promise<void> {
  for (const modules of ['node_modules', 'apps/server/node_modules'])
    if (existsSync(join(root, modules))) await run('cp', ['-al', join(root, modules), join(clone, modules)])
}

/** Installs a clone in its folder, as versions before `ops/install.sh` were: by npm, with all that builds it. */
export async function installCheckout(clone: string): Promise<void> {
  const options = { cwd: clone, maxBuffer: 2 ** 26 }
  await run('npm', ['install', '--no-save', '--include=dev', '--include=optional'], options)
  const bin = join(clone, 'node_modules/.bin')
  await run(join(bin, 'node'), ['tools/build.ts'], {
    ...options,
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
  })
}
