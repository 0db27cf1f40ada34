import { all, run } from '../../kit/db.ts'

/**
 * Records a transaction from or to a deposit address before it is broadcast, so that it does not count as a deposit.
 */
export const insertOwnTransaction = run(
  'own-transaction-note',
  'insert into own_transactions (chain_id, txid, address, created_at) values ($1, $2, $3, $4) on conflict do nothing',
)

/**
 * Ends the notes of a nonce: the transaction in the block is final, and those it replaced are forgotten. $6 is what it
 * changed the native balance of its deposit address by, $7 how much of its fee no root covers.
 */
export const settleOwnTransactions = run(
  'own-transaction-settle',
  `with replaced as (
     delete from own_transactions o using outgoing_attempts a where a.chain_id = $1 and a.from_address = $2 and a.nonce = $3
       and a.txid <> $4 and o.chain_id = a.chain_id and o.txid = a.txid
   )
   update own_transactions set settled_block = $5, coin = $6, surcharge = $7, absent_to = null where chain_id = $1 and txid = $4`,
)

/**
 * Notes that the chain has left the blocks above a height ($2): what was settled in them is in none up to there, nor is
 * what it had replaced. Transfers that we did not send are forgotten until they are read again.
 */
export const markOwnTransactionsLost = run(
  'own-transactions-lose',
  `with lost as (
     select * from own_transactions where chain_id = $1 and settled_block > $2
   ), read as (
     delete from own_transactions o using lost l where o.chain_id = l.chain_id and o.txid = l.txid and o.address = l.address
       and not exists (select from outgoing_attempts a where a.chain_id = l.chain_id and a.txid = l.txid)
   ), still as (
     update own_transactions set absent_to = $2 where chain_id = $1 and absent_to > $2
   )
   insert into own_transactions (chain_id, txid, address, absent_to, created_at)
   select n.chain_id, n.txid, l.address, $2, n.created_at
   from lost l join outgoing_attempts a on a.chain_id = l.chain_id and a.txid = l.txid
   join outgoing_attempts n on n.chain_id = a.chain_id and n.from_address = a.from_address and n.nonce = a.nonce
   on conflict (chain_id, txid, address) do update set settled_block = null, coin = null, surcharge = 0, absent_to = excluded.absent_to`,
)

/** Transactions read at once by `listLostOwnTransactions`. */
const batchSize = 200

/** Reads the transactions of a chain that are lost, or void, of which a note is not settled. */
export const listLostOwnTransactions = all(
  'own-transactions-lost',
  `select distinct g.from_address, g.nonce
   from own_transactions o join outgoing_attempts a on a.chain_id = o.chain_id and a.txid = o.txid
   join outgoing g on g.chain_id = a.chain_id and g.from_address = a.from_address and g.nonce = a.nonce
   where o.chain_id = $1 and o.settled_block is null and (o.absent_to is not null or g.state = 'void')
   order by g.from_address, g.nonce limit ${batchSize}`,
)

/** Reads what was signed for a nonce, in the order of signing. */
export const listOutgoingAttempts = all(
  'outgoing-attempts-of',
  `select chain_id, from_address, nonce, attempt, kind, raw, txid, gas, max_fee, max_tip, expires, created_at, broadcasts, broadcast_at
   from outgoing_attempts where chain_id = $1 and from_address = $2 and nonce = $3 order by attempt`,
)

/** Notes of transactions that they are in no block up to a height. */
export const setOwnTransactionsAbsent = run(
  'own-transactions-absent',
  'update own_transactions set absent_to = $3 where chain_id = $1 and txid = any($2) and settled_block is null',
)

/** Forgets transactions that can be in no block any more. */
export const deleteOwnTransactions = run(
  'own-transactions-forget',
  'delete from own_transactions where chain_id = $1 and txid = any($2) and settled_block is null',
)
