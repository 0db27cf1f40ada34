import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { registry } from '../../kit/metrics.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { SignerRefused, SignerUnavailable } from '../../signer/client.ts'
import type { SignedRawTransaction, SignerRefusal, SignRequest } from '../../signer/protocol.ts'
import { incidents } from '../chains/store.ts'
import { insertOwnTransaction } from './own-store.ts'
import type { AttemptDraft } from './sender.ts'
import {
  insertAttempt,
  lockOutgoing,
  type OpenOutgoing,
  type OutgoingAttempt,
  setCancelled,
  setTransactionWaitReason,
} from './store.ts'
import { haltWallet } from './wallets.ts'

export const signerSilentGauge = new Gauge({
  name: 'coffer_signer_silent',
  help: '1 while the signer does not answer',
  registers: [registry],
})

/** Refusals that pass by themselves, or once the operator raises a limit. */
export const temporaryRefusals: SignerRefusal[] = ['fee_too_high', 'daily_limit', 'worth_unknown']

/**
 * Has the next attempt of a transaction signed, and stores the bytes; only then may they be broadcast. Returns null
 * when nothing was signed or another process was first. The signer signs a nonce for one payout only, so a signature
 * that was lost in a crash is harmless: the next one pays the same.
 */
export async function signAttempt(
  deps: Deps,
  row: OpenOutgoing,
  before: readonly OutgoingAttempt[],
  { request, kind, gas, fees, consumed }: AttemptDraft,
): Promise<OutgoingAttempt | null> {
  const { chain_id, from_address, nonce } = row
  const signed = await sign(deps, row, request, before.length > 0)
  if (!signed) return null
  if (signed.from !== from_address) {
    await tx(deps.pool, (_, uow) => haltWallet(deps, uow, row, encodeHaltReason('other_wallet', signed.from)))
    return null
  }
  const attempt: OutgoingAttempt = {
    chain_id,
    from_address,
    nonce,
    attempt: before.length,
    raw: signed.raw,
    txid: signed.txid,
    kind,
    gas,
    max_fee: fees?.maxFeePerGas ?? 1n,
    max_tip: fees?.maxPriorityFeePerGas ?? 0n,
    expires: consumed && 'expires' in consumed ? consumed.expires : null,
    created_at: deps.clock(),
    broadcasts: 0,
    broadcast_at: null,
  }
  // guard: store-first
  return tx(deps.pool, async c => {
    const now = await lockOutgoing(c, chain_id, from_address, nonce)
    // A cancellation must not be followed by the payout it cancels, nor a transaction in a block by another.
    const isCurrent =
      now && ['assigned', 'sent'].includes(now.state) && (now.cancel_reason === null || kind === 'cancel')
    if (!isCurrent || !(await insertAttempt(c, row, attempt))) return null
    const { intent } = row
    const isOfDeposit = (intent.kind === 'sweep' || intent.kind === 'transfer') && intent.index !== null
    const deposit = isOfDeposit ? from_address : intent.kind === 'gas' && intent.index !== null ? signed.to : null
    // guard: own-noted
    if (deposit !== null) await insertOwnTransaction(c, chain_id, signed.txid, deposit, attempt.created_at)
    return attempt
  })
}

async function sign(
  deps: Deps,
  row: OpenOutgoing,
  request: SignRequest,
  isAgain: boolean,
): Promise<SignedRawTransaction | null> {
  try {
    const signed = await deps.signer.sign(request)
    signerSilentGauge.set(0)
    return signed
  } catch (error) {
    if (error instanceof SignerUnavailable) {
      signerSilentGauge.set(1)
      deps.log.warn({ chain: row.chain_id, nonce: row.nonce, reason: error.message }, 'the signer does not answer')
    } else if (error instanceof SignerRefused) {
      signerSilentGauge.set(0)
      // Another process had it signed a moment ago, or died before it stored that: nothing is wrong, and it expires.
      if (error.refusal === 'not_expired') return null
      await tx(deps.pool, (_, uow) => noteRefusal(deps, uow, row, error.refusal, isAgain || request.kind === 'cancel'))
    } else throw error
    return null
  }
}

/**
 * Records a refusal. A nonce that the signer knows for another payout halts the wallet: the database was restored from
 * a backup. A limit is waited for. Whatever will never be signed is cancelled, because later nonces wait for this one.
 */
async function noteRefusal(
  deps: Deps,
  uow: UnitOfWork,
  row: OpenOutgoing,
  refusal: SignerRefusal,
  mustWait: boolean,
): Promise<void> {
  const { chain_id, from_address, nonce } = row
  const reason = `signer: ${refusal}`
  if (refusal === 'nonce_taken') return haltWallet(deps, uow, row, encodeHaltReason('nonce_signed'))
  const waits = mustWait || temporaryRefusals.includes(refusal)
  const record = waits ? setTransactionWaitReason : setCancelled
  if ((await record(uow.c, chain_id, from_address, nonce, reason, deps.clock())) === 0) return
  const detail = { wallet: from_address, nonce, reason }
  uow.add(incidents, [{ id: newId(), kind: 'payout_refused', chain_id, detail, created_at: deps.clock() }])
  deps.log.error({ chain: chain_id, nonce, reason }, waits ? 'a payout waits for a limit' : 'a payout is cancelled')
}
