import { endOfTime } from '@coffer/contract/limits.ts'
import { type CountedFilter, type CountedList, countedList, type TimeRange } from './counted-list.ts'
import { all, type Queryable, type Statements, variants } from './db.ts'
import type { ExportScope } from './export/export-rows.ts'
import { type Page, pageOfAll } from './list.ts'

/** Lists by the name of their statements: `<name>-page` finds the ids of a page, `<name>-list` reads their rows. */
type ListName = { [Key in keyof Statements]: Key extends `${infer Name}-list` ? Name : never }[keyof Statements]
/** Where a row stands in its list. */
type Place = { created_at: number; id: string }
type RowOf<Name extends ListName> = Statements[`${Name}-list`]['row'] & Place

interface List<Name extends ListName, Filter extends string, Kind extends CountedFilter>
  extends Omit<CountedList<Filter>, 'name'> {
  name: Name
  /** Name in the tables of the counts, if it is another one. */
  counts?: string
  filters: Record<Filter, Kind>
  /** Alias of `table`, which has `merchant_id`, `id` and `created_at`, in `joins` and `columns`. */
  row: string
  joins: string
  columns: string
}

type Given<Filter extends string> = { [Key in Filter]?: string | number | undefined } & TimeRange

/** Declares a list whose rows are counted per minute: `page` reads a page, newest first, with the total, `byIds` rows of a merchant. */
export function defineList<Name extends ListName, Filter extends string>(list: List<Name, Filter, CountedFilter>) {
  const { name, counts = name } = list
  const counted = countedList<Filter>({ ...list, name: counts })
  const pageIds = variants(`${name}-page` as 'refunds-page', counted.textOf, counted.described)
  const readRows = declare<RowOf<Name>>(`${name}-list`, rowsText(list, `${list.row}.id = any($2)`))
  const byIds = (c: Queryable, merchantId: string, ids: readonly string[]) => readRows(c, merchantId, ids)
  const page = async (c: Queryable, merchantId: string, filter: Given<Filter>, page: Page) => {
    const { kind, values } = counted.request(merchantId, filter, page)
    const [found] = await pageIds(c, kind, ...values)
    return { total: found!.total, rows: await byIds(c, merchantId, found!.ids.slice(0, page.limit)) }
  }
  return { page, byIds }
}

/** A filter that is not counted names few rows: they are paged in memory. */
interface ColumnFilter extends CountedFilter {
  /** The column that it equals. */
  column: string
  /** Type of the value, text by default. With `text[]` the column equals one of the `stored` forms. */
  type?: 'int' | 'text[]'
  stored?: (value: string) => string[]
}

/** Maximum number of rows listed for a filter that is not counted. */
const fewMax = 1_000

/**
 * Declares a list with an export. Its statement `<name>-next` reads the rows that match a filter after a given one; `file`
 * has the reads for `exportRows`.
 */
export function defineExportedList<Name extends ListName, Filter extends string>(
  list: List<Name, Filter, ColumnFilter>,
) {
  const { page: countedPage, byIds } = defineList(list)
  const { row } = list
  const filters = Object.entries<ColumnFilter>(list.filters) as [Filter, ColumnFilter][]
  const conditions = filters.map(([, { column, type = 'text' }], index) => {
    const value = `$${index + 3}`
    return `(${value}::${type} is null or ${column} = ${type === 'text[]' ? `any(${value})` : value})`
  })
  const [start, time, id] = [3, 4, 5].map(index => `$${index + filters.length}`)
  const range = `${row}.created_at >= ${start} and (${row}.created_at, ${row}.id) < (${time}, ${id})`
  const readNext = declare<RowOf<Name>>(
    `${list.name}-next`,
    `${rowsText(list, [...conditions, range].join(' and '))} limit $2`,
  )
  type Scope = Omit<ExportScope<Given<Filter>>, 'language'>
  const next = (c: Queryable, { merchantId, filter }: Scope, after: Place | undefined, limit: number) => {
    const { start_time = 0, end_time = endOfTime } = filter
    const { created_at, id } = after ?? { created_at: end_time + 1, id: '' }
    const given = filters.map(([name, { stored }]) => {
      const value = filter[name]
      return stored && value !== undefined ? stored(String(value)) : value
    })
    return readNext(c, merchantId, limit, ...given, start_time, created_at, id)
  }
  const page = async (c: Queryable, merchantId: string, filter: Given<Filter>, page: Page) =>
    filters.some(([name, { counted }]) => !counted && filter[name] !== undefined)
      ? pageOfAll(await next(c, { merchantId, filter }, undefined, fewMax), page)
      : countedPage(c, merchantId, filter, page)
  const count = async (c: Queryable, { merchantId, filter }: Scope) =>
    (await page(c, merchantId, filter, { offset: 0, limit: 1 })).total
  return { page, byIds, file: { count, next } }
}

type RowsText = Pick<List<ListName, string, CountedFilter>, 'columns' | 'table' | 'row' | 'joins'>

const rowsText = ({ columns, table, row, joins }: RowsText, where: string) =>
  `select ${columns} from ${table} ${row} ${joins} where ${row}.merchant_id = $1 and ${where}
   order by ${row}.created_at desc, ${row}.id desc`

/** Declares a statement whose name, and so whose types, follow from the name of a list. */
const declare = <Row>(name: string, text: string) =>
  all(name as keyof Statements, text) as unknown as (c: Queryable, ...values: unknown[]) => Promise<Row[]>
