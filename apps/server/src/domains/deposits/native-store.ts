import type { Transfer } from '@coffer/chains'
import { all, type Queryable, run, type Statements, toJson } from '../../kit/db.ts'

/**
 * An address that may receive native coin which blocks do not list. `block_number` is the block of the last check, null
 * before the first, when the whole balance counts as received. `balance` is the balance at that check, `seen` the sum
 * of native deposits in later blocks up to the block in question, `moved` what our own transactions in them gave less
 * what they took, and `surcharge` how much of their fees no root covers. `changed`: there are such; `unknown`: of one
 * it is not recorded what it moved.
 */
export type NativeWatch = Statements['native-watches']['row']

const watches = all(
  'native-watches',
  `select d.address, d.key_index, k.block_number, coalesce(k.balance, 0) as balance,
     (select coalesce(sum(amount), 0) from deposits x where x.chain_id = $1 and x.asset_id = $3 and x.to_address = d.address
        and x.merchant_id = d.merchant_id and x.state in ('seen', 'credited') and x.block_number > coalesce(k.block_number, -1)
        and x.block_number <= $4) as seen,
     o.moved, o.surcharge, o.n > 0 as changed, o.unknown
   from deposit_addresses d left join native_checks k on k.chain_id = $1 and k.address = d.address
   cross join lateral (
     select coalesce(sum(coin), 0) as moved, coalesce(sum(surcharge), 0) as surcharge, count(*) as n, count(*) > count(coin) as unknown from own_transactions o
     where o.chain_id = $1 and o.address = d.address and o.settled_block > coalesce(k.block_number, -1) and o.settled_block <= $4
   ) o
   where d.chain_kind = $2 and d.leased_for is distinct from 'token' and (d.purpose = 'fixed' or exists (
       select from payments p where p.merchant_id = d.merchant_id and p.trade_no = d.trade_no and p.asset_id = $3
         and p.expire_at >= $5))
     and not exists (select from own_transactions o where o.chain_id = $1 and o.address = d.address and o.settled_block is null
       and coalesce(o.absent_to, -1) < $4)
     and not exists (select from deposits x where x.chain_id = $1 and x.asset_id = $3 and x.to_address = d.address
       and x.merchant_id = d.merchant_id and x.doubted)
     and (k.block_number is null or k.block_number < $4)
   order by d.key_index`,
)

/**
 * Addresses of native-coin payments that expire at or after `since`, and fixed addresses, with their state up to a
 * block. Excluded are addresses with an own transaction that may be in a block and is not settled, and addresses with a
 * doubted deposit, since their expected balance is unknown.
 */
export const listNativeWatches = (
  c: Queryable,
  of: { chainId: string; kind: string; assetId: string; block: number; since: number },
) => watches(c, of.chainId, of.kind, of.assetId, of.block, of.since)

const changed = all(
  'native-changed',
  `select to_address as address from deposits
   where chain_id = $1 and asset_id = $2 and block_number between $3 and $4 and state in ('seen', 'credited') and to_address = any($5)
   union select address from own_transactions
   where chain_id = $1 and address = any($5)
     and (settled_block between $3 and $4 or settled_block is null and coalesce(absent_to, -1) < $4)`,
)

/**
 * Those of the addresses that have native deposits in these blocks, or transactions of ours that are or may be in them.
 */
export const listChangedNativeAddresses = async (
  c: Queryable,
  of: { chainId: string; assetId: string; from: number; to: number; addresses: readonly string[] },
) => (await changed(c, of.chainId, of.assetId, of.from, of.to, [...of.addresses])).map(row => row.address)

const writeChecks = run(
  'native-checks',
  `insert into native_checks as k (chain_id, address, block_number, balance)
   select $1, address, $2, balance from json_to_recordset($3::json) as r (address text, balance numeric)
   on conflict (chain_id, address) do update set block_number = excluded.block_number, balance = excluded.balance
     where k.block_number < excluded.block_number`,
)

/** Saves the balances of addresses at a block. */
export const writeNativeChecks = (
  c: Queryable,
  chainId: string,
  block: number,
  checks: readonly { address: string; balance: bigint }[],
) => {
  return writeChecks(c, chainId, block, toJson(checks))
}

/**
 * Deletes checks at blocks above a height, which the chain has left, and what is expected of wallets by transactions in
 * them.
 */
export const deleteNativeChecksAbove = run(
  'native-checks-forget',
  `with wallets as (
     delete from wallet_coin where chain_id = $1 and greatest(compared_to, settled_block) > $2
   )
   delete from native_checks where chain_id = $1 and block_number > $2`,
)

const noteOwn = run(
  'own-transfers-note',
  `insert into own_transactions (chain_id, txid, address, settled_block, coin, created_at)
   select $1, txid, "to", "blockNumber", sum(amount), $3 from json_to_recordset($2::json) as r (txid text, "to" text, "blockNumber" bigint, amount numeric)
   group by txid, "to", "blockNumber" on conflict do nothing`,
)

/**
 * Notes final transfers of native coin from one of our addresses to another, so that the balance is expected and not
 * found as a deposit.
 */
export const recordOwnTransfers = async (c: Queryable, chainId: string, transfers: readonly Transfer[], now: number) =>
  transfers.length > 0 ? noteOwn(c, chainId, toJson(transfers), now) : 0
