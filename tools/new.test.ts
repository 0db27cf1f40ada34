import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writeNew } from './new.ts'

const repository = join(import.meta.dirname, '..')
const changed = ['packages/contract/src', 'apps/web/src', 'apps/server/src', 'e2e', 'tools/import-rules.ts']
const titles = { en: "A shop's \\ pinned tokens", zh: "常用'代币" }

/** A copy of the parts of the repository that get new lines. */
function copy(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'coffer-new-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const path of [...changed, 'biome.json', '.gitignore'])
    cpSync(join(repository, path), join(root, path), { recursive: true })
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  return root
}

/** Formats files as the program does. Throws if one does not parse or lint. */
const format = (root: string, paths: string[]) =>
  execFileSync(
    join(repository, 'node_modules/.bin/biome'),
    ['check', '--write', '--error-on-warnings', '--vcs-enabled=false', ...paths],
    { cwd: root, stdio: 'pipe' },
  )

for (const domain of ['transfers', 'pinned-things'])
  test(`a new call, list and page of ${domain} parse, and have a line in every table`, t => {
    const root = copy(t)
    const written = [
      ...writeNew(root, 'call', `${domain}/pin-token`, titles),
      ...writeNew(root, 'list', `${domain}/pinned-tokens`, titles),
      ...writeNew(root, 'page', `${domain}/token-board`, titles),
    ]
    format(root, [...new Set(written)])
    const lines: [string, string][] = [
      [`packages/contract/src/${domain}/routes.ts`, `'GET /api/v1/${domain}/pinned-tokens'`],
      [`apps/server/src/domains/${domain}/routes.ts`, `'POST /api/v1/${domain}/pin-token'`],
      ['apps/server/src/serve.ts', `import('./domains/${domain}/domain.ts')`],
      ['apps/server/src/testing/every-request.ts', `'GET /api/v1/${domain}/pinned-tokens'`],
      ['apps/web/src/lists.ts', `pinnedTokens: declareList('GET /api/v1/${domain}/pinned-tokens'`],
      ['apps/web/src/routes.ts', `desktop: '${domain}/TokenBoardPage'`],
      ['apps/web/src/i18n/pages.ts', `./zh-CN/${domain}.ts`],
      ['tools/import-rules.ts', domain],
    ]
    for (const [path, line] of lines) assert.ok(readFileSync(join(root, path), 'utf8').includes(line), path)
    for (const path of written.filter(each => each.endsWith('.test.ts')))
      assert.match(readFileSync(join(root, path), 'utf8'), /assert\.fail\(/)
    assert.throws(() => writeNew(root, 'call', `${domain}/pin-token`, titles), /exists: choose another name/)
  })

test('a call stands where its domain declares and handles its calls, also when it has none yet', t => {
  const root = copy(t)
  const cases: [domain: string, contract: string, table: string, handlers: string][] = [
    ['recharges', 'addresses', 'rechargeRoutes', 'recharges/routes.ts'],
    ['identity', 'identity', 'identityRoutes', 'identity/routes.ts'],
    ['policies', 'policies', 'policyRoutes', 'policies/domain.ts'],
    ['deposits', 'deposits', 'depositsRoutes', 'deposits/routes.ts'],
    ['merchants', 'merchants', 'merchantsRoutes', 'merchants/routes.ts'],
  ]
  const written = cases.flatMap(([domain]) => writeNew(root, 'call', `${domain}/pin-token`, titles))
  format(root, [...new Set(written)])
  for (const [domain, contract, table, handlers] of cases) {
    const declared = readFileSync(join(root, `packages/contract/src/${contract}/routes.ts`), 'utf8')
    const begun = declared.indexOf(`export const ${table} = defineRoutes({`)
    const end = declared.indexOf('\n})', begun)
    assert.ok(declared.slice(begun, end).includes(`'POST /api/v1/${domain}/pin-token'`), domain)
    const served = readFileSync(join(root, 'apps/server/src/domains', handlers), 'utf8')
    assert.ok(served.includes(`'POST /api/v1/${domain}/pin-token'`), domain)
    const front = readFileSync(join(root, `apps/server/src/domains/${domain}/domain.ts`), 'utf8')
    assert.match(front, new RegExp(`routes: .*\\b${table}\\b`))
  }
  const rules = readFileSync(join(root, 'tools/import-rules.ts'), 'utf8')
  assert.equal(rules.match(/^ {6}merchants: \[/gm)?.length, 1)
})

test('a list of an existing table has no migration', t => {
  const written = writeNew(copy(t), 'list', 'transfers/pinned-tokens', titles, 'transfers')
  assert.deepEqual(
    written.filter(each => each.includes('/migrations/')),
    [],
  )
})

test('refuses a name of another form or of no domain, and writes nothing when a line has no place', t => {
  const root = copy(t)
  assert.throws(() => writeNew(root, 'call', 'Transfers/pin', titles), /is no <domain>\/<name>/)
  for (const kind of ['call', 'list', 'page'])
    assert.throws(() => writeNew(root, kind, 'kit/pins', titles), /kit is a folder of the contract and no domain/)
  assert.throws(() => writeNew(root, 'page', 'transfers/pins', { ...titles, en: 'Pins */' }), /is no title/)
  assert.throws(() => writeNew(root, 'list', 'transfers/pins', titles, "x', row: '"), /is no name of a table/)
  rmSync(join(root, 'apps/web/src/lists.ts'))
  assert.throws(() => writeNew(root, 'list', 'transfers/pinned-tokens', titles), /lists\.ts/)
  assert.doesNotMatch(readFileSync(join(root, 'apps/web/src/routes.ts'), 'utf8'), /pinnedTokens/)
})
