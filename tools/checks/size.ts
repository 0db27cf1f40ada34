import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'

const most = { code: 400, document: 500 }

/** Tables of texts, which have one file for each area and language. */
const texts = ['apps/web/src/i18n/*/*.ts', 'packages/contract/src/labels/*.ts', 'packages/contract/src/errors.ts']

/** Limits the length of files, except generated ones and tables of texts. */
export const size: Check = {
  name: 'file sizes',
  complaints: root =>
    globSync('{packages,apps,tools,bench,e2e,docs,contracts}/**/*.{ts,tsx,mjs,css,html,sol,md}', {
      cwd: root,
      exclude: ['**/node_modules/**', '**/dist/**', '**/generated/**', ...texts],
    }).flatMap(path => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n').length - 1
      const allowed = path.endsWith('.md') ? most.document : most.code
      return lines > allowed ? [`${path} has ${lines} lines, more than ${allowed}: split it by what its parts do`] : []
    }),
}
