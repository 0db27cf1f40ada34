import { one, type Queryable, q } from '../../kit/db.ts'

/** Seconds after which no transaction can still write a posting of an earlier moment. */
const settled = 3600

/** What the ledger says of an asset, in base units. */
export interface LedgerTotals {
  /** What the chain should hold for us. */
  chain: bigint
  /** What merchants have reserved: money of withdrawals that may have left the chain already. */
  held: bigint
}

/**
 * Sums the ledger of an asset, from the last checkpoint on, and moves the checkpoint. One that lies ahead was made by a
 * clock that has been set back since: postings of before it may be missing in it, so all is summed again.
 */
export async function ledgerTotals(c: Queryable, assetId: string, now: number): Promise<LedgerTotals> {
  const sum = `coalesce(sum(case when p.debit_account = 'house/chain/' || p.asset_id then p.amount else -p.amount end), 0)`
  const row = (await one<{ chain: string; early: string; held: string }>(
    c,
    'reconcile-ledger',
    `with start as (
       select coalesce(max(before), 0) as before, coalesce(max(chain), 0) as chain from ledger_checkpoints
       where asset_id = $1 and before <= $3
     ), later as (
       select ${sum} as chain, coalesce(sum(case when p.created_at >= $2 then 0
         when p.debit_account = 'house/chain/' || p.asset_id then p.amount else -p.amount end), 0) as early
       from ledger_postings p, start where p.asset_id = $1 and p.created_at >= start.before
         and 'house/chain/' || p.asset_id in (p.debit_account, p.credit_account)
     )
     select start.chain + later.chain as chain, start.chain + later.early as early,
       (select coalesce(sum(balance), 0) from ledger_accounts where asset_id = $1 and part = 'held') as held
     from start, later`,
    [assetId, now - settled, now],
  ))!
  await q(
    c,
    'reconcile-checkpoint',
    `insert into ledger_checkpoints as k (asset_id, before, chain) values ($1, $2, $3)
     on conflict (asset_id) do update set before = excluded.before, chain = excluded.chain
       where k.before < excluded.before or k.before > $4`,
    [assetId, now - settled, row.early, now],
  )
  return { chain: BigInt(row.chain), held: BigInt(row.held) }
}

/** Where an asset of ours can be: addresses that received it, and those of the house. */
export async function addressesHolding(
  c: Queryable,
  chainId: string,
  kind: string,
  assetId: string,
): Promise<string[]> {
  const rows = await q<{ address: string }>(
    c,
    'reconcile-addresses',
    `select to_address as address from deposits where chain_id = $1 and asset_id = $3 and state in ('credited', 'seen', 'undone')
     union select address from house_addresses where chain_kind = $2`,
    [chainId, kind, assetId],
  )
  return rows.map(row => row.address)
}

/** Whether there is an incident of this kind on the chain that nobody has dealt with. */
export const openIncident = (c: Queryable, chainId: string, kind: string, assetId: string) =>
  one<{ id: string }>(
    c,
    'incident-open',
    `select id from incidents where chain_id = $1 and kind = $2 and detail ->> 'asset_id' = $3 and resolved_at is null limit 1`,
    [chainId, kind, assetId],
  )

/** An address on which native coin may come in unseen, and what it is known to hold. */
export interface NativeWatch {
  address: string
  key_index: number
  /** The last check; null before the first: then everything it holds has come in. */
  block_number: number | null
  balance: string
  /** Native deposits seen in blocks after that check and up to the block in question. */
  seen: string
  /** Our own transactions changed the balance since that check. */
  stale: boolean
}

/**
 * Addresses of payments in native coin that ended after `since`, and fixed ones, with what is known of each up to a block.
 * Those that our own transactions are under way for are left out until they are final, and those with a credit in doubt until
 * a person has decided: nobody knows yet what they should hold.
 */
export const nativeWatches = (
  c: Queryable,
  of: { chainId: string; kind: string; assetId: string; block: number; since: number },
) =>
  q<NativeWatch>(
    c,
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
    [of.chainId, of.kind, of.assetId, of.block, of.since],
  )

/** Addresses that were seen to receive native coin in these blocks. */
export async function nativeReceivers(
  c: Queryable,
  of: { chainId: string; assetId: string; from: number; to: number },
): Promise<string[]> {
  const rows = await q<{ address: string }>(
    c,
    'native-receivers',
    `select distinct to_address as address from deposits
     where chain_id = $1 and asset_id = $2 and block_number between $3 and $4 and state in ('seen', 'credited')`,
    [of.chainId, of.assetId, of.from, of.to],
  )
  return rows.map(row => row.address)
}

/** Keeps what addresses held in a block. */
export const writeNativeChecks = (
  c: Queryable,
  chainId: string,
  block: number,
  checks: readonly { address: string; balance: bigint }[],
) =>
  q(
    c,
    'native-checks',
    `insert into native_checks as k (chain_id, address, block_number, balance)
     select $1, address, $2, balance from json_to_recordset($3::json) as r (address text, balance numeric)
     on conflict (chain_id, address) do update set block_number = excluded.block_number, balance = excluded.balance
       where k.block_number < excluded.block_number`,
    [chainId, block, JSON.stringify(checks.map(({ address, balance }) => ({ address, balance: String(balance) })))],
  )

/** Forgets what addresses held in blocks above a height, which the chain has left. */
export const forgetNativeChecks = (c: Queryable, chainId: string, height: number) =>
  q(c, 'native-checks-forget', 'delete from native_checks where chain_id = $1 and block_number > $2', [chainId, height])
