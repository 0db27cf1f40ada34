import {
  buildPageStartSql,
  computeSlotBounds,
  minute,
  month,
  nameSlotBoundParameters,
  slotSpansSql,
} from './counted-place.ts'
import { count } from './db.ts'
import { choosePreparedPageSize, type Page } from './list.ts'

/**
 * A list whose rows triggers count (`migrations/steps/0007_lists.ts`) by minute and by up to three texts `a`, `b`, `c`.
 */
export interface CountedList<Filter extends string> {
  /** Name of the list in the tables of the counts. */
  name: string
  table: string
  /** Column of the time (Unix seconds) of a row; by default `created_at`. */
  time?: string
  /** Column of the key of a row; by default `id`. */
  key?: string
  /** Condition on a row `r` of one group `g`. With it, an index has the group's rows by time and key. */
  ofGroup: string
  /** Condition on a row `r` with which an index has all rows of the list by time and key, if there is one. */
  ofAll?: string
  /** Rows of all merchants: the merchant given is `nobody`, under whom they are counted. */
  everyone?: boolean
  filters: Record<Filter, CountedFilter>
}

export interface CountedFilter {
  /**
   * The text that the filter equals, or its condition on `a`, `b` and `c` for the name of its parameter. Absent if it
   * is not counted.
   */
  counted?: 'a' | 'b' | 'c' | ((parameter: string) => string)
}

/** Variant of a page statement: which filters are given, and the page size. */
type Kind<Filter extends string> = Record<Filter | 'start' | 'end', boolean> & { limit: number }

/** Creation times, inclusive at both ends. */
export interface TimeRange {
  start_time?: number | undefined
  end_time?: number | undefined
}

/** Makes the page statement of a list, to be declared with `variants`, and its values for a filter and a page. */
export function makeCountedListStatement<Filter extends string>(list: CountedList<Filter>) {
  const names = namesOf(list)
  const kindOf = (given: (name: Filter | 'start' | 'end') => boolean, limit: number) =>
    ({
      ...Object.fromEntries([...names, 'start' as const, 'end' as const].map(name => [name, given(name)])),
      limit,
    }) as Kind<Filter>
  return {
    textOf: (kind: Kind<Filter>) => pageText(list, kind),
    described: [kindOf(() => false, 1), kindOf(() => true, 1)],
    request(
      merchantId: string,
      filter: { [name in Filter]?: string | number | undefined } & TimeRange,
      { limit, offset }: Page,
    ) {
      const { start_time: start, end_time: end } = filter
      const given = { ...filter, start, end }
      const values: (string | number)[] = [merchantId, offset, ...names.flatMap(name => filter[name]?.toString() ?? [])]
      if (start !== undefined) values.push(...computeSlotBounds(start))
      if (end !== undefined) values.push(...computeSlotBounds(Math.max(start ?? 0, end + 1)))
      return { kind: kindOf(name => given[name] !== undefined, choosePreparedPageSize(limit)), values }
    },
  }
}

const namesOf = <Filter extends string>({ filters }: CountedList<Filter>) =>
  (Object.keys(filters) as Filter[]).filter(name => filters[name].counted)

/**
 * Builds a statement that returns the `total` of a filter and the `ids` of a page, newest first. Its cost depends on
 * the page size, the number of groups and the rows of one minute, not on the offset. Parameters: $1 merchant, $2
 * offset, then, where present, the filters and the `computeSlotBounds` of the range start (inclusive) and of the range
 * end
 * (exclusive).
 */
function pageText<Filter extends string>(list: CountedList<Filter>, kind: Kind<Filter>) {
  const { name, table, ofGroup, filters, everyone } = list
  const own = everyone ? '' : 'r.merchant_id = $1 and '
  const time = `r.${list.time ?? 'created_at'}`
  const key = `r.${list.key ?? 'id'}`
  let next = 3
  const take = () => `$${next++}::bigint`
  const conditions = namesOf(list)
    .filter(each => kind[each])
    .map(each => {
      const { counted } = filters[each]
      return ` and ${typeof counted === 'function' ? counted(`$${next++}`) : `${counted} = $${next++}`}`
    })
    .join('')
  const start = kind.start ? nameSlotBoundParameters(take) : null
  const end = kind.end ? nameSlotBoundParameters(take) : null
  const counted = (span: number, within: string) =>
    `from list_counts where merchant_id = $1 and list = '${name}' and span = ${span}${within}${conditions}`
  const ofAll = conditions === '' ? list.ofAll : undefined
  /** Rows of every group that has some in slots of a span; without a filter, those of the index of the whole list. */
  const ofGroups = (span: number, slots: string, columns: string, where: string) =>
    ofAll
      ? `select ${columns} from ${table} r where ${own}${ofAll} and ${where}`
      : `select r.* from (
      select a, b, c ${counted(span, ` and slot ${slots} and n > 0`)}
      union select a, b, c from pending where time - time % ${span} ${slots} and n > 0
    ) g cross join lateral (select ${columns} from ${table} r where ${own}${ofGroup} and ${where}) r`
  const newest = (span: number, slots: string, where: string, limit: string) => {
    const since = start ? ` and ${time} >= ${start[0]}` : ''
    const order = `order by ${time} desc, ${key} desc limit ${limit}`
    return ofGroups(span, slots, `${time} as time, ${key} as id`, `${where}${since} ${order}`)
  }
  const inMinute = `${time} >= (select slot from minute) and ${time} < (select before_time from place)`
  return `with pending as materialized (
      select slot as time, a, b, c, sum(n) as n from list_changes
      where merchant_id = $1 and list = '${name}'${conditions} group by 1, 2, 3, 4
    ), ${buildPageStartSql({
      counts: (span, within) => `select slot, n ${counted(span, within)}`,
      rows: (from, to) => {
        const range = `${time} >= ${from} and ${time} < ${to} limit ${unlimited}`
        return `select count(*) from (${ofGroups(minute, `= ${from} - ${from} % ${minute}`, '1', range)}) counted`
      },
      start,
      end,
      offset: '$2::bigint',
    })}, page as materialized (
      select time, id from (
        (${newest(minute, '= (select slot from minute)', inMinute, `(select skip from place) + ${kind.limit}`)})
        union all
        (${newest(month, '<= (select slot from minute)', `${time} < (select slot from minute)`, `${kind.limit}`)})
      ) listed
      order by time desc, id desc offset (select skip from place) limit ${kind.limit}
    )
    select total::bigint as total, array(select id from page order by time desc, id desc) as ids from wanted`
}

/** More rows than any list has. A limit keeps the planner from joining the rows before it has the groups. */
const unlimited = 1_000_000_000

/** Builds a statement that counts the rows of a merchant's list in groups. */
export const buildListCountSql = (list: string, groups: string): string =>
  `select coalesce(sum(n), 0)::bigint as n from (
     select n from list_counts where merchant_id = $1 and list = '${list}' and span = ${month} and ${groups}
     union all select n from list_changes where merchant_id = $1 and list = '${list}' and ${groups}
   ) counted`

/** Maximum number of changes folded at once. */
const batch = 5_000

const fold = count(
  'lists-fold',
  `with chosen as materialized (
     select merchant_id, list, id from list_changes limit $1 for update skip locked
   ), taken as (
     delete from list_changes s using chosen c where s.merchant_id = c.merchant_id and s.list = c.list and s.id = c.id returning s.*
   ), counted as (
     insert into list_counts (merchant_id, list, span, slot, a, b, c, n)
     select merchant_id, list, span, slot - slot % span, a, b, c, sum(n)
     from taken cross join unnest(${slotSpansSql}) as span
     group by 1, 2, 3, 4, 5, 6, 7
     order by 1, 2, 3, 4, 5, 6, 7
     on conflict (merchant_id, list, span, slot, a, b, c) do update set n = list_counts.n + excluded.n
   )
   select count(*) as n from taken`,
)

/** Moves one batch of changes into the counts. Returns true if there may be more. Safe to run concurrently. */
export const foldLists = async ({ pool }: { pool: Parameters<typeof fold>[0] }): Promise<boolean> =>
  (await fold(pool, batch)) === batch
