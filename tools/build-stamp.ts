import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'apps', 'web', 'dist')
const stamp = join(dist, '.vite', 'sources')

/** All that the web bundle is made of. */
const sources = [
  'apps/web/*.{html,json,ts}',
  'apps/web/{src,build}/**/*.*',
  'packages/contract/src/**/*.ts',
  'package-lock.json',
]

/** Says whether the bundle in apps/web/dist was built from the sources as they are now. */
export function isWebCurrent(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash()
}

/** Marks the bundle as unfinished, so that a build that is broken off is never taken for one. */
export function forgetWebBuild(): void {
  rmSync(stamp, { force: true })
}

/** Marks the bundle as built from the sources with this hash: those of before the build, should one change meanwhile. */
export function rememberWebBuild(hash: string): void {
  writeFileSync(stamp, hash)
}

/** Gives a hash over the names and the contents of all sources of the bundle. */
export function sourceHash(): string {
  const hash = createHash('sha256')
  for (const path of globSync(sources, { cwd: root }).sort()) {
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}
