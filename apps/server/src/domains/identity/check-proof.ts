import { type ProofAction, proofActions } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import { type Merchant, merchantById } from '../merchants/store.ts'
import { checkAuthenticator } from './check-authenticator.ts'
import { type Consume, checkCode } from './check-code.ts'
import { checkTicket, consumeTicket, insertTicket } from './store.ts'

/** A proof as sent: a code, or a ticket obtained for one. */
export interface Proof {
  method: 'google' | 'email' | 'phone' | 'ticket'
  code: string
}

const ticketSeconds = 300

/** Returns the methods by which a merchant can confirm an action: a bound authenticator only, else codes. */
export function proofMethods(merchant: Merchant, action?: ProofAction): ('google' | 'email' | 'phone')[] {
  if (merchant.authenticator_secret !== null) return ['google']
  const byPhone = merchant.phone_verified && (action === undefined || proofActions[action].phone !== null)
  return byPhone ? ['email', 'phone'] : ['email']
}

/** Formats a phone number internationally. */
export const phoneNumber = (areaCode: string, phone: string) => `+${areaCode.replace('+', '')}${phone}`

/**
 * Checks the proof that an action requires. Call it before the transaction of the action, so that wrong attempts count, and
 * the returned function within, so that the proof is consumed exactly when the action happens. Throws
 * Refusal('proof_needed') when the proof is missing or of a wrong method, else the error of the code.
 */
export async function checkProof(
  deps: Deps,
  { merchantId, proof, action }: { merchantId: string; proof: Proof | undefined; action: ProofAction },
): Promise<Consume> {
  const merchant = await merchantById(deps.pool, merchantId)
  if (!merchant) throw new Refusal('login_expired')
  const { email, phone } = proofActions[action]
  const methods = proofMethods(merchant, action)
  if (!proof) throw new Refusal('proof_needed')
  const { method, code } = proof
  if (method === 'ticket') {
    const hash = hashSecret(code)
    if (!(await checkTicket(deps.pool, hash, merchantId, action, deps.clock()))) throw new Refusal('proof_needed')
    return async c => {
      if (!(await consumeTicket(c, hash, deps.clock()))) throw new Refusal('proof_needed')
    }
  }
  if (!methods.includes(method)) throw new Refusal('proof_needed')
  const field = 'proof.code'
  if (method === 'google') return checkAuthenticator(deps, merchant, code, { field })
  return method === 'phone' && phone !== null
    ? checkCode(deps, ['phone', phoneNumber(merchant.area_code, merchant.phone), phone], { merchantId }, code, field)
    : checkCode(deps, ['email', merchant.email, email], { merchantId }, code, field)
}

/** Exchanges a code for a ticket that confirms one action once within five minutes. */
export async function verifyAction(
  deps: Deps,
  input: { merchantId: string; proof: Proof; action: ProofAction },
): Promise<{ ticket: string; expires_in: number }> {
  if (input.proof.method === 'ticket') throw new Refusal('proof_needed')
  const consume = await checkProof(deps, input)
  const ticket = newSecret()
  await tx(deps.pool, async c => {
    await consume(c)
    await insertTicket(c, hashSecret(ticket), input.merchantId, input.action, deps.clock() + ticketSeconds)
  })
  return { ticket, expires_in: ticketSeconds }
}
