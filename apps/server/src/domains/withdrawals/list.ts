import { kindNames, kinds } from '@coffer/chains'
import type { ParsedQuery } from '@coffer/contract'
import { endOfTime } from '@coffer/contract/limits.ts'
import { countedList } from '../../kit/counted-list.ts'
import { all, first, type Queryable, type Statements, variants } from '../../kit/db.ts'
import type { Page } from '../../kit/list.ts'

export type WithdrawalFilter = Omit<ParsedQuery<'GET /api/v1/account/withdrawal-list'>, 'current' | 'pageSize'>

/** A withdrawal with the names that are shown with it. */
export type WithdrawalRow = Statements['withdrawals-list']['row']

const columns = `w.merchant_id, w.id, w.out_no, w.appid, p.name as apply_name, w.status, w.asset_id, w.to_address, w.amount, w.fee,
  w.gas, w.receives, w.usdt_value, w.rate, w.policy, w.approved_by, w.approved_at, w.reason, w.remark, w.txid, w.out_nonce,
  w.created_at, w.updated_at, a.symbol as token, a.decimals, h.definition`
const tables = `withdrawals w join assets a on a.id = w.asset_id join chains h on h.id = w.chain_id
  left join applications p on p.merchant_id = w.merchant_id and p.appid = w.appid`

const counted = countedList({
  name: 'withdrawals',
  table: 'withdrawals',
  ofGroup: 'r.status = g.a::int and r.asset_id = g.b and r.appid = g.c',
  filters: {
    status: value => `a = ${value}`,
    network_id: value => `b in (select id from assets where chain_id = ${value})`,
    token_id: value => `b = ${value}`,
    appid: value => `c = ${value}`,
  },
})
const pageIds = variants('withdrawals-page', counted.textOf, counted.described)
const byIds = all(
  'withdrawals-list',
  `select ${columns} from ${tables} where w.merchant_id = $1 and w.id = any($2) order by w.created_at desc, w.id desc`,
)

/** At most as many withdrawals of one transaction, address or number are listed. */
const fewMax = 1_000
const few = all(
  'withdrawals-few',
  `select ${columns} from ${tables}
   where w.merchant_id = $1 and ($2::text is null or w.id = $2) and ($3::text[] is null or w.txid = any($3))
     and ($4::text[] is null or w.to_address = any($4)) and ($5::int is null or w.status = $5)
     and ($6::text is null or w.chain_id = $6) and ($7::text is null or w.asset_id = $7)
     and ($8::text is null or w.appid = $8) and ($9::bigint is null or w.created_at >= $9)
     and ($10::bigint is null or w.created_at <= $10)
   order by w.created_at desc, w.id desc limit ${fewMax}`,
)

/** Reads a page of a merchant's withdrawals, newest first, with the total. */
export async function listWithdrawals(c: Queryable, merchantId: string, filter: WithdrawalFilter, page: Page) {
  const { status, network_id, token_id, appid, id, txid, address, start_time, end_time } = filter
  if (id !== undefined || txid !== undefined || address !== undefined) {
    const stored = address === undefined ? undefined : storedForms(address)
    const rows = await few(
      c,
      merchantId,
      id,
      txidForms(txid),
      stored,
      status,
      network_id,
      token_id,
      appid,
      start_time,
      end_time,
    )
    return { total: rows.length, rows: rows.slice(page.offset, page.offset + page.limit) }
  }
  const groups = { status: status?.toString(), network_id, token_id, appid }
  const { kind, values } = counted.request(merchantId, groups, filter, page)
  const [found] = await pageIds(c, kind, ...values)
  return { total: found!.total, rows: await byIds(c, merchantId, found!.ids.slice(0, page.limit)) }
}

const ofAnybody = `select ${columns}, w.events, (select mchid from merchants m where m.id = w.merchant_id) as mchid from ${tables}`

/** Reads a withdrawal of any merchant with the merchant's number, for the operator. */
export const readAnyWithdrawal = first('withdrawal-any', `${ofAnybody} where w.id = $1`)

/** Reads the 200 oldest withdrawals of all merchants in some states, oldest first. */
export const withdrawalsInStates = all(
  'withdrawals-in-states',
  `${ofAnybody} where w.status = any($1::int[]) order by w.created_at, w.id limit 200`,
)

/** Reads the 10 newest withdrawals of a merchant, for the operator. */
export const newestOfMerchant = all(
  'withdrawals-of-merchant',
  `${ofAnybody} where w.merchant_id = $1 order by w.created_at desc, w.id desc limit 10`,
)
/** Reads the 10 newest withdrawals of all merchants to an address. */
export const newestToAddress = all(
  'withdrawals-to-address',
  `${ofAnybody} where w.to_address = $1 order by w.created_at desc limit 10`,
)

const next = all(
  'withdrawals-next',
  `select ${columns} from ${tables}
   where w.merchant_id = $1 and ($3::int is null or w.status = $3) and ($4::text is null or w.chain_id = $4)
     and ($5::text is null or w.asset_id = $5) and ($6::text is null or w.appid = $6)
     and ($7::text is null or w.id = $7) and ($8::text[] is null or w.txid = any($8))
     and ($9::text[] is null or w.to_address = any($9)) and w.created_at >= $10 and (w.created_at, w.id) < ($11, $12)
   order by w.created_at desc, w.id desc limit $2`,
)

/** Reads the next withdrawals that match a filter, newest first, after the given one (undefined: from the start). */
export function nextWithdrawals(
  c: Queryable,
  merchantId: string,
  filter: WithdrawalFilter,
  after: Pick<WithdrawalRow, 'created_at' | 'id'> | undefined,
  limit: number,
): Promise<WithdrawalRow[]> {
  const { status, network_id, token_id, appid, id, txid, address, start_time = 0, end_time = endOfTime } = filter
  const [txids, stored] = [txidForms(txid), address === undefined ? undefined : storedForms(address)]
  const place = after ?? { created_at: end_time + 1, id: '' }
  const given = [status, network_id, token_id, appid, id, txids, stored] as const
  return next(c, merchantId, limit, ...given, start_time, place.created_at, place.id)
}

const txidForms = (txid: string | undefined) =>
  txid === undefined ? undefined : [txid, `0x${txid.replace(/^0x/, '').toLowerCase()}`]

/** Reads one withdrawal of a merchant. Within a transaction, includes that transaction's own writes. */
export const readWithdrawal = async (
  c: Queryable,
  merchantId: string,
  id: string,
): Promise<WithdrawalRow | undefined> => (await byIds(c, merchantId, [id]))[0]

/** The stored forms of a text in every kind of address. */
const storedForms = (text: string) => kindNames.flatMap(kind => kinds[kind].address.parse(text.trim()) ?? [])
