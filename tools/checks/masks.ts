import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'

/** Dense tables, and the component that masks. */
const dense = /\/columns\.tsx$|\/ExpenseHistory\.tsx$|\/ui\/data\/CopyText\.tsx$/

/** Rejects masked values outside dense tables: people compare addresses, hashes and numbers there. */
export const masks: Check = {
  name: 'masks in dense tables only',
  complaints: root =>
    globSync('apps/web/src/**/*.tsx', { cwd: root })
      .filter(path => !dense.test(path))
      .sort()
      .flatMap(path =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .flatMap((line, at) =>
            /\bmask\(|<CopyText (?![^>]*\blook=)/.test(line)
              ? [`${path}:${at + 1} masks a value: show it whole, with look="groups" or look="whole"`]
              : [],
          ),
      ),
}
