import type { FundFlowType } from '@coffer/contract'
import { all, first, type Queryable } from '../../kit/db.ts'

/** Which movements. Both ends of the time range (unix seconds) belong to it. */
export interface FlowFilter {
  type?: FundFlowType | undefined
  network_id?: string | undefined
  token_id?: string | undefined
  start_time?: number | undefined
  end_time?: number | undefined
}

interface Page {
  limit: number
  offset: number
}

const mine = `$1 || '/available/' || l.asset_id`
/** Movements that change what is available; between held and the house nothing moves for the merchant. */
const moves = `l.merchant_id = $1 and (l.debit_account = ${mine} or l.credit_account = ${mine})
  and ($2::text is null or l.kind = $2) and ($3::text is null or a.chain_id = $3) and ($4::text is null or l.asset_id = $4)
  and ($5::bigint is null or l.created_at >= $5) and ($6::bigint is null or l.created_at <= $6)`

const flow = all(
  'fund-flow-page',
  `select l.id, l.kind, l.credit_account = ${mine} as incoming, l.amount,
     case when l.credit_account = ${mine} then l.credit_after else l.debit_after end as balance,
     g.memo, l.created_at, a.symbol as token, a.decimals, h.definition
   from ledger_postings l join assets a on a.id = l.asset_id join chains h on h.id = a.chain_id
   join ledger_groups g on g.id = l.group_id
   where ${moves} order by l.created_at desc, l.id desc limit $7 offset $8`,
)
const countFlow = first(
  'fund-flow-count',
  `select count(*) as n from ledger_postings l join assets a on a.id = l.asset_id where ${moves}`,
)

/** A page of the movements of a merchant's available balances, newest first, and how many there are. */
export async function pageFundFlow(c: Queryable, merchantId: string, filter: FlowFilter, { limit, offset }: Page) {
  const { type, network_id, token_id, start_time, end_time } = filter
  const values = [merchantId, type, network_id, token_id, start_time, end_time] as const
  return { rows: await flow(c, ...values, limit, offset), total: (await countFlow(c, ...values))!.n }
}

const gas = `e.merchant_id = $1 and ($2::text is null or e.chain_id = $2) and ($3::text is null or e.asset_id = $3)
  and ($4::bigint is null or e.created_at >= $4) and ($5::bigint is null or e.created_at <= $5)`
const expenses = all(
  'gas-expenses-page',
  `select e.id, a.symbol as token, a.decimals, e.amount, e.txid, e.created_at, h.definition
   from gas_expenses e join assets a on a.id = e.asset_id join chains h on h.id = e.chain_id
   where ${gas} order by e.created_at desc, e.id desc limit $6 offset $7`,
)
const countExpenses = first('gas-expenses-count', `select count(*) as n from gas_expenses e where ${gas}`)

/** A page of the gas that bringing deposits together has cost, newest first, and how many rows there are. */
export async function pageGasExpenses(
  c: Queryable,
  merchantId: string,
  filter: Omit<FlowFilter, 'type'>,
  { limit, offset }: Page,
) {
  const { network_id, token_id, start_time, end_time } = filter
  const values = [merchantId, network_id, token_id, start_time, end_time] as const
  return { rows: await expenses(c, ...values, limit, offset), total: (await countExpenses(c, ...values))!.n }
}
