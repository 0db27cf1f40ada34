import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'

const folder = 'apps/server/src/migrations/steps'

/** Databases that ran a migration never run it again: what `released.json` holds the SHA-256 of stays as it is. */
export const migrations: Check = {
  name: 'released migrations',
  complaints: root => {
    const released: Record<string, string> = JSON.parse(readFileSync(join(root, folder, 'released.json'), 'utf8'))
    return Object.entries(released).flatMap(([file, hash]) => {
      const text = readFileSync(join(root, folder, file))
      const same = createHash('sha256').update(text).digest('hex') === hash
      return same
        ? []
        : `${folder}/${file} was released and has changed: take the change back and write a new migration`
    })
  },
}
