import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Check } from './check.ts'

type Locked = {
  version?: string
  resolved?: string
  link?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}

/**
 * Rejects a lock file that `npm ci` cannot install on every machine: one with download URLs (the registry is configured
 * by the user), without the optional packages of other platforms (npm leaves them out when it writes the file beside an
 * existing node_modules), or with a package for some platforms that is not optional.
 */
export const lockFile: Check = {
  name: 'lock file',
  complaints: root => {
    const { packages }: { packages: Record<string, Locked> } = JSON.parse(
      readFileSync(join(root, 'package-lock.json'), 'utf8'),
    )
    return Object.entries(packages).flatMap(([path, entry]) => [
      ...(entry.resolved !== undefined && !entry.link
        ? [`package-lock.json names a download address for ${path}: remove its "resolved" line`]
        : []),
      ...((entry.os || entry.cpu) && !entry.optional
        ? [`${path} is for some platforms only: list it in "optionalDependencies"`]
        : []),
      ...Object.entries(entry.optionalDependencies ?? {})
        .filter(([name, version]) => !isLocked(packages, path, name, version))
        .map(([name]) => `package-lock.json lacks ${name}, optional for ${path}: write it anew without node_modules`),
    ])
  },
}

/** Whether a package that `from` depends on is in the lock file, in its own node_modules or in one further up. */
function isLocked(packages: Record<string, Locked>, from: string, name: string, wanted: string): boolean {
  for (let folder = from; ; ) {
    const found = packages[join(folder, 'node_modules', name)]
    if (found) return !/^\d/.test(wanted) || found.version === wanted
    if (!folder) return false
    const end = folder.lastIndexOf('/node_modules/')
    folder = end < 0 ? '' : folder.slice(0, end)
  }
}

const platforms = [
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'arm64'],
] as const

/** Has npm resolve the lock file for each platform, without network, and without touching node_modules. */
export const lockPlatforms: Check = {
  name: 'lock file of every platform',
  complaints: async root => {
    const found = await Promise.all(
      platforms.map(async ([os, cpu]) => {
        const dryRun = ['ci', '--dry-run', '--offline', '--ignore-scripts', `--os=${os}`, `--cpu=${cpu}`]
        // npm ends with an error and its reason when the lock file does not fit the manifests.
        const { stderr } = await promisify(execFile)('npm', dryRun, { cwd: root }).then(
          () => ({ stderr: '' }),
          error => error,
        )
        return stderr === '' ? [] : [`npm ci fails on ${os} ${cpu}: ${stderr.trim().split('\n').slice(0, 4).join(' ')}`]
      }),
    )
    return found.flat()
  },
}
