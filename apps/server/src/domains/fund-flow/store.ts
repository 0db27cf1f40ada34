import { all, count } from '../../kit/db.ts'

const mine = `$1 || '/available/' || l.asset_id`
// Postings that change an available balance; those between held and the house do not concern the merchant.
const postings = `l.merchant_id = $1 and (l.debit_account = ${mine} or l.credit_account = ${mine})
  and ($2::text is null or l.kind = $2) and ($3::text is null or a.chain_id = $3) and ($4::text is null or l.asset_id = $4)
  and ($5::bigint is null or l.created_at >= $5) and ($6::bigint is null or l.created_at <= $6)`

/** Reads a page of postings of a merchant ($1) of a kind, chain, asset and inclusive time range, newest first. */
export const listFundFlow = all(
  'fund-flow-page',
  `select l.id, l.kind, l.credit_account = ${mine} as incoming, l.amount,
     case when l.credit_account = ${mine} then l.credit_after else l.debit_after end as balance,
     g.memo, l.created_at, a.symbol as token, a.decimals, h.definition
   from ledger_postings l join assets a on a.id = l.asset_id join chains h on h.id = a.chain_id
   join ledger_groups g on g.id = l.group_id
   where ${postings} order by l.created_at desc, l.id desc limit $7 offset $8`,
)
export const countFundFlow = count(
  'fund-flow-count',
  `select count(*) as n from ledger_postings l join assets a on a.id = l.asset_id where ${postings}`,
)

const gas = `e.merchant_id = $1 and ($2::text is null or e.chain_id = $2) and ($3::text is null or e.asset_id = $3)
  and ($4::bigint is null or e.created_at >= $4) and ($5::bigint is null or e.created_at <= $5)`

/** Reads a page of the gas that sweeps cost a merchant ($1), by chain, asset and inclusive time range, newest first. */
export const listGasExpenses = all(
  'gas-expenses-page',
  `select e.id, a.symbol as token, a.decimals, e.amount, e.txid, e.created_at, h.definition
   from gas_expenses e join assets a on a.id = e.asset_id join chains h on h.id = e.chain_id
   where ${gas} order by e.created_at desc, e.id desc limit $6 offset $7`,
)
export const countGasExpenses = count('gas-expenses-count', `select count(*) as n from gas_expenses e where ${gas}`)
