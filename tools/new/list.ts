import { addRoute } from './domain.ts'
import type { Names } from './names.ts'
import { addPage, addTexts, emptyOf } from './page.ts'
import type { Tree } from './tree.ts'

/**
 * A list of a merchant's rows that are few: the call, the page, a test, and a table of its own, unless one is given.
 * Its filters are its id and days.
 */
export function newList(tree: Tree, given: Names, table?: string): void {
  if (table !== undefined && !/^[a-z][a-z0-9_]*$/.test(table)) throw new Error(`${table} is no name of a table`)
  const names = { ...given, snake: table ?? given.snake }
  const { domain, kebab, camel, pascal, words, titles } = names
  const call = `GET /api/v1/${domain}/${kebab}`
  addRoute(tree, names, {
    who: 'readingRoles',
    schemas: ['id', 'listOf', 'paging', 'timeRange', 'unixSeconds'],
    declared: `  '${call}': {
    who: readingRoles,
    summary: 'List ${words}, newest first',
    query: z.strictObject({ ...paging, ...timeRange, id: id.optional() }),
    data: listOf(z.object({ id: z.string(), created_time: unixSeconds })),
  },`,
    handler: `  '${call}': ({ deps: { pool }, session: { merchantId }, query }) =>
    pageAnswer(list${pascal}(pool, merchantId, query, pageOf(query)), ({ created_at, ...row }) => ({
      ...row,
      created_time: created_at,
    })),`,
    imports: {
      [`list${pascal}`]: `./${kebab}.ts`,
      pageAnswer: '../../kit/list.ts',
      pageOf: '../../kit/list.ts',
    },
  })
  if (table === undefined) addTable(tree, names)
  const folder = `apps/server/src/domains/${domain}`
  tree.write(`${folder}/${kebab}.ts`, list(names, call))
  tree.write(`${folder}/${kebab}.int.test.ts`, test(names))
  tree.insert('apps/server/src/testing/every-request.ts', `  '${call}': { query: { id: 'own' } },\n`, {
    before: "  'GET /api/v1/statistics/assets': {",
  })
  tree.insert('apps/web/src/lists.ts', `  ${camel}: declareList('${call}', { ...days, id: isId }),\n`, {
    before: '  activity: declareList(',
  })
  addPage(tree, names, { page: page(names), search: `    search: lists.${camel}.search,\n` })
  addTexts(tree, names, {
    title: titles,
    text: { en: `${titles.en}, newest first.`, zh: `${titles.zh}，最新的在最前。` },
    id: { en: 'ID', zh: '编号' },
    idBad: { en: 'Enter a whole ID', zh: '请输入完整编号' },
    time: { en: 'Time', zh: '时间' },
    empty: emptyOf(names),
  })
}

/** The migration of the table, with the next free number. */
function addTable(tree: Tree, { snake, words }: Names): void {
  const folder = 'apps/server/src/migrations/steps'
  const taken = tree.files(folder).flatMap(file => (/^\d+_/.test(file) ? [Number.parseInt(file, 10)] : []))
  const number = Math.max(0, ...taken) + 1
  tree.write(
    `${folder}/${String(number).padStart(4, '0')}_${snake}.ts`,
    `import { type Kysely, sql } from 'kysely'

/** Why: ${words} are listed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`
    create table ${snake} (
      merchant_id text not null references merchants (id),
      id text not null,
      created_at bigint not null,
      primary key (merchant_id, id)
    );
    create index on ${snake} (merchant_id, created_at desc, id desc);
  \`.execute(db)
}
`,
  )
}

const list = (
  { kebab, pascal, snake, words }: Names,
  call: string,
) => `import { defineList } from '../../kit/define-list.ts'

/** Lists ${words} of a merchant, newest first. */
export const { page: list${pascal} } = defineList({
  name: '${kebab}',
  of: '${call}',
  table: '${snake}',
  row: 'r',
  columns: 'r.id, r.created_at',
  filters: { id: { column: 'r.id' } },
})
`

const test = ({ kebab, pascal, snake, words }: Names) => `import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withDeps } from '../../testing/deps.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { list${pascal} } from './${kebab}.ts'

const deps = await withDeps({ after })

test('${words} are listed by page and filter, to their merchant only', async () => {
  const merchant = await testMerchant(deps)
  const stranger = await testMerchant(deps)
  const insert = 'insert into ${snake} (merchant_id, id, created_at) values ($1, $2, $3)'
  for (const id of ['first', 'second']) await deps.owner.query(insert, [merchant.id, id, deps.clock()])
  const ids = async (filter: object, merchantId = merchant.id) =>
    (await list${pascal}(deps.pool, merchantId, filter, { offset: 0, limit: 10 })).rows.map(row => row.id)
  assert.deepEqual(await ids({}), ['second', 'first'])
  assert.deepEqual(await ids({ id: 'first' }), ['first'])
  assert.deepEqual(await ids({}, stranger.id), [])
  assert.fail('make the rows by the verb that makes them, and compare what each filter finds')
})
`

const page = ({ domain, camel, pascal, titles }: Names) => `import { useMemo } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { defineListColumns, copyColumn, timeColumn } from '../../kit/list/columns.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { lists } from '../../lists.ts'
import { Empty } from '../../ui/feedback/States.tsx'

const columns = (t: Messages<'${domain}'>['${camel}']) =>
  defineListColumns(lists.${camel}, [copyColumn(t.id, row => row.id), timeColumn(t.time, row => row.created_time)])

/** ${titles.en}. */
export default function ${pascal}Page() {
  const t = useMessages('${domain}').${camel}
  return (
    <ListPage
      title={t.title}
      text={t.text}
      list={useList(lists.${camel})}
      columns={useMemo(() => columns(t), [t])}
      filters={[
        { by: 'id', label: t.id, error: t.idBad, width: 'grow sm:w-60 sm:grow-0' },
        { by: 'days', label: t.time },
      ]}
      empty={<Empty title={t.empty} />}
    />
  )
}
`
