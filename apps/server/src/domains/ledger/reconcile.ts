import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'

/** Seconds after which no transaction can still write a posting of an earlier moment. */
const settled = 3600

/** What the ledger says of an asset, in base units. */
export interface LedgerTotals {
  /** What the chain should hold for us. */
  chain: bigint
  /** What merchants have reserved: money of withdrawals that may have left the chain already. */
  held: bigint
}

const sum = `coalesce(sum(case when p.debit_account = 'house/chain/' || p.asset_id then p.amount else -p.amount end), 0)`
const readTotals = first(
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
)
const moveCheckpoint = run(
  'reconcile-checkpoint',
  `insert into ledger_checkpoints as k (asset_id, before, chain) values ($1, $2, $3)
   on conflict (asset_id) do update set before = excluded.before, chain = excluded.chain
     where k.before < excluded.before or k.before > $4`,
)

/**
 * Sums the ledger of an asset, from the last checkpoint on, and moves the checkpoint. One that lies ahead was made by a
 * clock that has been set back since: postings of before it may be missing in it, so all is summed again.
 */
export async function ledgerTotals(c: Queryable, assetId: string, now: number): Promise<LedgerTotals> {
  const row = (await readTotals(c, assetId, now - settled, now))!
  await moveCheckpoint(c, assetId, now - settled, row.early, now)
  return { chain: BigInt(row.chain), held: BigInt(row.held) }
}

const holding = all(
  'reconcile-addresses',
  `select to_address as address from deposits where chain_id = $1 and asset_id = $3 and state in ('credited', 'seen', 'undone')
   union select address from house_addresses where chain_kind = $2`,
)

/** Where an asset of ours can be: addresses that received it, and those of the house. */
export const addressesHolding = async (c: Queryable, chainId: string, kind: string, assetId: string) =>
  (await holding(c, chainId, kind, assetId)).map(row => row.address)

/** An incident of a kind on a chain that is about an asset and that nobody has dealt with. */
export const openIncident = first(
  'incident-open',
  `select id from incidents where chain_id = $1 and kind = $2 and detail ->> 'asset_id' = $3 and resolved_at is null limit 1`,
)

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
