import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'

const folder = 'apps/server/src/migrations/steps'

/**
 * Rejects changes to released migrations (SHA-256 in `released.json`): databases that have run them would not get them.
 * Each has a number of its own, which is its place.
 */
export const migrations: Check = {
  name: 'released migrations',
  complaints: root => {
    const released: Record<string, string> = JSON.parse(readFileSync(join(root, folder, 'released.json'), 'utf8'))
    const files = readdirSync(join(root, folder)).filter(file => /^\d{4}_/.test(file))
    const twice = [...Map.groupBy(files, file => file.slice(0, 4)).values()]
      .filter(each => each.length > 1)
      .map(each => `${folder}/${each[1]} has the number of ${each[0]}: give it the next free one`)
    const changed = Object.entries(released).flatMap(([file, hash]) => {
      const text = readFileSync(join(root, folder, file))
      const same = createHash('sha256').update(text).digest('hex') === hash
      return same
        ? []
        : `${folder}/${file} was released and has changed: take the change back and write a new migration`
    })
    return [...changed, ...twice]
  },
}
