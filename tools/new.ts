/**
 * `node tools/new.ts call|list|page <domain>/<name> [--en Title --zh Title] [--table existing]`: writes the files of a
 * new call, list or page, small and compiling, with a test that fails until it is filled in, and adds their lines to
 * the existing tables. docs/recipes say what is left to decide.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newCall } from './new/call.ts'
import { newList } from './new/list.ts'
import { namesOf } from './new/names.ts'
import { newPage } from './new/page.ts'
import { Tree } from './new/tree.ts'

const usage = `node tools/new.ts call <domain>/<verb-noun>
node tools/new.ts list <domain>/<nouns> --en "Pinned transfers" --zh 已固定的划转 [--table existing_table]
node tools/new.ts page <area>/<noun> --en "Pinned transfers" --zh 已固定的划转`

/**
 * Writes what is new below `root`. A list is of an existing `table`, or gets one by a migration. Returns the paths that
 * were written or changed.
 */
export function writeNew(
  root: string,
  kind: string,
  path: string,
  titles: { en: string; zh: string },
  table?: string,
): string[] {
  const tree = new Tree(root)
  const names = namesOf(path, titles)
  refuseOtherFolder(tree, names.domain)
  if (kind === 'call') newCall(tree, names)
  else if (kind === 'list') newList(tree, names, table)
  else if (kind === 'page') newPage(tree, names)
  else throw new Error(usage)
  return tree.save()
}

/** Throws when the contract has a folder of this name that belongs to no domain, such as `kit`. */
function refuseOtherFolder(tree: Tree, domain: string): void {
  if (tree.has(`packages/contract/src/${domain}`) && !tree.has(`apps/server/src/domains/${domain}`))
    throw new Error(`${domain} is a folder of the contract and no domain: choose another name`)
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { en: { type: 'string' }, zh: { type: 'string' }, table: { type: 'string' } },
  })
  const [kind = '', path = ''] = positionals
  const { en = '', zh = '' } = values
  if (!path || (kind !== 'call' && !(en && zh))) {
    console.error(usage)
    process.exit(1)
  }
  const root = join(import.meta.dirname, '..')
  const run = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: root, stdio: 'inherit' })
  const paths = writeNew(root, kind, path, { en, zh }, values.table)
  run(join(root, 'node_modules/.bin/biome'), 'check', '--write', ...paths)
  // New files count as the repository's once git knows them.
  run('git', 'add', '--intent-to-add', ...paths)
  run(process.execPath, 'tools/generated.ts')
  console.log(`${paths.map(each => `  ${each}`).join('\n')}\ndocs/recipes/${kind}.md says what is left`)
}
