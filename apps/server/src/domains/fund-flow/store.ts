import type { RouteFilter } from '@coffer/contract'
import type { FundAccount, FundFlowDirection } from '@coffer/contract/fund-flow/routes.ts'
import { maxUnixSeconds } from '@coffer/contract/kit/limits.ts'
import { all, declareStatementVariants, type Queryable, type Statements } from '../../kit/db.ts'
import { defineExportedList, defineList } from '../../kit/define-list.ts'
import type { Page } from '../../kit/list.ts'

/** Filter on postings. The time range (unix seconds) is inclusive at both ends. */
export type FlowFilter = Partial<RouteFilter<'GET /api/v1/account/stream'>>

const ofChain = (column: string) => (chain: string) => `${column} in (select id from assets where chain_id = ${chain})`

/** The account of the merchant that a posting changes, and its direction, as migration 0007 counts and indexes them. */
const sideOf = (row: string) => `case when split_part(${row}.debit_account, '/', 2) = 'available'
    and split_part(${row}.credit_account, '/', 2) = 'held' then 'reserve'
  when split_part(${row}.debit_account, '/', 2) = 'held' and split_part(${row}.credit_account, '/', 2) = 'available' then 'release'
  when split_part(${row}.credit_account, '/', 2) = 'available' then 'available in'
  when split_part(${row}.debit_account, '/', 2) = 'available' then 'available out'
  when split_part(${row}.credit_account, '/', 2) = 'held' then 'held in' else 'held out' end`

/** Condition on a posting `r` of one group `g` of the flow's counts, with which the index of groups has it. */
export const flowGroupSql = `r.merchant_id <> 'house' and r.kind = g.a and r.asset_id = g.b and ${sideOf('r')} = g.c`
/** What a posting of each side is for the accounts that it changes. */
const sides: Record<string, { [account in FundAccount]?: FundFlowDirection }> = {
  'available in': { available: 'in' },
  'available out': { available: 'out' },
  'held in': { held: 'in' },
  'held out': { held: 'out' },
  reserve: { available: 'out', held: 'in' },
  release: { available: 'in', held: 'out' },
}

/**
 * Names the sides that filters by account and direction find. With an account they add up to its balance. Without one,
 * a reserve or a release is neither incoming nor outgoing: the merchant has as much as before.
 */
function sidesOf({ account, direction }: FlowFilter): string | undefined {
  if (account === undefined && direction === undefined) return undefined
  const found = Object.keys(sides).filter(name => {
    const changed = sides[name]!
    const directions = account === undefined ? Object.values(changed) : [changed[account]]
    return directions.length === 1 && directions[0] !== undefined && (direction ?? directions[0]) === directions[0]
  })
  return found.join()
}
const byGroup = ({ account, direction, ...filter }: FlowFilter) => ({
  ...filter,
  sides: sidesOf({ account, direction }),
})

/** What a posting is for the account of the filter, or the available one where it changes both. */
function viewOf(
  side: string,
  account: FundAccount | undefined,
): { account: FundAccount; direction: FundFlowDirection } {
  const changed = sides[side]!
  const shown = account ?? (changed.available ? 'available' : 'held')
  return { account: shown, direction: changed[shown]! }
}

const filters = {
  type: { counted: (value: string) => `a = ${value}` },
  network_id: { counted: ofChain('b') },
  token_id: { counted: (value: string) => `b = ${value}` },
  sides: { counted: (value: string) => `c = any(string_to_array(${value}, ','))` },
}
const filterNames = Object.keys(filters) as (keyof typeof filters)[]

const columns = `l.id, l.kind, ${sideOf('l')} as side, split_part(l.debit_account, '/', 2) as debit_part,
  split_part(l.credit_account, '/', 2) as credit_part, l.amount, l.debit_after, l.credit_after, l.asset_id, l.created_at, g.source,
  g.memo, coalesce((select fiat from merchants where id = $1), '') as fiat`
/** A join may be planned to read all groups. */
const joined = 'cross join lateral (select source, memo from ledger_groups where id = l.group_id limit 1) g'

/**
 * Prices are read by slots of this many seconds, as they are stored, and value a posting up to an age of `oldestPrice`
 * (s).
 */
const priceSlot = 300
const oldestPrice = 900
const readPrices = all(
  'fund-flow-prices',
  `with symbols as (select price_of as symbol from assets where id = any($2::text[]) union select fiat from merchants where id = $1)
   select s.symbol, p.price, p.source, p.at
   from symbols s cross join unnest($3::bigint[]) slot cross join lateral (
     (select * from price_history p where p.symbol = s.symbol and p.at <= slot and p.at > slot - ${oldestPrice} order by p.at desc limit 1)
     union all select * from price_history p where p.symbol = s.symbol and p.at > slot and p.at < slot + ${priceSlot}
   ) p
   order by p.at desc`,
)
type Price = Statements['fund-flow-prices']['row']
/** Returns the price of a symbol at a time, if there was one. */
type PriceAt = (symbol: string, time: number) => Price | undefined

/** Adds the prices at the times of the postings. */
async function withPrices(
  c: Queryable,
  merchantId: string,
  { account }: FlowFilter,
  rows: Statements['fund-flow-list']['row'][],
) {
  if (rows.length === 0) return []
  const slots = new Set(rows.map(row => row.created_at - (row.created_at % priceSlot)))
  const assets = new Set(rows.map(row => row.asset_id))
  const prices = Map.groupBy(await readPrices(c, merchantId, [...assets], [...slots]), price => price.symbol)
  const priceAt: PriceAt = (symbol, time) => {
    const found = prices.get(symbol)?.find(price => price.at <= time)
    return found && found.at > time - oldestPrice ? found : undefined
  }
  return rows.map((row): FlowRow => ({ ...row, ...viewOf(row.side!, account), priceAt }))
}

/** A posting of a merchant as one of its accounts sees it, with its cause and the prices at its time. */
export type FlowRow = Statements['fund-flow-list']['row'] & ReturnType<typeof viewOf> & { priceAt: PriceAt }

/** With it the index of the whole flow has a posting. */
const inFlow = `r.merchant_id <> 'house' and r.place >= 0`
const flow = defineList({
  name: 'fund-flow',
  table: 'ledger_postings',
  row: 'l',
  joins: joined,
  columns,
  counted: { counts: 'fund flow', ofGroup: flowGroupSql, ofAll: inFlow },
  filters,
})

export const countFundFlow = (c: Queryable, scope: { merchantId: string; filter: FlowFilter }) =>
  flow.count(c, { ...scope, filter: byGroup(scope.filter) })

/** Reads a page of the postings of a merchant, newest first, with the total. */
export async function listFundFlow(c: Queryable, merchantId: string, filter: FlowFilter, page: Page) {
  const { total, rows } = await flow.page(c, merchantId, byGroup(filter), page)
  return { total, rows: await withPrices(c, merchantId, filter, rows) }
}

type NextKind = Record<keyof typeof filters | 'oldestFirst', boolean>

/**
 * Without filters the rows come from the index of the whole flow, otherwise from that of each group that matches. The
 * planner may not know the limit within a group: it would read a group that it thinks is smaller as a whole.
 */
function nextText(kind: NextKind): string {
  const given = filterNames.filter(name => kind[name])
  const [compare, bound, way] = kind.oldestFirst ? ['>', '<=', ''] : ['<', '>=', ' desc']
  const order = (row: string) => `order by ${row}.created_at${way}, ${row}.id${way}`
  const where = `r.merchant_id = $1 and (r.created_at, r.id) ${compare} ($3, $4) and r.created_at ${bound} $5`
  const matching = given.map((name, index) => ` and ${filters[name].counted(`$${index + 6}`)}`).join('')
  const groups = (table: string, more: string) =>
    `select a, b, c from ${table} where merchant_id = $1 and list = 'fund flow'${more}${matching}`
  const ofAll = given.length === 0
  const found = ofAll
    ? `select r.* from ledger_postings r where ${where} and ${inFlow}
         ${order('r')} limit $2`
    : `select r.* from (${groups('list_counts', ' and span = 2592000 and n > 0')} union ${groups('list_changes', '')}) g
         cross join lateral (
           select r.created_at, r.id from ledger_postings r where ${where} and ${flowGroupSql} ${order('r')} limit (select $2::bigint)
         ) r ${order('r')} limit $2`
  const rows = ofAll ? 'found l' : 'found join ledger_postings l on l.merchant_id = $1 and l.id = found.id'
  return `with found as materialized (${found}) select ${columns} from ${rows} ${joined} ${order('l')}`
}

const nextKind = (has: (name: keyof NextKind) => boolean) =>
  Object.fromEntries([...filterNames, 'oldestFirst' as const].map(name => [name, has(name)])) as NextKind
const next = declareStatementVariants('fund-flow-next', nextText, [nextKind(() => false), nextKind(() => true)])

/** Reads the next postings that match a filter after the given one (undefined: from the start). */
export async function readNextFundFlow(
  c: Queryable,
  merchantId: string,
  filter: FlowFilter,
  oldestFirst: boolean,
  after: Pick<FlowRow, 'created_at' | 'id'> | undefined,
  limit: number,
) {
  const { start_time = 0, end_time = maxUnixSeconds } = filter
  const place = after ?? { created_at: oldestFirst ? start_time : end_time + 1, id: '' }
  const bound = oldestFirst ? end_time : start_time
  const groups = byGroup(filter)
  const kind = nextKind(name => (name === 'oldestFirst' ? oldestFirst : groups[name] !== undefined))
  const given = filterNames.flatMap(name => groups[name] ?? [])
  const rows = await next(c, kind, merchantId, limit, place.created_at, place.id, bound, ...given)
  return withPrices(c, merchantId, filter, rows)
}

const readAssets = all(
  'fund-flow-assets',
  'select a.id, a.symbol as token, a.price_of, a.decimals, h.definition from assets a join chains h on h.id = a.chain_id',
)
export type FlowAsset = Statements['fund-flow-assets']['row']

/** Reads all assets by id. */
export const flowAssets = async (c: Queryable): Promise<Map<string, FlowAsset>> =>
  new Map((await readAssets(c)).map(asset => [asset.id, asset]))

/** The gas that sweeps cost a merchant. */
export const { page: listGasExpenses, file: gasFile } = defineExportedList({
  name: 'gas-expenses',
  of: 'GET /api/v1/account/expend',
  table: 'gas_expenses',
  row: 'e',
  joins: 'join assets a on a.id = e.asset_id join chains h on h.id = e.chain_id',
  columns: 'e.id, a.symbol as token, a.decimals, e.amount, e.txid, e.created_at, h.definition',
  counted: { counts: 'gas expenses', ofGroup: 'r.asset_id = g.a' },
  filters: {
    network_id: { counted: ofChain('a'), column: 'e.chain_id' },
    token_id: { counted: 'a', column: 'e.asset_id' },
  },
})
