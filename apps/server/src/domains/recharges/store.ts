import { countText } from '../../kit/counted-list.ts'
import { all, count, type Queryable, type Statements, variants } from '../../kit/db.ts'
import type { Page } from '../../kit/list.ts'

/** A deposit without a payment, with its address. The fields of the address are empty where none was created. */
export type RechargeRow = Statements['recharges-page']['row']

export interface RechargeFilter {
  /** Addresses in the stored form. */
  addresses?: readonly string[] | undefined
  token_id?: string | undefined
  state?: string | undefined
  start_time?: number | undefined
  end_time?: number | undefined
}

type Given = Record<'addresses' | 'token_id' | 'state' | 'start_time' | 'end_time' | 'after', boolean>
const conditions: Record<Exclude<keyof Given, 'after'>, (parameter: string) => string> = {
  addresses: value => `d.to_address = any(${value}::text[])`,
  token_id: value => `d.asset_id = ${value}`,
  state: value => `d.state = ${value}`,
  start_time: value => `d.seen_at >= ${value}`,
  end_time: value => `d.seen_at <= ${value}`,
}
const names = Object.keys(conditions) as (keyof typeof conditions)[]

/** Rows of merchant $1 that fit a filter, from parameter `next` on. */
function whereOf(given: Given, next: number): string {
  const requested = names
    .filter(name => given[name])
    .map((name, index) => ` and ${conditions[name](`$${next + index}`)}`)
  return `d.merchant_id = $1 and d.kind = 'recharge'${requested.join('')}`
}

const columns = `d.id, '' as trade_no, d.chain_id, d.asset_id, d.txid, d.block_number, d.log_index, d.from_address, d.to_address, d.amount,
  d.usdt_amount, d.gas, d.late, d.state, d.seen_at, d.credited_at, a.symbol as token, a.decimals, h.definition, h.head_number,
  coalesce(f.id, '') as address_id, coalesce(f.reference, '') as reference, coalesce(f.appid, '') as appid,
  coalesce(f.label, '') as label, coalesce(p.name, '') as apply_name`
// An address belongs to the chain it was created for, or to another one of its kind.
const tables = `join assets a on a.id = d.asset_id join chains h on h.id = d.chain_id
  left join lateral (
    select f.id, f.reference, f.appid, f.label from fixed_addresses f join chains k on k.id = f.chain_id
    where f.address = d.to_address and f.merchant_id = d.merchant_id and k.kind = h.kind
    order by f.appid = '', f.chain_id = d.chain_id desc, f.chain_id limit 1
  ) f on true
  left join applications p on p.merchant_id = d.merchant_id and p.appid = f.appid`

const pageText = (given: Given) => {
  const after = given.after ? ' and (d.seen_at, d.id) < ($4, $5)' : ''
  return `select ${columns} from (
      select * from deposits d where ${whereOf(given, given.after ? 6 : 4)}${after}
      order by d.seen_at desc, d.id desc limit $2 offset $3
    ) d ${tables} order by d.seen_at desc, d.id desc`
}
const none = Object.fromEntries([...names, 'after'].map(name => [name, false])) as Given
const every = Object.fromEntries([...names, 'after'].map(name => [name, true])) as Given

const rowsOf = variants('recharges-page', pageText, [every, none])
const countOf = variants(
  'recharges-count',
  given => `select count(*) as n from deposits d where ${whereOf(given, 2)}`,
  [every, none],
)

type Values = Statements['recharges-page']['values']

const given = (filter: RechargeFilter, after: boolean): Given => ({
  ...(Object.fromEntries(names.map(name => [name, filter[name] !== undefined])) as Given),
  after,
})
const valuesOf = (filter: RechargeFilter) => names.flatMap(name => (filter[name] === undefined ? [] : [filter[name]]))

/** Reads a page of a merchant's recharges, newest first. */
export const pageRecharges = (c: Queryable, merchantId: string, filter: RechargeFilter, { limit, offset }: Page) =>
  rowsOf(c, given(filter, false), ...([merchantId, limit, offset, ...valuesOf(filter)] as unknown as Values))

/** Reads recharges after one, in the order of the list. */
export const nextRecharges = (
  c: Queryable,
  merchantId: string,
  filter: RechargeFilter,
  after: RechargeRow | undefined,
  limit: number,
) =>
  after
    ? rowsOf(
        c,
        given(filter, true),
        ...([merchantId, limit, 0, after.seen_at, after.id, ...valuesOf(filter)] as unknown as Values),
      )
    : pageRecharges(c, merchantId, filter, { limit, offset: 0 })

/** Counts all recharges, or those of a token and a state, without reading them. */
const countAll = count(
  'recharges-count-all',
  countText('recharges', '($2::text is null or a = $2) and ($3::text is null or b = $3)'),
)

export async function countRecharges(c: Queryable, merchantId: string, filter: RechargeFilter): Promise<number> {
  const { addresses, start_time, end_time, token_id = null, state = null } = filter
  if (!addresses && start_time === undefined && end_time === undefined) return countAll(c, merchantId, token_id, state)
  const values = [merchantId, ...valuesOf(filter)] as unknown as Statements['recharges-count']['values']
  return (await countOf(c, given(filter, false), ...values))[0]!.n
}

/** Reads who receives callbacks of deposits at addresses of a chain: the application that made the address. */
export const receiversOf = all(
  'recharges-receivers',
  `select f.address, f.id, f.reference, f.appid, p.notify_url as url, p.callbacks_muted
   from unnest($3::text[]) as d (address) cross join lateral (
     select f.* from fixed_addresses f join chains k on k.id = f.chain_id
     where f.address = d.address and f.appid <> '' and k.kind = $2 order by f.chain_id = $1 desc, f.chain_id limit 1
   ) f join applications p on p.merchant_id = f.merchant_id and p.appid = f.appid`,
)
