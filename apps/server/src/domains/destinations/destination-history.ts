import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { all, type Queryable, type Statements } from '../../kit/db.ts'

/**
 * What a merchant knows of an address in the stored form: its name in the address book and since when it is there (null
 * if it is not), and the withdrawals that arrived there.
 */
export type DestinationHistory = Statements['destination-history']['row']

const read = all(
  'destination-history',
  `select d.chain_id, d.address, b.label, b.created_at as known_at, w.paid, w.value, w.last_at
   from unnest($2::text[], $3::text[]) as d (chain_id, address)
   left join address_book b on b.merchant_id = $1 and b.chain_id = d.chain_id and b.address = d.address and b.deleted_at is null
   cross join lateral (
     select count(*) as paid, coalesce(sum(usdt_value), 0) as value, max(created_at) as last_at from withdrawals
     where merchant_id = $1 and to_address = d.address and chain_id = d.chain_id and status = ${withdrawalStatus.accomplished}
       and origin <> 'return'
   ) w`,
)

/** Reads what a merchant knows of some addresses. */
export const readDestinationHistories = (
  c: Queryable,
  merchantId: string,
  of: readonly { chainId: string; address: string }[],
): Promise<DestinationHistory[]> =>
  read(
    c,
    merchantId,
    of.map(each => each.chainId),
    of.map(each => each.address),
  )
