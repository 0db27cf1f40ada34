import { isChainError, type Receipt } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract'
import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import { parseBaseUnits } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { AgreementCheck } from '../../kit/second-person.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { OutgoingId, OutgoingItem, OutgoingOwner, OutgoingOwners } from '../../owner.ts'
import { incidents, readChain } from '../chains/store.ts'
import { countEarlierReverts } from './carried.ts'
import { endReorgedTransaction, postFee } from './end-reorged-transaction.ts'
import { forEachOwner, type LockedOutgoing } from './for-each-owner.ts'
import { fetchIssuerStopReason } from './issuer-stops.ts'
import { balanceUnchangedReason, verifyBalancesMoved } from './moved.ts'
import { settleOwnTransactions } from './own-store.ts'
import { computeMaxSurcharge, type MinedTransaction, type PayableChain, type SendingStrategy } from './sender.ts'
import {
  buildNativeAssetId,
  endOutgoing,
  lockOutgoing,
  type OpenOutgoing,
  type OutgoingAttempt,
  setOutgoingBlock,
  setTransactionWaitReason,
  subtractExpectedCoinBalance,
  type TransactionIntent,
} from './store.ts'

interface Parts {
  deps: Deps
  chain: PayableChain
  sending: SendingStrategy
  owners: OutgoingOwners
}

const isCancel = (attempts: readonly OutgoingAttempt[], txid: string | null) =>
  attempts.find(each => each.txid === txid)?.kind === 'cancel'

/**
 * Records that a transaction is in a block, and ends it once the block is as deep as the chain's confirmations on most
 * nodes, its receipt is certain, and the followed chain has it final too, so that the ledger is never ahead of the
 * balances that the reconciler reads.
 */
export async function settleTransaction(
  parts: Parts,
  row: OpenOutgoing,
  attempts: readonly OutgoingAttempt[],
  mined: MinedTransaction,
): Promise<void> {
  const { deps, chain } = parts
  const isDeep = /* guard: payout-depth */ await chain.agreesOn(mined.block, chain.definition.confirmations) /* end */
  const receipt = isDeep ? await findCertain(parts, mined) : null
  const block = receipt ? { number: receipt.blockNumber, hash: receipt.blockHash } : mined.block
  const again = receipt && (await whyAgain(parts, row, receipt))
  const isPaying = receipt !== null && !isCancel(attempts, receipt.txid)
  const moved = isPaying
    ? /* guard: payout-moved */ await verifyBalancesMoved(chain, row.intent, receipt) /* end */
    : true
  await tx(deps.pool, async (c, uow) => {
    const { chain_id, from_address, nonce } = row
    const now = await lockOutgoing(c, chain_id, from_address, nonce)
    // guard: settle-once
    if (!now || now.state === 'final' || now.state === 'void') return
    const isThere = now.txid === mined.txid && now.block_hash === block.hash
    if (!isThere) {
      if (now.state === 'in_block') await outOfBlock(parts, uow, now, attempts)
      await setOutgoingBlock(c, chain_id, from_address, nonce, mined.txid, block.number, block.hash, deps.clock())
      if (now.ended === null && !isCancel(attempts, mined.txid))
        await callOwners(parts, uow, now, (owner, items) => owner.inBlock(uow, items, { txid: mined.txid, block }))
    }
    const followed = await readChain(c, chain_id)
    if (!isDeep || !followed || followed.halted !== null) return
    // guard: payout-followed
    if (followed.final_number < block.number) return
    const isCertain = receipt && moved !== 'unknown'
    const waits = isCertain ? dearerThanSigned(chain, attempts, receipt) : uncertainReason
    if (isCertain && waits === null) await endMined(parts, uow, now, attempts, { receipt, again, moved })
    else await setTransactionWaitReason(c, chain_id, from_address, nonce, waits, deps.clock())
  })
}

/**
 * Returns the certain receipt of a transaction in the block that a node named or, if it is not there, in another one
 * that nodes name and that is as deep; null if there is none.
 */
export async function findCertain(
  { chain, sending }: Pick<Parts, 'chain' | 'sending'>,
  { txid, block }: MinedTransaction,
): Promise<Receipt | null> {
  const found = /* guard: receipt-agreed */ await sending.certainReceipt(txid, block) /* end */
  if (found) return found
  for (const other of await chain.placesOf(txid)) {
    const isDeep = other.hash !== block.hash && (await chain.agreesOn(other, chain.definition.confirmations))
    const there = isDeep ? await sending.certainReceipt(txid, other) : null
    if (there) return there
  }
  return null
}

/** Why a transaction waits whose block is final, while what became of it is not certain. */
export const uncertainReason = encodeHaltReason('receipt_uncertain')

/**
 * Why a fee is not believed, or null: a transaction costs at most its gas limit at the price that was signed, and what
 * the definition of the chain allows beyond. No root covers all fees of all chains.
 */
function dearerThanSigned(
  { definition }: PayableChain,
  attempts: readonly OutgoingAttempt[],
  receipt: Receipt,
): string | null {
  const signed = attempts.find(each => each.txid === receipt.txid)
  const beyond = receipt.surcharge ?? 0n
  const mayBeyond = computeMaxSurcharge(definition)
  const ofGas = receipt.fee - beyond
  const mostOfGas = signed ? signed.gas * signed.max_fee : ofGas
  // guard: fee-signed
  if (ofGas <= mostOfGas && beyond <= mayBeyond) return null
  const { decimals, symbol } = definition.native
  const [a, b, c, d] = [ofGas, mostOfGas, beyond, mayBeyond].map(each => `${formatDecimal(each, decimals)} ${symbol}`)
  return encodeHaltReason('fee_above', a!, b!, c!, d!)
}

/** Takes a transaction out of the block that the chain has left; it is broadcast again. */
export const markTransactionReorged = (
  { deps, ...parts }: Parts,
  row: OpenOutgoing,
  attempts: readonly OutgoingAttempt[],
): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    const { chain_id, from_address, nonce } = row
    const now = await lockOutgoing(c, chain_id, from_address, nonce)
    if (now?.state !== 'in_block' || now.block_hash !== row.block_hash) return
    await outOfBlock({ deps, ...parts }, uow, now, attempts)
    await setOutgoingBlock(c, chain_id, from_address, nonce, null, null, null, deps.clock())
  })

async function outOfBlock(
  parts: Parts,
  uow: UnitOfWork,
  now: LockedOutgoing,
  attempts: readonly OutgoingAttempt[],
): Promise<void> {
  parts.deps.log.warn({ chain: now.chain_id, txid: now.txid }, 'a transaction of ours was reorged out of its block')
  // What had ended before a deep reorg is reported once it has ended again.
  if (now.ended !== null || isCancel(attempts, now.txid)) return
  await callOwners(parts, uow, now, (owner, items) => owner.outOfBlock(uow, items))
}

/**
 * Ends a transaction whose nonce somebody else has used, as a person found out: what it carries has failed. Throws
 * Refusal('operation_failed') unless the engine has found that, so that the wallet is or was halted for it.
 */
export const endNonceTakenTransaction = (
  deps: Pick<Deps, 'pool' | 'clock' | 'log'>,
  owners: OutgoingOwners,
  id: OutgoingId,
  agree?: AgreementCheck,
): Promise<{ waits: boolean }> =>
  tx(deps.pool, async (c, uow) => {
    const { chain_id, from_address, nonce } = id
    const now = await lockOutgoing(c, chain_id, from_address, nonce)
    if (now?.waits !== nonceTakenReason || (now.state !== 'assigned' && now.state !== 'sent'))
      throw new Refusal('operation_failed', { field: 'nonce' })
    if ((await agree?.(c)) === 'waits') return { waits: true }
    await endUnmined({ deps, owners }, uow, now, nonceTakenReason, (owner, items) =>
      owner.failed(uow, items, nonceTakenReason),
    )
    return { waits: false }
  })

/** Why a transaction waits whose nonce is used up, when no node has a receipt of ours. */
export const nonceTakenReason = 'nonce used up by a transaction that is not ours'

/** Why a transaction was cancelled that nothing would sign, though others of its wallet were signed. */
export const unpreparedReason = 'it could not be prepared'

/** Ends a cancelled transaction, no attempt of which can enter a block any more. */
export const voidCanceledTransaction = ({ deps, ...parts }: Parts, row: OpenOutgoing): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    const { chain_id, from_address, nonce } = row
    const now = await lockOutgoing(c, chain_id, from_address, nonce)
    if (now?.state !== 'assigned' && now?.state !== 'sent') return
    const reason = now.cancel_reason ?? 'cancelled'
    await endUnmined({ deps, ...parts }, uow, now, reason, (owner, items) => owner.voided(uow, items, reason))
  })

/** Ends a transaction that is in no block, nor can be, and so has cost nothing. */
async function endUnmined(
  parts: { deps: Pick<Deps, 'clock' | 'log'>; owners: OutgoingOwners },
  uow: UnitOfWork,
  now: LockedOutgoing,
  problem: string,
  first: (owner: OutgoingOwner, items: readonly OutgoingItem[]) => Promise<void>,
): Promise<void> {
  const { chain_id, from_address, nonce } = now
  const at = parts.deps.clock()
  await endOutgoing(uow.c, chain_id, from_address, nonce, 'void', null, '0', at)
  if (now.ended === null) return forEachOwner(parts.owners, uow, now, first)
  const { definition } = (await readChain(uow.c, chain_id))!
  postFee(uow, buildNativeAssetId(definition), now, { fee: 0n, txid: null, at })
  return endReorgedTransaction(parts, uow, now, { problem, txid: null })
}

/** Ends a transaction and posts its fee: the house pays it, whatever became of the payout. */
async function endMined(
  parts: Parts,
  uow: UnitOfWork,
  now: LockedOutgoing,
  attempts: readonly OutgoingAttempt[],
  { receipt, again, moved }: { receipt: Receipt; again: string | null; moved: boolean },
) {
  const { deps, chain } = parts
  const { chain_id, from_address, nonce } = now
  const txid = receipt.txid
  const at = deps.clock()
  postFee(uow, buildNativeAssetId(chain.definition), now, { fee: receipt.fee, txid, at })
  const coin = coinMoved(now.intent, isCancel(attempts, txid), receipt)
  const beyond = now.intent.kind === 'gas' ? 0n : (receipt.surcharge ?? 0n)
  await settleOwnTransactions(
    uow.c,
    chain_id,
    from_address,
    nonce,
    txid,
    receipt.blockNumber,
    String(coin),
    String(beyond),
  )
  const taken = coinTaken(now.intent, isCancel(attempts, txid), receipt)
  const more = receipt.fee + computeMaxSurcharge(chain.definition)
  // guard: coin-taken
  await subtractExpectedCoinBalance(uow.c, chain_id, from_address, String(taken), String(more), receipt.blockNumber)
  const set = (state: 'final' | 'void', outcome: 'success' | 'reverted' | null) =>
    endOutgoing(uow.c, chain_id, from_address, nonce, state, outcome, String(receipt.fee), at)
  const reason = now.cancel_reason ?? 'cancelled'
  // A payout that a person stopped is not paid by another transaction; the rest of a batch is.
  const takeBack = (why: string) =>
    callOwners(parts, uow, now, async (owner, items) => {
      const isLeft = isBatch(now) || again !== null
      const [stopped, others] = isLeft ? partition(items, item => item.stopped) : [items, []]
      if (stopped.length > 0) await owner.voided(uow, stopped, reason)
      if (others.length > 0) await owner.takenBack(uow, others, why)
    })
  if (/* guard: cancel-mined */ isCancel(attempts, txid) /* end */) {
    await set('void', null)
    return now.ended === null ? takeBack(reason) : endReorgedTransaction(parts, uow, now, { problem: reason, txid })
  }
  const problem = problemOf(now.intent, from_address, receipt) ?? (moved ? null : balanceUnchangedReason)
  await set('final', problem === null ? 'success' : 'reverted')
  if (now.ended !== null)
    return endReorgedTransaction(parts, uow, now, problem === null ? { receipt } : { problem, txid })
  if (problem === null) return callOwners(parts, uow, now, (owner, items) => owner.final(uow, items, receipt))
  deps.log.error({ chain: chain_id, txid, problem }, 'a transaction of ours is final and did not pay as it should')
  if (problem === balanceUnchangedReason) {
    const kind = now.intent.kind.startsWith('sweep') ? 'sweep_unmoved' : 'payout_unmoved'
    const detail = { token: now.intent.token, wallet: from_address, nonce, txid }
    uow.add(incidents, [{ id: newId(), kind, chain_id, detail, created_at: at }])
  }
  // A batch pays all or nobody, and one receiver may have been the cause.
  if (receipt.status === 'reverted' && (isBatch(now) || again !== null)) return takeBack(again ?? problem)
  return callOwners(parts, uow, now, (owner, items) => owner.failed(uow, items, problem))
}

/** Why a payout is sent once more by itself: its limit did not suffice, as when its receiver was emptied meanwhile. */
const outOfGas = 'out of energy'

/**
 * Why a transaction that reverted, and so has certainly paid nobody, is sent again by itself: the issuer of its token
 * stopped it, and it waits for that; or it ran out of energy for the first time. Null otherwise: a person decides.
 */
async function whyAgain({ deps, chain, sending }: Parts, row: OpenOutgoing, receipt: Receipt): Promise<string | null> {
  const { intent, chain_id, from_address, nonce } = row
  if (receipt.status !== 'reverted' || receipt.transfers.length > 0 || intent.kind !== 'transfer') return null
  if (sending.isExhausted(receipt, row.gas))
    return /* guard: energy-once */ (await countEarlierReverts(deps.pool, chain_id, from_address, nonce)) > 0 /* end */
      ? null
      : outOfGas
  return fetchIssuerStopReason(chain, intent.token, [from_address]).catch(error => {
    // Without an answer a person decides: the payout ends in any case.
    if (isChainError(error)) return null
    throw error
  })
}

const isBatch = ({ intent }: Pick<LockedOutgoing, 'intent'>) => intent.kind === 'batch'

function partition<T>(all: readonly T[], test: (each: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter(each => !test(each))]
}

/**
 * The change of a deposit address's native balance by a final transaction: gas for a sweep, or its own transfer, which
 * pays the fee.
 */
function coinMoved(intent: TransactionIntent, isCancelled: boolean, { status, fee }: Receipt): bigint {
  const isDone = status === 'success' && !isCancelled
  if (intent.kind === 'gas') return isDone ? parseBaseUnits(intent.amount) : 0n
  if (intent.kind === 'transfer' && intent.index !== null) return -fee
  if (intent.kind !== 'sweep') return 0n
  return isDone && intent.token === null ? -parseBaseUnits(intent.amount) - fee : -fee
}

/** What a final transaction took of the native coin of the wallet that sent it. */
function coinTaken(intent: TransactionIntent, isCancelled: boolean, { status, fee }: Receipt): bigint {
  const sendsCoin = intent.kind === 'gas' || intent.kind === 'transfer' || intent.kind === 'sweep'
  const isDone = sendsCoin && intent.token === null && status === 'success' && !isCancelled
  return isDone ? parseBaseUnits(intent.amount) + fee : fee
}

/**
 * Why a final transaction did not pay what it should, or null. A token may also report success and move nothing, or
 * keep a part.
 */
function problemOf(intent: TransactionIntent, from: string, { status, transfers }: Receipt): string | null {
  // guard: payout-reverted
  if (status === 'reverted') return 'reverted'
  if ((intent.kind !== 'transfer' && intent.kind !== 'batch') || intent.token === null) return null
  const left = transfers.filter(each => each.token === intent.token && each.from === from)
  for (const { to, amount } of intent.kind === 'batch' ? intent.payments : [intent]) {
    const place = left.findIndex(each => each.to === to && each.amount === parseBaseUnits(amount))
    // guard: payout-logged
    if (place < 0)
      return left.some(each => each.to === to && each.amount > 0n)
        ? 'the token delivered less'
        : 'the token logged no transfer'
    left.splice(place, 1)
  }
  return null
}

/** Calls each owner with its items. */
const callOwners = (
  { owners }: Parts,
  uow: UnitOfWork,
  of: LockedOutgoing,
  call: Parameters<typeof forEachOwner>[3],
): Promise<void> => forEachOwner(owners, uow, of, call)
