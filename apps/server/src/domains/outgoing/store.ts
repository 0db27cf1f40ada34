import type { ChainDefinition } from '@coffer/chains'
import { parseBaseUnits } from '@coffer/core'
import { copySwitch } from '../../kit/copy-switch.ts'
import { all, first, type Queryable, run, type Statements, toJson } from '../../kit/db.ts'
import type { OutgoingId, OutgoingItem, OwnerKind } from '../../owner.ts'
import type { SignRequest } from '../../signer/protocol.ts'

type EvmTerms = 'gas' | 'maxFeePerGas' | 'maxPriorityFeePerGas'
type TronTerms = 'refBlock' | 'timestamp' | 'expiration' | 'feeLimit'
type Terms = 'chain' | 'nonce' | EvmTerms | TronTerms

/**
 * What a transaction does: a request to the signer without its nonce, fees and expiration. It never changes under a
 * nonce.
 */
export type TransactionIntent = SignRequest extends infer Request
  ? Request extends SignRequest
    ? Omit<Request, Terms>
    : never
  : never

/** The native coin that an intent sends, without fees. */
export const computeSentNativeCoin = (intent: TransactionIntent): bigint =>
  intent.token === null && 'amount' in intent ? parseBaseUnits(intent.amount) : 0n

export type Wallet = Statements['wallet-of-role']['row']
/** A transaction that is not final yet, with its wallet. */
export type OpenOutgoing = Statements['outgoing-open']['row']
export type OutgoingAttempt = Statements['outgoing-attempts']['row']

const wallet = 'chain_id, address, role, key_index, next_nonce, halted, emptying_since, waits, waits_since'

/** Reads the wallet that has a role on a chain; not for deposit addresses. */
export const walletOfRole = first('wallet-of-role', `select ${wallet} from wallets where chain_id = $1 and role = $2`)

/** Reads all wallets but deposit addresses. */
export const readWallets = all(
  'wallets-all',
  `select ${wallet} from wallets where role <> 'deposit' order by chain_id, role`,
)

/**
 * Counts transactions that are not final, by wallet and state, with the oldest; those that wait for something are
 * listed by themselves.
 */
export const countPendingTransactions = all(
  'wallets-under-way',
  `select chain_id, from_address, state, waits, min(nonce) as nonce, count(*) as n,
     min(coalesce(reopened_at, created_at)) as since, min(updated_at) as changed from outgoing
   where state in ('assigned', 'sent', 'in_block') group by chain_id, from_address, state, waits
   order by chain_id, from_address, min(nonce)`,
)

export const insertWallet = run(
  'wallet-insert',
  `with house as (
     insert into house_addresses (chain_kind, address, purpose, created_at) select $3, $2, $4 || ' wallet', $7 where $4 <> 'deposit'
     on conflict do nothing
   )
   insert into wallets (chain_id, address, role, key_index, next_nonce, created_at) values ($1, $2, $4, $5, $6, $7)
   on conflict do nothing`,
)

/** Stores a treasury as an address of ours. */
export const insertHouse = run(
  'treasury-insert',
  `insert into house_addresses (chain_kind, address, purpose, created_at) values ($1, $2, 'treasury', $3) on conflict do nothing`,
)

/** Reads which treasury was last named for a chain; undefined before one or none was noted. */
export const readTreasury = first('treasury-read', 'select address from treasuries where chain_id = $1')
export const insertTreasury = run(
  'treasury-note',
  'insert into treasuries (chain_id, address) values ($1, $2) on conflict do nothing',
)
/** Returns how many changed: none when another process noted the same. */
export const setTreasury = run(
  'treasury-set',
  'update treasuries set address = $2 where chain_id = $1 and address is distinct from $2',
)

/** Whether the key of an address is with the signer: that of a wallet, or a deposit address that was given out. */
export const isSpendable = first(
  'address-spendable',
  `select exists (select from deposit_addresses where chain_kind = $1 and address = $2)
     or exists (select from house_addresses where chain_kind = $1 and address = $2 and purpose like '% wallet') as yes`,
)

/** Halts a wallet for a reason. Returns how many changed. */
export const setWalletHalted = run(
  'wallet-halt',
  'update wallets set halted = $3 where chain_id = $1 and address = $2 and halted is null',
)

/** Resumes the wallets of a chain. Returns how many were halted. */
export const resumeChainWallets = run(
  'wallets-resume',
  'update wallets set halted = null, emptying_since = null where chain_id = $1 and halted is not null',
)

/** Begins to move all that the hot wallet of a chain has to the treasury, until it is resumed. */
export const setHotWalletEmptying = run(
  'wallet-empty',
  `update wallets set emptying_since = coalesce(emptying_since, $2) where chain_id = $1 and role = 'hot'`,
)

/** Reads the newest moves to the treasury from hot wallets that are being emptied, newest first. */
export const readTreasuryMoves = all(
  'wallet-moves',
  `select w.chain_id, o.nonce, o.intent, o.state, o.outcome, coalesce(o.txid, a.txid) as txid, o.waits, o.created_at
   from wallets w cross join lateral (
     select * from outgoing where chain_id = w.chain_id and from_address = w.address order by nonce desc limit 50) o
   left join lateral (select txid from outgoing_attempts where chain_id = o.chain_id and from_address = o.from_address and nonce = o.nonce
     order by attempt desc limit 1) a on true
   where w.role = 'hot' and w.emptying_since is not null and o.created_at >= w.emptying_since and o.intent ->> 'kind' = 'sweep'
   order by w.chain_id, o.nonce desc`,
)

/** Raises the next nonce of a wallet to that of the chain: nonces below are used up. */
export const raiseNonce = run(
  'wallet-raise-nonce',
  'update wallets set next_nonce = $3 where chain_id = $1 and address = $2 and next_nonce < $3',
)

/**
 * Begins to watch the native coin of the wallets of a chain that is locked. Nothing is expected before the next final
 * block is compared.
 */
export const insertExpectedCoinBalance = run(
  'wallet-coin-begin',
  `insert into wallet_coin (chain_id, address, compared_to, settled_block)
   select w.chain_id, w.address, c.final_number, c.final_number from wallets w join chains c on c.id = w.chain_id
   where w.chain_id = $1 and w.role <> 'deposit' on conflict do nothing`,
)

/** Forgets what is expected of the native coin of the wallets of a chain. */
export const deleteExpectedCoinBalance = run('wallet-coin-forget', 'delete from wallet_coin where chain_id = $1')

/**
 * What is expected of the native coin of a wallet. `open`: the most that transactions under way may take, with twice
 * their fees.
 */
export type ExpectedCoinBalance = Statements['wallet-coin-lock']['row']

/** Reads what is expected of the native coin of a wallet, and locks it. */
export const lockExpectedCoinBalance = first(
  'wallet-coin-lock',
  `select k.expected, k.fees, k.compared_to, k.settled_block, k.agreed_block, k.agreed_time, (
     select coalesce(sum(t.value + 2 * t.fee), 0) from (
       select max(a.gas * a.max_fee) as fee, max(case when o.intent ->> 'token' is null and o.intent ->> 'kind' in ('transfer', 'gas', 'sweep')
         then (o.intent ->> 'amount')::numeric else 0 end) as value
       from outgoing o join outgoing_attempts a using (chain_id, from_address, nonce)
       where o.chain_id = $1 and o.from_address = $2 and o.state in ('sent', 'in_block') group by o.nonce
     ) t
   ) as open
   from wallet_coin k where k.chain_id = $1 and k.address = $2 for update of k`,
)

/** Stores what is expected of the native coin of a wallet after a comparison. */
export const setExpectedCoinBalance = run(
  'wallet-coin-set',
  `update wallet_coin set expected = $3, fees = $4, compared_to = $5, agreed_block = $6, agreed_time = $7
   where chain_id = $1 and address = $2`,
)

/**
 * Subtracts what a final transaction took of the native coin of a wallet, its fee included. $4 is what it may have cost
 * beyond: its fee again, and what the chain may charge beyond gas.
 */
export const subtractExpectedCoinBalance = run(
  'wallet-coin-take',
  `update wallet_coin set expected = greatest(0, expected - $3), fees = fees + $4, settled_block = greatest(settled_block, $5)
   where chain_id = $1 and address = $2`,
)

/** Sets what a wallet lacks, null if nothing; the time stays while it lacks something. */
export const setWalletShortage = run(
  'wallet-waits',
  `update wallets set waits = $3, waits_since = case when $3::text is null then null else coalesce(waits_since, $4) end
   where chain_id = $1 and address = $2 and waits is distinct from $3`,
)

const take = first(
  'outgoing-take-nonce',
  `with taken as (
     update wallets set next_nonce = next_nonce + 1 where chain_id = $1 and address = $2
       and (halted is null or emptying_since is not null and $3::jsonb ->> 'kind' = 'sweep')
       and not exists (select from switches where name in ('${copySwitch}', '${copySwitch}:' || $1))
     returning next_nonce - 1 as nonce
   )
   insert into outgoing (chain_id, from_address, nonce, intent, gas, state, created_at, updated_at)
   select $1, $2, nonce, $3, $4, 'assigned', $5, $5 from taken returning nonce`,
)
const insertItems = run(
  'outgoing-items-insert',
  `insert into outgoing_items (chain_id, from_address, nonce, place, owner, merchant_id, owner_id, amount)
   select $1, $2, $3, place, owner, merchant_id, id, amount
   from json_to_recordset($4::json) as r (place int, owner text, merchant_id text, id text, amount numeric)`,
)

/**
 * Takes the next nonce of a wallet, which stays locked until the commit, and calls `sent` to learn whether the items
 * may be sent under it. Returns null in a copy of a database, and for a halted wallet, unless it is being emptied and
 * moves coin to the treasury.
 * Throws NotDue when `sent` says no; the caller must roll back.
 */
export async function takeNonce(
  c: Queryable,
  of: {
    chainId: string
    address: string
    intent: TransactionIntent
    gas: bigint
    items: readonly OutgoingItem[]
    now: number
  },
  sent: (id: OutgoingId) => Promise<boolean>,
): Promise<OutgoingId | null> {
  const { chainId, address, intent, gas, items, now } = of
  const taken = await take(c, chainId, address, intent, gas, now)
  if (!taken) return null
  const id = { chain_id: chainId, from_address: address, nonce: taken.nonce }
  // guard: nonce-with-owner
  if (!(await sent(id))) throw new NoLongerDueError()
  const rows = items.map((item, place) => ({ ...item, place }))
  await insertItems(c, chainId, address, id.nonce, toJson(rows))
  return id
}

/** An owner no longer wants to send what it said was due. */
export class NoLongerDueError extends Error {}

const columns = `o.chain_id, o.from_address, o.nonce, o.intent, o.gas, o.state, o.txid, o.block_number, o.block_hash, o.waits,
  o.cancel_reason, o.created_at, o.updated_at, o.fee, o.ended, o.reopened_at`

/** Reads the transactions of a chain that are not final yet, in order of their nonces. */
export const readOpenOutgoing = all(
  'outgoing-open',
  `select ${columns}, w.role, w.halted, w.emptying_since from outgoing o join wallets w on w.chain_id = o.chain_id and w.address = o.from_address
   where o.chain_id = $1 and o.state in ('assigned', 'sent', 'in_block') order by o.from_address, o.nonce limit 1000`,
)

/** Reads what was signed for the transactions of a chain that are not final yet, in the order of signing. */
export const readOpenAttempts = all(
  'outgoing-attempts',
  `select a.chain_id, a.from_address, a.nonce, a.attempt, a.kind, a.raw, a.txid, a.gas, a.max_fee, a.max_tip, a.expires,
     a.created_at, a.broadcasts, a.broadcast_at
   from outgoing o join outgoing_attempts a on a.chain_id = o.chain_id and a.from_address = o.from_address and a.nonce = o.nonce
   where o.chain_id = $1 and o.state in ('assigned', 'sent', 'in_block') order by a.from_address, a.nonce, a.attempt`,
)

/** Reads a transaction and locks it. */
export const lockOutgoing = first(
  'outgoing-lock',
  `select ${columns} from outgoing o where chain_id = $1 and from_address = $2 and nonce = $3 for update`,
)

const selectItems = all(
  'outgoing-items',
  `select owner, merchant_id, owner_id as id, amount, stopped from outgoing_items
   where chain_id = $1 and from_address = $2 and nonce = $3 order by place`,
)

/** Reads what a transaction carries, by owner, and whether a person stopped it. */
export async function readItems(
  c: Queryable,
  { chain_id, from_address, nonce }: OutgoingId,
): Promise<Map<OwnerKind, (OutgoingItem & { stopped: boolean })[]>> {
  const rows = await selectItems(c, chain_id, from_address, nonce)
  return Map.groupBy(rows, row => row.owner)
}

const insert = run(
  'outgoing-attempt-insert',
  `with sent as (
     update outgoing set state = 'sent', waits = null, updated_at = $11 where chain_id = $1 and from_address = $2 and nonce = $3
   )
   insert into outgoing_attempts (chain_id, from_address, nonce, attempt, kind, raw, txid, gas, max_fee, max_tip, created_at, expires)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing`,
)

/** Stores signed bytes. Returns false when another process stored this attempt first. */
export const insertAttempt = async (
  c: Queryable,
  { chain_id, from_address, nonce }: OutgoingId,
  of: Omit<OutgoingAttempt, 'broadcasts' | 'broadcast_at'>,
): Promise<boolean> =>
  (await insert(
    c,
    chain_id,
    from_address,
    nonce,
    of.attempt,
    of.kind,
    of.raw,
    of.txid,
    of.gas,
    of.max_fee,
    of.max_tip,
    of.created_at,
    of.expires,
  )) > 0

/** Records the answer of the nodes to a broadcast; null when one accepted it. */
export const markBroadcast = run(
  'outgoing-attempt-broadcast',
  `update outgoing_attempts set broadcasts = broadcasts + 1, broadcast_at = $5, refused = $6
   where chain_id = $1 and from_address = $2 and nonce = $3 and attempt = $4`,
)

/** Reads the last transaction before a nonce that sets the allowance for a token; before any when the nonce is null. */
const selectLastApproval = first(
  'outgoing-last-approval',
  `select nonce, state, outcome, created_at, updated_at from outgoing
   where chain_id = $1 and from_address = $2 and intent ->> 'kind' = 'approve' and intent ->> 'token' = $3
     and ($4::bigint is null or nonce < $4) order by nonce desc limit 1`,
)
export const readLastApproval = (
  c: Queryable,
  chainId: string,
  address: string,
  token: string,
  before: number | null = null,
) => selectLastApproval(c, chainId, address, token, before)

/** Notes what a person stopped of a transaction that is in no block: one item, or all (null). Returns how many. */
export const stopItems = run(
  'outgoing-items-stop',
  `update outgoing_items i set stopped = true from outgoing o
   where i.chain_id = $1 and i.from_address = $2 and i.nonce = $3 and ($4::text is null or i.owner_id = $4) and not i.stopped
     and o.chain_id = i.chain_id and o.from_address = i.from_address and o.nonce = i.nonce and o.state in ('assigned', 'sent')`,
)

/** Sets why a transaction waits, or null. Returns how many changed. */
export const setTransactionWaitReason = run(
  'outgoing-waits',
  `update outgoing set waits = $4, updated_at = $5
   where chain_id = $1 and from_address = $2 and nonce = $3 and waits is distinct from $4`,
)

/** Requests the cancellation of a transaction that is in no block. Returns how many were not cancelled before. */
export const setCancelled = run(
  'outgoing-cancel',
  `update outgoing set cancel_reason = $4, updated_at = $5
   where chain_id = $1 and from_address = $2 and nonce = $3 and state in ('assigned', 'sent') and cancel_reason is null`,
)

/** Requests the cancellation of a transaction that was never signed. Returns how many changed. */
export const setUnsignable = run(
  'outgoing-unsignable',
  `update outgoing o set cancel_reason = $4, updated_at = $5
   where chain_id = $1 and from_address = $2 and nonce = $3 and state = 'assigned' and cancel_reason is null
     and not exists (select from outgoing_attempts a
       where a.chain_id = o.chain_id and a.from_address = o.from_address and a.nonce = o.nonce)`,
)

/** Moves a transaction into a block, or out of it (nulls) and back to the state `sent`. */
export const setOutgoingBlock = run(
  'outgoing-block',
  `update outgoing set state = case when $4::text is null then 'sent' else 'in_block' end, txid = $4, block_number = $5, block_hash = $6,
     waits = null, updated_at = $7 where chain_id = $1 and from_address = $2 and nonce = $3`,
)

/** Ends a transaction, also one that is under way again. One that is void or reverted no longer carries its items. */
export const endOutgoing = run(
  'outgoing-final',
  `with ended as (
     update outgoing_items set live = false
     where chain_id = $1 and from_address = $2 and nonce = $3 and $5::text is distinct from 'success'
   )
   update outgoing set state = $4, outcome = $5, fee = $6, updated_at = $7, ended = null where chain_id = $1 and from_address = $2 and nonce = $3`,
)

/** Fees of an attempt. */
export const toAttemptFees = ({ max_fee, max_tip }: Pick<OutgoingAttempt, 'max_fee' | 'max_tip'>) => ({
  maxFeePerGas: max_fee,
  maxPriorityFeePerGas: max_tip,
})

/** Id of the native coin's asset. */
export const buildNativeAssetId = ({ id, native }: ChainDefinition) => `${id}:${native.symbol}`
