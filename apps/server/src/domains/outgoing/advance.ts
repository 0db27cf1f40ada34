import type { BlockId } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { isCopy } from '../../kit/copy-switch.ts'
import { tx } from '../../kit/db.ts'
import type { OutgoingOwners } from '../../owner.ts'
import { readChain, readPayoutStop } from '../chains/store.ts'
import type { IsolatedRunner } from './alone.ts'
import { createSendingFor } from './kinds.ts'
import {
  type FeeTerms,
  isAttemptLive,
  type MinedTransaction,
  type PayableChain,
  type SendingStrategy,
} from './sender.ts'
import {
  markTransactionReorged,
  nonceTakenReason,
  settleTransaction,
  uncertainReason,
  unpreparedReason,
  voidCanceledTransaction,
} from './settle.ts'
import { signAttempt } from './sign-attempt.ts'
import {
  markBroadcast,
  type OpenOutgoing,
  type OutgoingAttempt,
  readOpenAttempts,
  readOpenOutgoing,
  setTransactionWaitReason,
  setUnsignable,
} from './store.ts'
import { haltWallet } from './wallets.ts'

/** Seconds after which the same bytes are broadcast again. */
const rebroadcastAfter = 15
/** Seconds for which a transaction may have no signature while others of its wallet are signed. */
const giveUpAfter = 180
/** Seconds between requests for a signature that was refused. */
export const signatureRetryPauseSeconds = 60

/** What one pass over a chain knows. */
interface Pass {
  deps: Deps
  chain: PayableChain
  sending: SendingStrategy
  terms: FeeTerms
  owners: OutgoingOwners
  /** Whether nothing new may be signed. */
  stopped: boolean
  /** Whether the database is a copy: nothing is signed or broadcast, not even what was. */
  isCopy: boolean
  final: number
}

/**
 * Moves every transaction of a chain that is not final: signs it, broadcasts what is in no block, replaces what is
 * stuck, and follows blocks to finality. May run in several processes at once and be interrupted anywhere: the signer
 * signs a nonce for one payout only, and where transactions expire no second one before the first has, so what two
 * processes ask for pays once. Returns whether there are any.
 */
export async function advanceTransactions(
  deps: Deps,
  chain: PayableChain,
  owners: OutgoingOwners,
  alone: IsolatedRunner,
): Promise<boolean> {
  const { id } = chain.definition
  const rows = await readOpenOutgoing(deps.pool, id)
  if (rows.length === 0) return false
  // Read after the rows: a cancelled one that can be in no block gets no further attempt.
  const signed = await readOpenAttempts(deps.pool, id)
  const attempts = Map.groupBy(signed, namePart)
  const sending = createSendingFor(chain)
  const { nonces } = sending
  const pass = { deps, chain, sending, owners, terms: await sending.terms(), ...(await readState(deps, id)) }
  // Without nonces, no transaction waits for another of its wallet.
  for (const [address, group] of Map.groupBy(rows, each => (nonces ? each.from_address : ''))) {
    const mined = nonces ? await alone.run(`nonce of ${address}`, () => nonces.next(address)) : null
    if (mined === undefined) continue
    for (const each of alone.failedLast(group, namePart)) {
      if (alone.isDown) return true
      const own = attempts.get(namePart(each)) ?? []
      await alone.run(namePart(each), () => advanceOne(pass, each, own, mined))
      if (own.length === 0 && !pass.stopped && !isHeld(each))
        await alone.run(`${namePart(each)}: giving up`, () => giveUp(deps, each, signed))
    }
  }
  return true
}

/** Names a transaction as a part of a pass. */
const namePart = ({ from_address, nonce }: Pick<OpenOutgoing, 'from_address' | 'nonce'>): string =>
  `transaction ${from_address} ${nonce}`

/**
 * Cancels a transaction that could not be signed for minutes, neither before nor after others of its wallet were: the
 * fault is its own, and later nonces wait for it. Its money is free once it can be in no block.
 */
async function giveUp(
  deps: Pick<Deps, 'pool' | 'clock' | 'log'>,
  row: OpenOutgoing,
  signed: readonly OutgoingAttempt[],
): Promise<void> {
  const { chain_id, from_address, nonce } = row
  const now = deps.clock()
  if (row.state !== 'assigned' || row.cancel_reason !== null || row.waits !== null) return
  if (now - row.created_at < giveUpAfter) return
  const others = signed.filter(each => each.from_address === from_address && each.nonce !== nonce)
  // guard: never-signed
  if (!others.some(each => each.created_at >= row.created_at)) return
  if ((await setUnsignable(deps.pool, chain_id, from_address, nonce, unpreparedReason, now)) === 0) return
  deps.log.error({ chain: chain_id, nonce, reason: unpreparedReason }, 'a payout is cancelled')
}

/** Reads whether nothing new may be signed on a chain, and how far it is final. */
async function readState({ pool }: Deps, chainId: string): Promise<Pick<Pass, 'stopped' | 'isCopy' | 'final'>> {
  const row = await readChain(pool, chainId)
  const stopped = !row || row.halted !== null || (await readPayoutStop(pool, chainId, '')) !== undefined
  return { stopped, isCopy: await isCopy(pool), final: row?.final_number ?? -1 }
}

/** Whether a transaction moves coin of a hot wallet to the treasury. */
export const isMoveToTreasury = ({ intent }: Pick<OpenOutgoing, 'intent'>): boolean =>
  intent.kind === 'sweep' && intent.index === null

/** Whether a transaction moves coin of a wallet that is being emptied to the treasury. */
const isEmptyingMove = (row: OpenOutgoing): boolean => row.emptying_since !== null && isMoveToTreasury(row)

/**
 * Whether nothing is sent for a transaction: its wallet is halted. One that is being emptied still moves coin, and
 * cancels what is in no block.
 */
const isHeld = (row: OpenOutgoing): boolean =>
  row.halted !== null && !isEmptyingMove(row) && (row.emptying_since === null || row.cancel_reason === null)

/** @param mined the wallet's nonce on the chain: transactions below it are in a block; null where there are none */
async function advanceOne(
  pass: Pass,
  row: OpenOutgoing,
  attempts: readonly OutgoingAttempt[],
  mined: number | null,
): Promise<void> {
  const { chain, sending, final } = pass
  // Read again only once the followed chain has it final, or when its block is orphaned.
  if (row.state === 'in_block' && row.block_number! > final)
    if ((await chain.blockAt(row.block_number!))?.hash === row.block_hash) return
  if (row.state === 'in_block' || mined === null || mined > row.nonce) {
    const found = await findInBlock(chain, sending, attempts)
    if (found && found !== 'disputed' && !(await isRefuted(pass, row, attempts, found.txid)))
      return settleFound(pass, row, attempts, found)
    if (row.state === 'in_block') return leaveOrWait(pass, row, attempts)
    if (mined !== null) return found ? undefined : haltIfTaken(pass, row, attempts)
  }
  if (pass.isCopy) return
  if (!isHeld(row)) await send(pass, row, attempts, mined)
}

const wait = ({ deps }: Pass, { chain_id, from_address, nonce }: OpenOutgoing, reason: string) =>
  setTransactionWaitReason(deps.pool, chain_id, from_address, nonce, reason, deps.clock()).then(() => {})

/** Settles a transaction in a block, unless it has waited there for an operator and still does. */
async function settleFound(
  pass: Pass,
  row: OpenOutgoing,
  attempts: readonly OutgoingAttempt[],
  found: MinedTransaction,
): Promise<void> {
  const isWaiting = row.state === 'in_block' && row.waits !== null
  const reason = isWaiting ? await doubtOf(pass, attempts, found.txid) : null
  return reason === null ? settleTransaction(pass, row, attempts, found) : wait(pass, row, reason)
}

/** A transaction is no longer found in its block: it is taken out of that one, or waits while that is not certain. */
async function leaveOrWait(pass: Pass, row: OpenOutgoing, attempts: readonly OutgoingAttempt[]): Promise<void> {
  const { chain } = pass
  const block = { number: row.block_number!, hash: row.block_hash! }
  const isGone =
    /* guard: payout-reorged */ (await chain.isReorgedOut(block)) /* end */ ||
    (await isRefuted(pass, row, attempts, row.txid!))
  if (isGone) return markTransactionReorged(pass, row, attempts)
  return wait(pass, row, (await doubtOf(pass, attempts, row.txid!)) ?? uncertainReason)
}

/** An attempt that has expired, if it is the one of a transaction id. */
const findExpired = ({ deps }: Pass, attempts: readonly OutgoingAttempt[], txid: string) =>
  attempts.find(each => each.txid === txid && !isAttemptLive(each, deps.clock()))

/**
 * Whether an attempt that a node names in a block, without a receipt that is certain, can be in none. One node alone
 * would else hold up the payout for ever, even by one answer.
 */
async function isRefuted(
  pass: Pass,
  row: OpenOutgoing,
  attempts: readonly OutgoingAttempt[],
  txid: string,
): Promise<boolean> {
  const expired = findExpired(pass, attempts, txid)
  if (!expired || (row.state === 'in_block' && row.waits === null)) return false
  return (await pass.sending.isDead?.(expired)) ?? false
}

/** Why an expired attempt that a node names in a block waits for an operator; null while it does not. */
async function doubtOf(pass: Pass, attempts: readonly OutgoingAttempt[], txid: string): Promise<string | null> {
  const expired = findExpired(pass, attempts, txid)
  return (expired && (await pass.sending.doubtOf?.(expired))) ?? null
}

/** Signs and broadcasts what a transaction in no block needs next, or ends it. */
async function send(
  pass: Pass,
  row: OpenOutgoing,
  attempts: readonly OutgoingAttempt[],
  mined: number | null,
): Promise<void> {
  const { deps, terms, stopped, final } = pass
  const now = deps.clock()
  const next = await terms.next(row, attempts, { now, isStopped: stopped && !isEmptyingMove(row), final, mined })
  if (next === 'end') return voidCanceledTransaction(pass, row)
  if (next === 'wait') return
  if (next !== 'again' && 'reason' in next) return wait(pass, row, next.reason)
  const isRefused = row.waits?.startsWith('signer') && now - row.updated_at < signatureRetryPauseSeconds
  const draft = next === 'again' || isRefused ? null : await next.draft()
  const signed = draft && (await signAttempt(deps, row, attempts, draft))
  const current = signed ?? attempts.at(-1)
  if (!current || !isAttemptLive(current, now)) return
  // guard: rebroadcast
  if (signed || now - (current.broadcast_at ?? 0) >= rebroadcastAfter) await broadcast(pass, current)
}

/** Broadcasts stored bytes to every node. Whatever they answer, the transaction may be mined. */
async function broadcast({ deps, sending }: Pass, current: OutgoingAttempt): Promise<void> {
  const { chain_id, from_address, nonce, attempt, raw } = current
  const { accepted, reason } = await sending.send(raw)
  const refused = accepted ? null : (reason ?? 'refused')
  await markBroadcast(deps.pool, chain_id, from_address, nonce, attempt, deps.clock(), refused)
  if (!accepted) deps.log.warn({ chain: chain_id, nonce, reason }, 'no node accepted a transaction')
}

/**
 * Finds the attempt that is in a block which most nodes have: at most one of a nonce can be. `disputed`: nodes report a
 * block, and most of them do not confirm it, or did not answer. A node that names another block, or another attempt,
 * hides nothing: the others are asked too.
 */
export async function findInBlock(
  chain: PayableChain,
  sending: SendingStrategy,
  attempts: readonly Pick<OutgoingAttempt, 'txid'>[],
): Promise<MinedTransaction | 'disputed' | null> {
  const named: MinedTransaction[] = []
  let isDisputed = false
  for (const { txid } of attempts.toReversed()) {
    const receipt = await chain.receipt(txid)
    if (!receipt) continue
    isDisputed = true
    const place = await findAgreedPlace(chain, { number: receipt.blockNumber, hash: receipt.blockHash }, txid)
    if (place) named.push({ txid, block: place })
  }
  // Where only one is named, its receipt is verified once its block is deep.
  // guard: attempt-certain
  if (named.length > 1) return (await findCertainlyMined(chain, sending, named)) ?? 'disputed'
  return named[0] ?? (isDisputed ? 'disputed' : null)
}

/** The block in which nodes report a transaction, as far as most nodes have it; null if there is none. */
async function findAgreedPlace(chain: PayableChain, named: BlockId, txid: string): Promise<BlockId | null> {
  if (await chain.agreesOn(named)) return named
  // guard: other-places
  for (const other of await chain.placesOf(txid))
    if (other.hash !== named.hash && (await chain.agreesOn(other))) return other
  return null
}

/** The one of several attempts whose receipt is in a block for certain; null if there is none. */
async function findCertainlyMined(
  chain: PayableChain,
  sending: SendingStrategy,
  named: readonly MinedTransaction[],
): Promise<MinedTransaction | null> {
  for (const { txid } of named)
    for (const block of await chain.placesOf(txid))
      if ((await chain.agreesOn(block)) && (await sending.certainReceipt(txid, block))) return { txid, block }
  return null
}

/**
 * A nonce is used up and no node has a receipt of ours: once that is certain, somebody else has used the key, and the
 * wallet is halted. Whether the payout was made is for a person to find out, who pays it again or not.
 */
async function haltIfTaken(
  { deps, sending }: Pass,
  row: OpenOutgoing,
  attempts: readonly OutgoingAttempt[],
): Promise<void> {
  if (!(await sending.nonces?.isTaken(row, attempts))) return
  const { chain_id, from_address, nonce } = row
  await tx(deps.pool, async (c, uow) => {
    await setTransactionWaitReason(c, chain_id, from_address, nonce, nonceTakenReason, deps.clock())
    await haltWallet(deps, uow, row, nonceTakenReason)
  })
}
