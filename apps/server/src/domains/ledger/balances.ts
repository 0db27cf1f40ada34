import { all } from '../../kit/db.ts'

/** What a merchant has of each asset, open ones that it never had included. */
export const readBalances = all(
  'balances-read',
  `select a.id as asset_id, a.symbol as token, a.decimals, h.definition ->> 'name' as chain, h.id as chain_id,
     coalesce(max(l.balance) filter (where l.part = 'available'), 0)::text as available,
     coalesce(max(l.balance) filter (where l.part = 'held'), 0)::text as held
   from assets a join chains h on h.id = a.chain_id
   left join ledger_accounts l on l.asset_id = a.id and l.merchant_id = $1
   where (a.enabled and h.enabled) or l.balance > 0
   group by a.id, h.id order by h.id, a.symbol`,
)
