import { all, first, run } from '../../kit/db.ts'

/** Lets payouts that one transaction may have paid be settled one after the other. */
export const lockFoundTransaction = run(
  'found-turn',
  `select pg_advisory_xact_lock(hashtext('found payout'), hashtext($1 || ' ' || $2))`,
)

/** Whether this database signed a transaction. */
export const isSignedHere = first(
  'found-signed',
  'select exists (select from outgoing_attempts where chain_id = $1 and txid = $2) as yes',
)

/** Reads what operators said that a transaction has paid, also what a deep reorg undid. */
export const listFoundPayoutsOf = all(
  'found-of-transaction',
  `select place, owner_id, undone_at is not null as undone, lost_at is not null and undone_at is null as lost from found_payouts where chain_id = $1 and txid = $2`,
)

export const insertFoundPayout = run(
  'found-insert',
  `insert into found_payouts (id, chain_id, txid, place, from_address, owner, merchant_id, owner_id, seq, amount,
     block_number, block_hash, fee, who, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
)

/** Notes that the chain has left the blocks above a height ($2), with what operators said that was paid in them. */
export const markFoundPayoutsLost = run(
  'found-lose',
  'update found_payouts set lost_at = $3 where chain_id = $1 and block_number > $2 and undone_at is null',
)

/** Reads the transactions of a chain that are lost, and what they had paid. */
export const listLostFoundPayouts = all(
  'found-lost',
  `select id, txid, from_address, owner, merchant_id, owner_id, amount, fee from found_payouts
   where chain_id = $1 and lost_at is not null and undone_at is null order by txid, place`,
)

/** Ends what a lost transaction had settled. Returns how many did not end before. */
export const setFoundPayoutsUndone = run(
  'found-undo',
  'update found_payouts set undone_at = $2 where id = any($1) and undone_at is null',
)
