import { all, first, type Queryable } from '../../kit/db.ts'

const list = all(
  'fixed-addresses-page',
  `select f.id, f.address, f.created_at, h.definition,
     array(select a.symbol from assets a where a.chain_id = f.chain_id and a.enabled order by a.symbol) as tokens,
     (select coalesce(sum(d.usdt_amount), 0)::text from deposits d where d.merchant_id = f.merchant_id
        and d.to_address = f.address and d.chain_id = f.chain_id and d.kind = 'recharge' and d.state = 'credited') as received_usdt
   from fixed_addresses f join chains h on h.id = f.chain_id
   where f.merchant_id = $1 order by f.created_at desc, f.id desc limit $2 offset $3`,
)
const count = first('fixed-addresses-count', 'select count(*) as n from fixed_addresses where merchant_id = $1')

/** A page of the merchant's fixed addresses, newest first, with what came to each on its chain, and how many there are. */
export const pageFixedAddresses = async (
  c: Queryable,
  merchantId: string,
  { limit, offset }: { limit: number; offset: number },
) => ({ rows: await list(c, merchantId, limit, offset), total: (await count(c, merchantId))!.n })
