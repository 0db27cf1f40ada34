import { type BlockId, bumpFees, type Chain, type Fees, type Market } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import type { Owners } from '../../owner.ts'
import type { SignRequest } from '../../signer/protocol.ts'
import { readChain, readStop } from '../chains/store.ts'
import type { Alone } from './alone.ts'
import { beyondGas } from './costs.ts'
import { certainReceipt, expires, heldBy, type Mined, type Sender } from './sender.ts'
import { leaveBlock, settle, takenReason, uncertainReason, unpreparedReason } from './settle.ts'
import { type Draft, signAttempt } from './sign-attempt.ts'
import {
  type Attempt,
  coinSentBy,
  feesOf,
  markBroadcast,
  type Open,
  openAttempts,
  openOutgoing,
  setUnsignable,
  setWaits,
} from './store.ts'
import { haltWallet } from './wallets.ts'

/** Seconds after which the same bytes are broadcast again. */
export const rebroadcastAfter = 15
/** Seconds in no block after which fees are raised. */
const stuckAfter = 180
/** Seconds for which a transaction may have no signature while others of its wallet are signed. */
const unsignedFor = 180
/** Seconds between requests for a signature that was refused. */
export const refusedPause = 60

/** What one pass over a chain knows. */
interface Pass {
  deps: Deps
  chain: Chain
  owners: Owners
  market: Market
  /** Whether nothing new may be signed. */
  stopped: boolean
  final: number
}

/**
 * Moves every transaction of a chain that is not final: signs what has a nonce, broadcasts what is in no block, raises
 * fees, and follows blocks to finality. May run in several processes at once and be interrupted anywhere. Returns
 * whether there are any.
 */
export async function advance(deps: Deps, chain: Chain, owners: Owners, alone: Alone): Promise<boolean> {
  const { id } = chain.definition
  const rows = await openOutgoing(deps.pool, id)
  if (rows.length === 0) return false
  const attempts = Map.groupBy(await openAttempts(deps.pool, id), each => `${each.from_address} ${each.nonce}`)
  const pass = { deps, chain, owners, market: await chain.fees(), ...(await stateOf(deps, id)) }
  for (const [address, ofWallet] of Map.groupBy(rows, each => each.from_address)) {
    const mined = await alone.run(`nonce of ${address}`, () => chain.nonce(address))
    if (mined === undefined) continue
    for (const each of alone.failedLast(ofWallet, partOf)) {
      if (alone.isDown) return true
      const own = attempts.get(`${address} ${each.nonce}`) ?? []
      await alone.run(partOf(each), () => advanceOne(pass, each, own, mined))
      if (own.length === 0 && !pass.stopped && !isHeld(each))
        await alone.run(`${partOf(each)}: giving up`, () => giveUp(deps, each, attempts))
    }
  }
  return true
}

/** Names a transaction as a part of a pass. */
export const partOf = ({ from_address, nonce }: Pick<Open, 'from_address' | 'nonce'>): string =>
  `transaction ${from_address} ${nonce}`

/**
 * Cancels a transaction that could not be signed for minutes, neither before nor after others of its wallet were: the
 * fault is its own, and later nonces wait for it. Its money is free once it can be in no block.
 */
export async function giveUp(
  deps: Pick<Deps, 'pool' | 'clock' | 'log'>,
  row: Open,
  attempts: ReadonlyMap<string, readonly Attempt[]>,
): Promise<void> {
  const { chain_id, from_address, nonce } = row
  const now = deps.clock()
  const key = `${from_address} ${nonce}`
  if (row.state !== 'assigned' || row.cancel_reason !== null || row.waits !== null) return
  if (now - row.created_at < unsignedFor) return
  const later = [...attempts].flatMap(([of, all]) => (of !== key && of.startsWith(`${from_address} `) ? all : []))
  // guard: never-signed
  if (!later.some(each => each.created_at >= row.created_at)) return
  if ((await setUnsignable(deps.pool, chain_id, from_address, nonce, unpreparedReason, now)) === 0) return
  deps.log.error({ chain: chain_id, nonce, reason: unpreparedReason }, 'a payout is cancelled')
}

/** Reads whether nothing new may be signed on a chain, and how far it is final. */
export async function stateOf({ pool }: Deps, chainId: string): Promise<{ stopped: boolean; final: number }> {
  const row = await readChain(pool, chainId)
  const stopped = !row || row.halted !== null || (await readStop(pool, chainId, '')) !== undefined
  return { stopped, final: row?.final_number ?? -1 }
}

/** Whether a transaction moves coin of a hot wallet to the treasury. */
export const isMove = ({ intent }: Pick<Open, 'intent'>): boolean => intent.kind === 'sweep' && intent.index === null

/** Whether a transaction moves coin of a wallet that is being emptied to the treasury. */
export const isRescued = (row: Open): boolean => row.emptying_since !== null && isMove(row)

/**
 * Whether nothing is sent for a transaction: its wallet is halted. One that is being emptied still moves coin, and
 * cancels what is in no block.
 */
export const isHeld = (row: Open): boolean =>
  row.halted !== null && !isRescued(row) && (row.emptying_since === null || row.cancel_reason === null)

/** @param mined the wallet's nonce on the chain: transactions below it are in a block */
async function advanceOne(pass: Pass, row: Open, attempts: readonly Attempt[], mined: number): Promise<void> {
  const { deps, chain, final } = pass
  if (row.state === 'in_block') {
    // Read again only once the followed chain has it final, or when its block is orphaned.
    const isThere = (await chain.blockAt(row.block_number!))?.hash === row.block_hash
    if (isThere && row.block_number! > final) return
  }
  if (row.state === 'in_block' || mined > row.nonce) {
    const found = await inBlock(chain, attempts)
    if (found && found !== 'disputed') return settle(pass, row, attempts, found)
    if (row.state === 'sent' || row.state === 'assigned') return found ? undefined : takenByAnother(pass, row, attempts)
    const block = { number: row.block_number!, hash: row.block_hash! }
    if (/* guard: payout-reorged */ await chain.isReorgedOut(block) /* end */) await leaveBlock(pass, row, attempts)
    else await setWaits(deps.pool, row.chain_id, row.from_address, row.nonce, uncertainReason, deps.clock())
    return
  }
  if (isHeld(row)) return
  const last = attempts.at(-1)
  const wanted = nextAttempt(pass, row, last, mined)
  // A deposit address has been sent the gas for its sweep, and no more.
  const isScarce = wanted !== null && (wanted.kind === 'replace' || row.role === 'deposit')
  // guard: fee-covered
  const next = isScarce ? await covered(pass, row, wanted, last) : wanted
  const isRefused = row.waits?.startsWith('signer') && deps.clock() - row.updated_at < refusedPause
  const signed = next && !isRefused ? await signAttempt(deps, row, attempts, await draftOf(chain, row, next)) : null
  const current = signed ?? last
  // guard: rebroadcast
  if (current && (signed || deps.clock() - (current.broadcast_at ?? 0) >= rebroadcastAfter))
    await broadcast(pass, current)
}

/** What to sign next: the payout, its cancellation, or either with higher fees; null while the last attempt may do. */
function nextAttempt(
  { deps, chain, market, stopped, final }: Pass,
  row: Open,
  last: Attempt | undefined,
  mined: number,
): Next | null {
  const cancels = row.cancel_reason !== null
  if (!last) return stopped && !cancels && !isRescued(row) ? null : { kind: cancels ? 'cancel' : 'send', fees: market }
  const fees = bumpFees(feesOf(last), market)
  if (cancels && last.kind !== 'cancel') return { kind: 'cancel', fees }
  // A deep reorg took away the payout that had been faster than its cancellation.
  if (!cancels && last.kind === 'cancel') return { kind: 'replace', fees }
  if (deps.clock() - last.created_at < stuckAfter) return null
  const kind = cancels ? 'cancel' : 'replace'
  if (market.baseFee > last.max_fee) return { kind, fees }
  // Only the next nonce can be mined: the others may wait for it.
  // guard: tip-raised
  return row.nonce === mined && hasBlocksSince(chain, last, final)
    ? { kind, fees: raiseTip(feesOf(last), market) }
    : null
}

/** Final blocks by which the chain went on while an attempt was passed over. */
const passedOver = 3
/** The final block when an attempt was first found in no block, by chain and transaction id. */
const waitingSince = new WeakMap<Chain, Map<string, number>>()

/** Whether blocks were made without an attempt: while the chain stands still, higher fees help nothing. */
function hasBlocksSince(chain: Chain, { txid }: Attempt, final: number): boolean {
  const since = waitingSince.get(chain) ?? new Map<string, number>()
  waitingSince.set(chain, since)
  const first = since.get(txid) ?? final
  // Those that were mined meanwhile are forgotten too: the others wait three blocks longer.
  if (since.size > 1_000) since.clear()
  since.set(txid, first)
  if (final < first + passedOver) return false
  since.delete(txid)
  return true
}

/**
 * Raises the fees of a transaction that blocks have passed over though it pays their base fee: its tip was too low,
 * whatever nodes reported. The tip is doubled up to the most that is offered at first, and raised by an eighth beyond.
 */
function raiseTip(fees: Fees, market: Market): Fees {
  const twice = fees.maxPriorityFeePerGas * 2n
  const tip = twice < market.mostTip ? twice : market.mostTip
  const least = tip > market.maxPriorityFeePerGas ? tip : market.maxPriorityFeePerGas
  return bumpFees(fees, { maxFeePerGas: market.baseFee * 2n + least, maxPriorityFeePerGas: least })
}

/** An attempt to sign next. */
type Next = { kind: Attempt['kind']; fees: Fees }

/**
 * Limits a fee to the coins of the wallet: nodes refuse what it cannot pay, and may have forgotten an earlier attempt.
 * Null while that is too low for the next block, or to replace the last attempt.
 */
async function covered(
  { chain, market }: Pass,
  { from_address, intent, gas }: Open,
  next: Next,
  last: Attempt | undefined,
): Promise<Next | null> {
  const cost =
    next.kind === 'cancel'
      ? { value: 0n, gas: await gasOfCancel(chain, from_address) }
      : { value: coinSentBy(intent), gas, intent }
  const held = await heldBy(chain, null, from_address)
  if (held === null) return null
  const most = (held - cost.value - (await beyondGas(chain, cost.gas, cost.intent))) / cost.gas
  const { maxFeePerGas, maxPriorityFeePerGas } = next.fees
  if (maxFeePerGas <= most) return next
  const lowest = { maxFeePerGas: market.baseFee + maxPriorityFeePerGas, maxPriorityFeePerGas }
  const least = last ? bumpFees(feesOf(last), lowest) : lowest
  return most < least.maxFeePerGas ? null : { ...next, fees: { maxFeePerGas: most, maxPriorityFeePerGas } }
}

const gasOfCancel = (chain: Chain, address: string) =>
  chain.gasFor({ from: address, token: null, to: address, amount: 0n })

/** The intent to sign for a nonce: the original one, or a transfer of zero by the wallet to itself. */
async function draftOf(
  chain: Chain,
  { chain_id, from_address, nonce, role, intent, gas }: Open,
  { kind, fees }: Next,
): Promise<Draft> {
  const limit = kind === 'cancel' ? await gasOfCancel(chain, from_address) : gas
  const { maxFeePerGas: max_fee, maxPriorityFeePerGas: max_tip } = fees
  const asText = { gas: String(limit), maxFeePerGas: String(max_fee), maxPriorityFeePerGas: String(max_tip) }
  const terms = { chain: chain_id, nonce, ...asText }
  const wallet = role === 'sweeper' ? { wallet: role } : {}
  const index = role === 'deposit' && 'index' in intent ? intent.index : null
  const cancellation = { kind: 'cancel', token: null, to: null, index, amount: '0', ...wallet } as const
  const request = (kind === 'cancel' ? { ...cancellation, ...terms } : { ...intent, ...terms }) as SignRequest
  return { kind, request, gas: limit, max_fee, max_tip, expires: null }
}

/** Broadcasts stored bytes to every node. Whatever they answer, the transaction may be mined. */
export async function broadcast(
  { deps, chain }: { deps: Deps; chain: Sender },
  { chain_id, from_address, nonce, attempt, raw }: Attempt,
): Promise<void> {
  const { accepted, reason } = await (expires(chain) ? chain.expiring : chain).send(raw)
  await markBroadcast(
    deps.pool,
    chain_id,
    from_address,
    nonce,
    attempt,
    deps.clock(),
    accepted ? null : (reason ?? 'refused'),
  )
  if (!accepted) deps.log.warn({ chain: chain_id, nonce, reason }, 'no node accepted a transaction')
}

/**
 * Finds the attempt that is in a block which most nodes have: at most one of a nonce can be. `disputed`: nodes report a
 * block, and most of them do not confirm it, or did not answer. A node that names another block, or another attempt,
 * hides nothing: the others are asked too.
 */
export async function inBlock(chain: Sender, attempts: readonly Attempt[]): Promise<Mined | 'disputed' | null> {
  const named: Mined[] = []
  let isDisputed = false
  for (const { txid } of attempts.toReversed()) {
    const receipt = await chain.receipt(txid)
    if (!receipt) continue
    isDisputed = true
    const place = await agreedPlace(chain, { number: receipt.blockNumber, hash: receipt.blockHash }, txid)
    if (place) named.push({ txid, block: place })
  }
  // Where only one is named, its receipt is verified once its block is deep.
  // guard: attempt-certain
  if (named.length > 1) return (await certainlyMined(chain, named)) ?? 'disputed'
  return named[0] ?? (isDisputed ? 'disputed' : null)
}

/** The block in which nodes report a transaction, as far as most nodes have it; null if there is none. */
async function agreedPlace(chain: Sender, named: BlockId, txid: string): Promise<BlockId | null> {
  if (await chain.agreesOn(named)) return named
  // guard: other-places
  for (const other of await chain.placesOf(txid))
    if (other.hash !== named.hash && (await chain.agreesOn(other))) return other
  return null
}

/** The one of several attempts whose receipt is in a block for certain; null if there is none. */
async function certainlyMined(chain: Sender, named: readonly Mined[]): Promise<Mined | null> {
  for (const { txid } of named)
    for (const block of await chain.placesOf(txid))
      if ((await chain.agreesOn(block)) && (await certainReceipt(chain, txid, block))) return { txid, block }
  return null
}

/** The head at which a nonce was first found used up without a receipt of ours, by chain. */
const takenAt = new WeakMap<Chain, Map<string, number>>()

/**
 * The nonce is used up and no node has a receipt of ours. Nodes may index a block late; at the next one somebody else
 * must have used the key, and the wallet is halted. Whether the payout was made is for a person to find out, who pays
 * it again or not: so most nodes must have answered that they have none of ours.
 */
async function takenByAnother({ deps, chain }: Pass, row: Open, attempts: readonly Attempt[]): Promise<void> {
  const { chain_id, from_address, nonce } = row
  // guard: taken-agreed
  for (const { txid } of attempts) if (!(await chain.isUnknown(txid))) return
  const seen = takenAt.get(chain) ?? new Map<string, number>()
  takenAt.set(chain, seen)
  const key = `${from_address} ${nonce}`
  const { number } = await chain.head()
  const first = seen.get(key)
  if (first === undefined) seen.set(key, number)
  if (first === undefined || number <= first) return
  seen.delete(key)
  await tx(deps.pool, async (c, uow) => {
    await setWaits(c, chain_id, from_address, nonce, takenReason, deps.clock())
    await haltWallet(deps, uow, row, takenReason)
  })
}
