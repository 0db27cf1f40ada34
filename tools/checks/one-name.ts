import { globSync } from 'node:fs'
import { Visitor } from 'vite'
import type { Check } from './check.ts'
import { glossary, type Term } from './glossary.ts'
import { type Parsed, parsedFile } from './parsed.ts'

/** Files with texts that people read: pages, console, checkout, mails, notifications, exports and refusals. */
const tables = [
  'apps/web/src/i18n/{en,zh-CN}/*.ts',
  'apps/web/src/**/routes.{ts,tsx}',
  'apps/server/src/domains/**/*.ts',
  'packages/contract/src/errors.ts',
  'packages/contract/src/labels/*.ts',
  'packages/contract/src/operator/names.ts',
  'packages/contract/src/incidents/reasons.ts',
]
const isTest = /\.test\.ts$|\/testing\//
/**
 * Where most strings are no texts: states, names of calls and SQL. A file with texts has Chinese, and a text has
 * several words.
 */
const isCode = /^(?:apps\/server|packages\/contract\/src\/(?:operator|incidents))\//
const hasTexts = /'zh-CN'/
const isText = /\s|\p{Script=Han}/u

/** Rejects texts that name a thing otherwise than the glossary. */
export const oneName = (terms: readonly Term[] = glossary): Check => ({
  name: 'one name for one thing',
  complaints: root =>
    globSync(tables, { cwd: root })
      .filter(path => !isTest.test(path))
      .sort()
      .flatMap(path =>
        textsIn(path, parsedFile(root, path)).flatMap(({ line, text }) =>
          terms.flatMap(({ en, zh, not }) => {
            const [found] = not.flatMap(each => each.exec(text)?.[0] ?? [])
            return found === undefined
              ? []
              : [`${path}:${line} says "${found}": the glossary has "${en}" (${zh}), see tools/checks/glossary.ts`]
          }),
        ),
      ),
})

/** Returns the strings of a file that people read, with the parts of its templates between their values. */
function textsIn(path: string, { text: source, tree }: Parsed): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = []
  if (isCode.test(path) && !hasTexts.test(source)) return found
  const add = (start: number, value: string) => {
    const text = value.trim()
    if (!isCode.test(path) || isText.test(text)) found.push({ line: source.slice(0, start).split('\n').length, text })
  }
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') add(node.start, node.value)
    },
    TemplateElement(node) {
      add(node.start, node.value.cooked ?? '')
    },
  }).visit(tree.program)
  return found
}
