import { type ProofAction, proofActions } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { type Merchant, merchantById } from '../merchants/store.ts'
import { checkAuthenticator } from './check-authenticator.ts'
import { checkCode, type Spend } from './check-code.ts'
import { takeTicket, ticketIsGood } from './tickets.ts'

/** As it comes over the wire: a code, or a ticket that was traded for one. */
export interface Proof {
  method: 'google' | 'email' | 'phone' | 'ticket'
  code: string
}

/** Ways in which this merchant can confirm an action. The authenticator, once bound, is the only one. */
export function waysToProve(merchant: Merchant, action?: ProofAction): ('google' | 'email' | 'phone')[] {
  if (merchant.authenticator_secret !== null) return ['google']
  const byPhone = merchant.phone_verified && (action === undefined || proofActions[action].phone !== null)
  return byPhone ? ['email', 'phone'] : ['email']
}

/** The phone number codes go to, in international form. */
export const phoneTarget = (areaCode: string, phone: string) => `+${areaCode.replace('+', '')}${phone}`

/** Where a refused code stands in the body. */
const field = 'proof.code'

/**
 * Checks the fresh proof that an action asks for. Call it before the transaction of the action and the function it gives
 * within: wrong tries count at once, and the proof is used up exactly when the action happens.
 * Refuses with `proof_needed` when none or the wrong kind was given, else with the error of that kind of code.
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
