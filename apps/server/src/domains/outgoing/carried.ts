import { all, count } from '../../kit/db.ts'

/** Finds items that a transaction carried which ended without paying them. */
export const findUnpaidEndedItems = all(
  'outgoing-items-ended',
  `select distinct i.owner, i.merchant_id, i.owner_id
   from json_to_recordset($1::json) as r (owner text, merchant_id text, owner_id text)
   join outgoing_items i on i.owner = r.owner and i.merchant_id = r.merchant_id and i.owner_id = r.owner_id and not i.live`,
)

/** Reads the transactions that carried a payout, the first one first. */
export const listPayoutTransactions = all(
  'outgoing-of-payout',
  `select o.txid, o.state, o.outcome, o.fee, o.updated_at from outgoing_items i
   join outgoing o on o.chain_id = i.chain_id and o.from_address = i.from_address and o.nonce = i.nonce
   where i.owner = $1 and i.merchant_id = $2 and i.owner_id = $3 and (i.live or not i.live)
   order by o.created_at, o.nonce`,
)

/** Reads the transactions that operators have named as those that paid a payout, the first one first. */
export const listFoundTransactions = all(
  'found-of-payout',
  `select txid, fee, coalesce(undone_at, created_at) as updated_at, undone_at is not null as undone from found_payouts
   where owner = $1 and merchant_id = $2 and owner_id = $3 order by created_at, id`,
)

/** Counts transactions that reverted with what this one carries too. */
export const countEarlierReverts = count(
  'outgoing-reverted-before',
  `select count(*) as n from outgoing_items i
   join outgoing_items e on e.owner = i.owner and e.merchant_id = i.merchant_id and e.owner_id = i.owner_id
   join outgoing o on o.chain_id = e.chain_id and o.from_address = e.from_address and o.nonce = e.nonce
   where i.chain_id = $1 and i.from_address = $2 and i.nonce = $3 and o.outcome = 'reverted'
     and (e.from_address, e.nonce) is distinct from ($2, $3)`,
)
