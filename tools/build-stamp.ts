import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'apps', 'web', 'dist')
const stamp = join(dist, '.vite', 'sources')

/** Sources of the web bundle. */
const sources = [
  'apps/web/*.{html,json,ts}',
  'apps/web/{src,build}/**/*.*',
  'packages/contract/src/**/*.ts',
  'packages/core/src/proof/{format,verify}.ts',
  'package-lock.json',
]

/** Whether the bundle in apps/web/dist was built from the current sources. */
export function isWebCurrent(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash()
}

/** Tests are in no bundle, and an installation is copied without them. */
const isTest = /\.test\.tsx?$|\/testing\//

/** Invalidates the bundle, so that an interrupted build does not count as current. */
export function forgetWebBuild(): void {
  rmSync(stamp, { force: true })
}

/**
 * Marks the bundle as built from the sources with this hash. Take the hash before the build, in case a source changes.
 */
export function rememberWebBuild(hash: string): void {
  writeFileSync(stamp, hash)
}

/** Returns a hash of the names and contents of all sources of the bundle, without tests. */
export function sourceHash(): string {
  const hash = createHash('sha256')
  const all = globSync(sources, { cwd: root }).filter(path => !isTest.test(path))
  for (const path of all.sort()) {
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}
