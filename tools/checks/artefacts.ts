import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'

const artefact =
  /(^|\/)(dist|node_modules|\.coffer|\.cache)\/|\.(tsbuildinfo|log|map)$|(?<!^packages\/sdk\/packed\/coffer-sdk-[\d.]+)\.tgz$/

/** Rejects tracked files that a build or a run writes. */
export const artefacts: Check = {
  name: 'no build artefacts',
  complaints: root =>
    trackedFiles(root)
      .filter(path => artefact.test(path))
      .map(path => `${path} is written by a build and tracked: git rm --cached, and ignore it`),
}

/** Paths of the tracked files; none in a copy without its repository. */
export function trackedFiles(root: string): string[] {
  if (!existsSync(join(root, '.git'))) return []
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
}
