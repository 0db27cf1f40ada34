import { type ProofAction, proofActions } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { type Merchant, merchantById } from '../merchants/store.ts'
import { checkAuthenticator } from './check-authenticator.ts'
import { checkCode, type Spend } from './check-code.ts'
import { takeTicket, ticketIsGood } from './tickets.ts'

/** A proof as sent by the client: a code, or a ticket obtained with one. */
export interface Proof {
  method: 'google' | 'email' | 'phone' | 'ticket'
  code: string
}

/** Returns the kinds of proof that a merchant can give for an action. A bound authenticator excludes all others. */
export function waysToProve(merchant: Merchant, action?: ProofAction): ('google' | 'email' | 'phone')[] {
  if (merchant.authenticator_secret !== null) return ['google']
  const byPhone = merchant.phone_verified && (action === undefined || proofActions[action].phone !== null)
  return byPhone ? ['email', 'phone'] : ['email']
}

/** Returns the phone number in international format. */
export const phoneTarget = (areaCode: string, phone: string) => `+${areaCode.replace('+', '')}${phone}`

/** Body field of a refused code. */
const field = 'proof.code'

/**
 * Checks the proof for an action. Call it before the action's transaction, so that wrong attempts count immediately. Call
 * the returned function within the transaction, so that the proof is consumed exactly when the action commits.
 * Refuses with `proof_needed` when the proof is missing or of the wrong kind, otherwise with the error of its kind.
 */
export async function checkProof(
  deps: Deps,
  input: { merchantId: string; proof: Proof | undefined; action: ProofAction },
): Promise<Spend> {
  const { merchantId, proof, action } = input
  const merchant = await merchantById(deps.pool, merchantId)
  if (!merchant) throw new Refusal('login_expired')
  const ways = waysToProve(merchant, action)
  if (!proof) {
    if (proofActions[action].always || ways.includes('google')) throw new Refusal('proof_needed')
    return async () => {}
  }
  if (proof.method === 'ticket') return checkTicket(deps, merchantId, proof.code, action)
  if (!ways.includes(proof.method)) throw new Refusal('proof_needed')
  if (proof.method === 'google') return checkAuthenticator(deps, merchant, proof.code, field)
  const { email, phone } = proofActions[action]
  return proof.method === 'phone' && phone !== null
    ? checkCode(deps, {
        channel: 'phone',
        target: phoneTarget(merchant.area_code, merchant.phone),
        purpose: phone,
        owner: merchantId,
        code: proof.code,
        field,
      })
    : checkCode(deps, {
        channel: 'email',
        target: merchant.email,
        purpose: email,
        owner: merchantId,
        code: proof.code,
        field,
      })
}

async function checkTicket(deps: Deps, merchantId: string, code: string, action: ProofAction): Promise<Spend> {
  const hash = hashSecret(code)
  if (!(await ticketIsGood(deps.pool, { ticket_hash: hash, merchant_id: merchantId, action }, deps.clock())))
    throw new Refusal('proof_needed')
  return async (c: Queryable) => {
    if (!(await takeTicket(c, hash, deps.clock()))) throw new Refusal('proof_needed')
  }
}
