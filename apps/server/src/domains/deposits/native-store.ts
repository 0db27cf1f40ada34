import { all, type Queryable, run, type Statements } from '../../kit/db.ts'

/**
 * An address on which native coin may come in unseen. `block_number` is that of the last check, null before the first: then
 * everything it holds has come in; `balance` is what it held then, `seen` what native deposits brought in later blocks up
 * to the one in question. `stale`: our own transactions changed the balance since that check.
 */
export type NativeWatch = Statements['native-watches']['row']

const watches = all(
  'native-watches',
  `select d.address, d.key_index, k.block_number, coalesce(k.balance, 0) as balance,
     (select coalesce(sum(amount), 0) from deposits x where x.chain_id = $1 and x.asset_id = $3 and x.to_address = d.address
        and x.merchant_id = d.merchant_id and x.state in ('seen', 'credited') and x.block_number > coalesce(k.block_number, -1)
        and x.block_number <= $4) as seen,
     exists (select from own_transactions o where o.chain_id = $1 and o.address = d.address
        and o.settled_block > coalesce(k.block_number, -1)) as stale
   from deposit_addresses d left join native_checks k on k.chain_id = $1 and k.address = d.address
   where d.chain_kind = $2 and (d.purpose = 'fixed' or exists (
       select from payments p where p.merchant_id = d.merchant_id and p.trade_no = d.trade_no and p.asset_id = $3
         and p.expire_at >= $5))
     and not exists (select from own_transactions o where o.chain_id = $1 and o.address = d.address and o.settled_block is null)
     and not exists (select from deposits x where x.chain_id = $1 and x.asset_id = $3 and x.to_address = d.address
       and x.merchant_id = d.merchant_id and x.doubted)
     and (k.block_number is null or k.block_number < $4)
   order by d.key_index`,
)

/**
 * Addresses of payments in native coin that ended after `since`, and fixed ones, with what is known of each up to a block.
 * Those that our own transactions are under way for are left out until they are final, and those with a credit in doubt until
 * a person has decided: nobody knows yet what they should hold.
 */
export const nativeWatches = (
  c: Queryable,
  of: { chainId: string; kind: string; assetId: string; block: number; since: number },
) => watches(c, of.chainId, of.kind, of.assetId, of.block, of.since)

const receivers = all(
  'native-receivers',
  `select distinct to_address as address from deposits
   where chain_id = $1 and asset_id = $2 and block_number between $3 and $4 and state in ('seen', 'credited')`,
)

/** Addresses that were seen to receive native coin in these blocks. */
export const nativeReceivers = async (
  c: Queryable,
  of: { chainId: string; assetId: string; from: number; to: number },
) => (await receivers(c, of.chainId, of.assetId, of.from, of.to)).map(row => row.address)

const writeChecks = run(
  'native-checks',
  `insert into native_checks as k (chain_id, address, block_number, balance)
   select $1, address, $2, balance from json_to_recordset($3::json) as r (address text, balance numeric)
   on conflict (chain_id, address) do update set block_number = excluded.block_number, balance = excluded.balance
     where k.block_number < excluded.block_number`,
)

/** Keeps what addresses held in a block. */
export const writeNativeChecks = (
  c: Queryable,
  chainId: string,
  block: number,
  checks: readonly { address: string; balance: bigint }[],
) => {
  const rows = checks.map(({ address, balance }) => ({ address, balance: String(balance) }))
  return writeChecks(c, chainId, block, JSON.stringify(rows))
}

/** Forgets what addresses held in blocks above a height, which the chain has left. */
export const forgetNativeChecks = run(
  'native-checks-forget',
  'delete from native_checks where chain_id = $1 and block_number > $2',
)
