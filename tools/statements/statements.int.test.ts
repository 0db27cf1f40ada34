import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { run } from '../../apps/server/src/kit/db.ts'
import { testDatabase } from '../../apps/server/src/testing/deps.ts'
import { describe, readCatalogue } from './describe.ts'
import { collectStatements, describeStatements } from './generate.ts'

const root = join(import.meta.dirname, '..', '..')
const server = join(root, 'apps/server/src')
const { url, owner } = await testDatabase({ after })
const texts = await collectStatements()
/** The statements that read and set switches. */
const switches = new Map([...texts].filter(([name]) => name.startsWith('switch-')))

test('the generated types match the descriptions by PostgreSQL', async () => {
  const generated = readFileSync(join(server, 'generated/statements.ts'), 'utf8')
  assert.equal(
    generated.split('\n').slice(2).join('\n'),
    await describeStatements(url, texts),
    'run: node tools/generated.ts',
  )
})

test('rejects a statement whose column was renamed in the database', async t => {
  const { url, owner } = await testDatabase({ after: end => t.after(end) })
  await owner.query('alter table switches rename column reason to cause')
  await assert.rejects(describeStatements(url, switches), /statement switch-\w+: column "reason" .*does not exist/)
})

test('code that reads a renamed column by its old name does not compile', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-statements-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const base = {
    extends: join(root, 'tsconfig.base.json'),
    include: ['statements.ts', `${server}/domains/installation/skip-addresses.ts`],
  }
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...base, compilerOptions }))
  const renamed = new Map(texts).set('fingerprints-read', ['select name, value as text from fingerprints'])
  const types = (await describeStatements(url, renamed)).replaceAll("'../", `'${server}/`)
  writeFileSync(join(folder, 'statements.ts'), types)
  const output = await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: root }).then(
    () => '',
    error => error.stdout as string,
  )
  const errors = output.split('\n').filter(line => line.includes('error TS'))
  assert.equal(errors.length, 1, output)
  assert.match(errors[0]!, /skip-addresses\.ts.*Property 'value' does not exist/)
})

test('rejects a statement whose variants have different columns', async () => {
  const [one = ''] = texts.get('switch-read') ?? []
  const different = new Map(switches).set('switch-read', [one, one.replace('reason', 'reason as cause')])
  await assert.rejects(describeStatements(url, different), /statement switch-read: its variants have different columns/)
})

test('statement names are unique', () => {
  assert.throws(() => run('ready', 'select 2'), /two statements have the name ready/)
})

/**
 * Statements that skip rows by an offset that a caller gives, and why: lists of what there is little of, lists for
 * operators, and filters of counted lists that find few. `countedList` skips within one minute only.
 */
const skipping: Record<string, string> = {
  'applications-found': 'a merchant has at most 50',
  'invoices-page': 'one a month',
  'payment-links-found': 'made by hand',
  'incidents-of-operators-found': 'one for each cause',
  'merchants-search-found': 'a text',
  'any-work-orders-found': 'a text',
  'work-orders-found': 'a text',
  'address-book-found': 'a text',
  'audit-own-page': 'those of one person, who is no owner',
  'callbacks-found': 'those of one order',
  'fixed-addresses-found': 'a reference or address',
  'payments-collected-found': 'as payments-found, of one person',
  'payments-found': 'a number, text, address, transaction or entry of metadata',
  'recharges-found': 'those of some addresses',
  'refund-links-found': 'those of one order number',
  'refunds-found': 'an id, or those of one payment or order number',
  'shop-orders-page': 'pages as shops number them, of the newest 10,000',
  'transfers-found': 'its id',
  'withdrawals-found': 'an id, transaction or address',
}

test('no other statement skips rows to reach a page', () => {
  const skips = (text: string) => /\boffset (?!0\b|\(select skip)/.test(text)
  const found = [...texts].filter(([, each]) => each.some(skips)).map(([name]) => name)
  assert.deepEqual(found.sort(), Object.keys(skipping).sort())
})

const columns: [what: string, sql: string, nullable: boolean][] = [
  ['a not-null column', 'select id as x from chains', false],
  ['a nullable column', 'select halted as x from chains', true],
  [
    'the nullable side of an outer join',
    'select a.id as x from chains h left join assets a on a.chain_id = h.id',
    true,
  ],
  [
    'the preserved side of an outer join',
    'select h.id as x from chains h left join assets a on a.chain_id = h.id',
    false,
  ],
  ['a column of a subquery', 'select x from (select id as x from chains) c', false],
  [
    'a column of an outer join in a subquery',
    'select x from (select a.id as x from chains h left join assets a on true) c',
    true,
  ],
  ['a lateral subquery', 'select x from chains h cross join lateral (select h.id as x) c', false],
  ['a common table expression', 'with c as (select halted as x from chains) select x from c', true],
  [
    'a column returned by an insert',
    "with c as (insert into switches values ('a', 'b', 1) returning name) select name as x from c",
    false,
  ],
  ['a union of not-null columns', 'select id as x from chains union all select chain_id from assets', false],
  ['a union with a nullable column', 'select id as x from chains union all select halted from chains', true],
  ['coalesce with a constant', "select coalesce(halted, '') as x from chains", false],
  ['a count', 'select count(*) as x from chains', false],
  ['a sum of possibly no rows', 'select sum(decimals) as x from assets', true],
  ['a sum of a group', 'select sum(decimals) as x from assets group by chain_id', false],
  ['a filtered sum of a group', 'select sum(decimals) filter (where enabled) as x from assets group by chain_id', true],
  ['a grouped column', 'select chain_id as x from assets group by chain_id', false],
  ['an operator on a not-null column', 'select decimals + 1 as x from assets', false],
  ['an operator on a nullable column', 'select reread_from + 1 as x from chains', true],
  ['a member of JSON', "select definition ->> 'name' as x from chains", true],
  ['a predicate', 'select halted is null and exists (select from assets) as x from chains', false],
  ['a scalar subquery', 'select (select id from assets limit 1) as x from chains', true],
  [
    'a scalar subquery that always returns a row',
    'select (select coalesce(sum(decimals), 0) from assets) as x from chains',
    false,
  ],
  ['a case without else', 'select case when enabled then id end as x from chains', true],
  ['a case with else', "select case when enabled then id else '' end as x from chains", false],
  ['an element of an array', 'select x from unnest($1::text[]) as x', true],
]
for (const [what, sql, nullable] of columns) {
  test(`${what} is ${nullable ? 'nullable' : 'not nullable'}`, () =>
    owned(async describe => {
      assert.equal((await describe(sql)).columns[0]?.nullable, nullable)
    }))
}

const parameters: [what: string, sql: string, parameter: { name: string | undefined; nullable: boolean }][] = [
  ['compared with a column', 'select from chains where id = $1', { name: 'id', nullable: false }],
  ['tested for null', 'select from chains where $1::text is null or id = $1', { name: 'id', nullable: true }],
  ['assigned to a column', 'update switches set reason = $1', { name: 'reason', nullable: false }],
  ['assigned to a nullable column', 'update chains set halted = $1', { name: 'halted', nullable: true }],
  ['an inserted value', "insert into switches values ($1, '', 1)", { name: 'name', nullable: false }],
  ['inserted by a query', "insert into switches select $1, '', 1 from chains", { name: 'name', nullable: false }],
  ['a limit', 'select from chains limit $1', { name: 'limit', nullable: false }],
  ['without a column', 'select $1::int', { name: undefined, nullable: false }],
]
for (const [what, sql, { name, nullable }] of parameters) {
  test(`parameter: ${what}`, () =>
    owned(async describe => {
      const [parameter] = (await describe(sql)).parameters
      assert.deepEqual({ name: parameter?.name, nullable: parameter?.nullable }, { name, nullable })
    }))
}

async function owned(work: (describing: (sql: string) => ReturnType<typeof describe>) => Promise<void>): Promise<void> {
  const c = await owner.connect()
  try {
    const catalogue = await readCatalogue(c)
    await work(sql => describe(c, catalogue, sql))
  } finally {
    c.release()
  }
}
