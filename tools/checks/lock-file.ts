import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'

/** Rejects download URLs in the lock file. It pins versions and checksums; the registry is configured by the user. */
export const lockFile: Check = {
  name: 'lock file',
  complaints: root => {
    const { packages }: { packages: Record<string, { resolved?: string; link?: boolean }> } = JSON.parse(
      readFileSync(join(root, 'package-lock.json'), 'utf8'),
    )
    return Object.entries(packages)
      .filter(([, entry]) => entry.resolved !== undefined && !entry.link)
      .map(([path]) => `package-lock.json names a download address for ${path}: remove its "resolved" line`)
  },
}
