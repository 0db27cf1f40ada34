import type { RouteFilter, RouteKey } from '@coffer/contract'
import { noMerchantId } from './audit.ts'
import { type CountedFilter, makeCountedListStatement, type TimeRange } from './counted-list.ts'
import { all, declareStatementVariants, type Queryable, type Statements } from './db.ts'
import type { RowScope } from './export/export-rows.ts'
import type { Page } from './list.ts'

/** Lists by the name of their statements: `<name>-list` reads the rows of a page. */
type ListName = { [Key in keyof Statements]: Key extends `${infer Name}-list` ? Name : never }[keyof Statements]
type RowOf<Name extends ListName> = Statements[`${Name}-list`]['row']
type NextRow<Name extends string> = `${Name}-next` extends keyof Statements ? Statements[`${Name}-next`]['row'] : never

/** A filter of a list. It has one parameter. */
export interface ListFilter extends CountedFilter {
  /** The column that it equals, or its condition for the name of its parameter. */
  column?: string | ((parameter: string) => string)
  /**
   * Instead of a condition: SQL that selects the keys of the rows that it finds, through an index of its own. `within`
   * restricts the time of an index that has it; the rows themselves are always restricted.
   */
  keys?: (parameter: string, within: (column: string) => string) => string
  /** The stored forms of the value, one of which the column equals, or what a condition takes. */
  stored?: (value: string) => string | string[]
}

type FilterName<Call extends RouteKey> = Call extends RouteKey
  ? Exclude<keyof RouteFilter<Call>, 'start_time' | 'end_time'> & string
  : never

interface List<Name extends ListName, Call extends RouteKey, Filter extends string> {
  name: Name
  /** The call, whose filters the list has; others may follow. Lists whose filters are named otherwise leave it out. */
  of?: Call
  table: string
  /** Alias of `table`, which has `merchant_id`, in `joins`, `columns`, `where` and the columns of filters. */
  row: string
  joins?: string
  columns: string
  /** Column of the time by which rows are listed, newest first; by default `created_at`. */
  time?: string
  /** Column of the key, by which rows of the same time are listed; by default `id`. */
  key?: string
  /** Condition on the rows of the list. */
  where?: string
  /** Rows of all merchants. The merchant given is null. */
  everyone?: boolean
  /** Sorts by an expression, the highest first, instead of `time`. */
  order?: string
  /**
   * Of a list that grows: its rows are counted per minute. See `CountedList`; `counts` is its name in the tables of the
   * counts, if it is another one.
   */
  counted?: { counts?: string; ofGroup: string; ofAll?: string }
  filters: Record<Filter, ListFilter> & Record<FilterName<Call>, ListFilter>
}

type Given<Filter extends string> = { [Key in Filter]?: string | number | readonly string[] | undefined } & TimeRange
type Scope<Filter extends string> = RowScope<Given<Filter>>
/** Which filters are given, and whether rows follow another one. Each has its own prepared statement. */
type Kind<Filter extends string> = Record<Filter | 'start' | 'end' | 'after', boolean>

/**
 * Declares a list: `page` reads a page, newest first, with the total, `byIds` rows of a merchant by their keys, `count`
 * the total. A list that is not `counted` has few rows, and so has a filter that is not: they are counted and sorted by
 * each statement `<name>-found`.
 */
export function defineList<Name extends ListName, Filter extends string, Call extends RouteKey = never>(
  declared: List<Name, Call, Filter>,
) {
  const list: AnyList<Filter> = declared
  const { name, counted } = list
  const filters = Object.entries<ListFilter>(list.filters) as [Filter, ListFilter][]
  const readRows = declare<RowOf<Name>>(
    `${name}-list`,
    `select ${list.columns} from unnest($2::text[]) keys (key) ${readByKey(list)} ${list.joins ?? ''} order by ${orderOf(list)}`,
  )
  const byIds = (c: Queryable, merchantId: string | null, ids: readonly string[]) => readRows(c, merchantId, ids)
  const countedPage = counted && readCounted(list, counted)
  const isFew = ([, filter]: [Filter, ListFilter]) => !filter.counted
  const found = !counted || filters.some(isFew) ? readFound(list) : undefined
  const page = async (c: Queryable, merchantId: string | null, filter: Given<Filter>, page: Page) => {
    const few = filters.some(each => isFew(each) && filter[each[0]] !== undefined)
    const read = (few && found) || countedPage || found
    const { total, ids } = await read!(c, merchantId, filter, page)
    return { total, rows: ids.length === 0 ? [] : await byIds(c, merchantId, ids) }
  }
  const count = async (c: Queryable, { merchantId, filter }: Scope<Filter>) =>
    (await page(c, merchantId, filter, { offset: 0, limit: 1 })).total
  return { page, byIds, count }
}

/**
 * Declares a list with an export: `file` has the reads for `exportRows`. Its statement `<name>-next` reads rows after a
 * given one; `exported` are its columns, if they are others than those of the list.
 */
export function defineExportedList<Name extends ListName, Filter extends string, Call extends RouteKey = never>(
  declared: List<Name, Call, Filter> & { exported?: { columns: string; joins?: string } },
) {
  const list: AnyList<Filter> = declared
  const defined = defineList<Name, Filter, Call>(declared)
  const { columns, joins = '' } = declared.exported ?? list
  const { row, time = 'created_at', key = 'id' } = list
  const textOf = (kind: Kind<Filter>) => {
    const { from, where } = matching(list, kind, 3)
    return `select ${columns} from (
        select ${row}.* from ${from} where ${where} order by ${orderOf(list)} limit $2
      ) ${row} ${joins} order by ${orderOf(list)}`
  }
  type Row = NextRow<Name>
  const readNext = declareVariants<Row, Kind<Filter>>(`${list.name}-next`, textOf, described(list))
  const next = (c: Queryable, { merchantId, filter }: Scope<Filter>, after: object | undefined, limit: number) => {
    const place = after as Record<string, unknown> | undefined
    const from = place ? [place[time], place[key]] : []
    const kind = kindOf(list, filter, after !== undefined)
    return readNext(c, kind, merchantId, limit, ...from, ...valuesOf(list, filter))
  }
  return { ...defined, file: { count: defined.count, next } }
}

type AnyList<Filter extends string> = Omit<List<ListName, never, Filter>, 'filters' | 'name' | 'of'> & {
  name: string
  filters: Record<Filter, ListFilter>
}

/** The total of a filter, and the keys of a page. */
type Found = Statements['refunds-page']['row']

function readCounted<Filter extends string>(
  { name, table, time, key, filters, everyone }: AnyList<Filter>,
  { counts = name, ...groups }: NonNullable<AnyList<Filter>['counted']>,
) {
  const counted = makeCountedListStatement<Filter>({
    ...groups,
    name: counts,
    table,
    filters,
    ...(time && { time }),
    ...(key && { key }),
    ...(everyone && { everyone }),
  })
  const read = declareVariants<Found, (typeof counted.described)[number]>(
    `${name}-page`,
    counted.textOf,
    counted.described,
  )
  return async (c: Queryable, merchantId: string | null, filter: Given<Filter>, page: Page) => {
    const { kind, values } = counted.request(merchantId ?? noMerchantId, filter as Record<Filter, string>, page)
    const [found] = await read(c, kind, ...values)
    return { total: found!.total, ids: found!.ids.slice(0, page.limit) }
  }
}

function readFound<Filter extends string>(list: AnyList<Filter>) {
  const { name, row, key = 'id' } = list
  const textOf = (kind: Kind<Filter>) => {
    const { from, where } = matching(list, kind, 4)
    return `with found as materialized (select ${row}.${key} as id, ${sortOf(list)} as place from ${from} where ${where})
      select (select count(*) from found)::bigint as total,
        array(select id from found order by place desc, id desc limit $2 offset $3) as ids`
  }
  const read = declareVariants<Found, Kind<Filter>>(`${name}-found`, textOf, described(list))
  return async (c: Queryable, merchantId: string | null, filter: Given<Filter>, { limit, offset }: Page) => {
    const kind = kindOf(list, filter, false)
    const [found] = await read(c, kind, merchantId, limit, offset, ...valuesOf(list, filter))
    return found!
  }
}

const namesOf = <Filter extends string>({ filters }: AnyList<Filter>) => Object.keys(filters) as Filter[]

function kindOf<Filter extends string>(list: AnyList<Filter>, filter: Given<Filter>, after: boolean) {
  const { start_time: start, end_time: end } = filter
  const given = { ...filter, start, end } as Record<string, unknown>
  const names = [...namesOf(list), 'start', 'end'].map(name => [name, given[name] !== undefined])
  return { ...Object.fromEntries(names), after } as Kind<Filter>
}

const described = <Filter extends string>(list: AnyList<Filter>) =>
  [true, false].map(
    given => Object.fromEntries([...namesOf(list), 'start', 'end', 'after'].map(name => [name, given])) as Kind<Filter>,
  )

const valuesOf = <Filter extends string>(list: AnyList<Filter>, filter: Given<Filter>) =>
  [
    ...namesOf(list).map(name => {
      const { stored } = list.filters[name]
      return filter[name] === undefined ? undefined : (stored?.(String(filter[name])) ?? filter[name])
    }),
    filter.start_time,
    filter.end_time,
  ].filter(value => value !== undefined)

/** Reads the rows of `keys`. Without the limit, PostgreSQL may plan to read all rows that a join has. */
const readByKey = ({ table, row, key = 'id', everyone }: Pick<AnyList<never>, 'table' | 'row' | 'key' | 'everyone'>) =>
  `cross join lateral (
     select * from ${table} where ${everyone ? '$1::text is null' : 'merchant_id = $1'} and ${key} = keys.key limit 1
   ) ${row}`

const scopeOf = ({ row, everyone, where }: Pick<AnyList<never>, 'row' | 'everyone' | 'where'>) => [
  everyone ? '$1::text is null' : `${row}.merchant_id = $1`,
  ...(where ? [where] : []),
]

/** The rows of a kind, with parameters from `next` on: the place of the row before, the filters, and the times. */
function matching<Filter extends string>(list: AnyList<Filter>, kind: Kind<Filter>, next: number) {
  const { table, row, time = 'created_at', key = 'id', filters } = list
  const take = () => `$${next++}`
  const conditions = scopeOf(list)
  if (kind.after) conditions.push(`(${row}.${time}, ${row}.${key}) < (${take()}, ${take()})`)
  const finders: string[] = []
  const given = namesOf(list).filter(name => kind[name])
  const values = given.map(take)
  const bounds = [kind.start && `>= ${take()}::bigint`, kind.end && `<= ${take()}::bigint`].filter(
    bound => bound !== false,
  )
  const within = (of: string) => bounds.map(bound => ` and ${of} ${bound}`).join('')
  for (const [n, name] of given.entries()) {
    const { column, keys, stored } = filters[name]
    const value = values[n]!
    if (keys) finders.push(`(${keys(value, within)})`)
    else if (typeof column === 'function') conditions.push(column(value))
    else conditions.push(`${column} = ${stored ? `any(${value})` : value}`)
  }
  for (const bound of bounds) conditions.push(`${row}.${time} ${bound}`)
  const from = `(${finders.join(' intersect ')}) keys (key) ${readByKey(list)}`
  return { from: finders.length > 0 ? from : `${table} ${row}`, where: conditions.join(' and ') }
}

const sortOf = ({ row, time = 'created_at', order }: Pick<AnyList<never>, 'row' | 'time' | 'order'>) =>
  order ?? `${row}.${time}`
const orderOf = (list: Pick<AnyList<never>, 'row' | 'time' | 'key' | 'order'>) =>
  `${sortOf(list)} desc, ${list.row}.${list.key ?? 'id'} desc`

/** Declares a statement whose name, and so whose types, follow from the name of a list. */
const declare = <Row>(name: string, text: string) =>
  all(name as keyof Statements, text) as unknown as (c: Queryable, ...values: unknown[]) => Promise<Row[]>
const declareVariants = <Row, K extends Record<keyof K, number | boolean | null>>(
  name: string,
  textOf: (kind: K) => string,
  described: readonly K[],
) =>
  declareStatementVariants(name as keyof Statements, textOf, described) as unknown as (
    c: Queryable,
    kind: K,
    ...values: unknown[]
  ) => Promise<Row[]>
