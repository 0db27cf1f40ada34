import { filterProofMethods, type ProofAction, proofActions, securityGroupOf } from '@coffer/contract/codes.ts'
import type { PasskeyAssertion } from '@coffer/contract/kit/schemas.ts'
import type { Deps } from '../../../deps.ts'
import { type Queryable, tx } from '../../../kit/db.ts'
import type { MemberOfShop } from '../../../kit/member.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { hashSecret, newSecret } from '../../../kit/secrets.ts'
import { assertAccountNotHeld } from '../../merchants/hold.ts'
import { type Account, accountById, keepAccount, lockAccount, type Merchant } from '../../merchants/store.ts'
import { type ConsumeCredential, checkCode, formatPhoneNumber } from '../codes/check-code.ts'
import { merchantPasskeys } from '../passkeys/store.ts'
import { checkTicket, consumeTicket, insertTicket } from '../store.ts'
import { checkAuthenticator } from './check-authenticator.ts'
import { checkRecoveryCode } from './recovery-code-check.ts'

/** A proof as sent: a code, a ticket obtained for one, or a passkey's signature. */
export type Proof =
  | { method: 'google' | 'email' | 'phone' | 'recovery' | 'ticket'; code: string }
  | { method: 'passkey'; assertion: PasskeyAssertion }

export type ProofMethod = 'passkey' | 'google' | 'email' | 'phone'

const ticketSeconds = 300

/**
 * Returns the methods by which a merchant can confirm: passkeys, a bound authenticator or else mailed codes, and a
 * bound phone. For an action, those of them that are accepted: what the merchant chose for its group, and by default no
 * phone beside an authenticator. Passkeys of another host count: whoever chose that nothing else confirms is not
 * confirmed by codes because the server moved.
 */
export async function proofMethods(c: Queryable, merchant: Merchant, action?: ProofAction): Promise<ProofMethod[]> {
  const byPhone = merchant.phone_verified && (action === undefined || proofActions[action].phone !== null)
  const codes: ProofMethod[] = [merchant.authenticator_secret !== null ? 'google' : 'email']
  if (byPhone) codes.push('phone')
  const methods: ProofMethod[] = (await merchantPasskeys.has(c, merchant.person_id)) ? ['passkey', ...codes] : codes
  if (action === undefined) return methods
  const group = securityGroupOf(action)
  return filterProofMethods(methods, group && merchant.security_switch[group])
}

/**
 * Returns the accepted methods that can be used here: without passkeys where those of the person are of another host.
 */
export async function offeredMethods(
  deps: Pick<Deps, 'config'>,
  c: Queryable,
  merchant: Merchant,
  action: ProofAction,
): Promise<ProofMethod[]> {
  const accepted = await proofMethods(c, merchant, action)
  if (await merchantPasskeys.hasHere(deps, c, merchant.person_id)) return accepted
  return accepted.filter(method => method !== 'passkey')
}

/**
 * Whether something besides codes confirms actions of a merchant: whoever reads the mailbox is not enough then. A
 * passkey of another host confirms nothing here.
 */
export const hasSecondFactor = async (deps: Pick<Deps, 'config'>, c: Queryable, merchant: Merchant): Promise<boolean> =>
  merchant.authenticator_secret !== null || (await merchantPasskeys.hasHere(deps, c, merchant.person_id))

/** Whether a recovery code may confirm: only another authenticator in place of a lost one, never money. */
const recovers = (merchant: Merchant, action: ProofAction) =>
  action === 'google-auth' && merchant.authenticator_secret !== null

/** When a passkey confirmed what this proof is for; null if none did. */
export const passkeyConfirmedAt = ({ clock }: Pick<Deps, 'clock'>, proof: Proof | undefined): number | null =>
  proof?.method === 'passkey' ? clock() : null

/**
 * Checks the proof that an action requires. Call it before the transaction of the action, so that wrong attempts count,
 * and the returned function within, so that the proof is consumed exactly when the action happens. A passkey must have
 * signed for the same `data`. Throws Refusal('proof_needed') when the proof is missing or of a wrong method, else the
 * error of the code.
 */
export async function checkProof(
  deps: Deps,
  input: {
    by: MemberOfShop
    proof: Proof | undefined
    action: ProofAction
    data?: Record<string, string> | undefined
    /** Whether it happens also while a factor of the member has changed lately: it lets nothing leave. */
    whileHeld?: boolean
  },
): Promise<ConsumeCredential> {
  const { by, proof, action } = input
  const account = await accountById(deps.pool, by.merchantId, by.personId)
  if (!account) throw new Refusal('login_expired')
  const consume = await checkFor(deps, account, input)
  return async c => {
    const now = await keepAccount(c, by.merchantId, by.personId)
    if (!now) throw new Refusal('login_expired')
    // A role that was taken away since the request was admitted.
    if (by.role !== undefined && now.role !== by.role) throw new Refusal('forbidden')
    // A factor that was changed since the check confirms nothing, and neither does one that may no longer confirm this
    // action.
    const isSame = factorFields.every(name => now[name] === account[name])
    if (!isSame || !(await mayConfirm(c, now, proof, action))) throw new Refusal('proof_needed')
    if (!input.whileHeld) assertMemberNotHeld(deps, now, action)
    await consume(c)
  }
}

/** Refuses what moves money, or may later, while a factor of somebody who is no owner has changed lately. */
function assertMemberNotHeld(deps: Deps, { role, person_changed_at }: Account, action: ProofAction): void {
  if (role === 'owner' || securityGroupOf(action) === undefined) return
  assertAccountNotHeld(deps, { held_at: 0, factor_changed_at: person_changed_at })
}

/** Adds to what a passkey signs the shop that it is for, unless it is the person's own. */
export const nameShopInData = (
  { personId, merchantId }: MemberOfShop,
  data: Record<string, string> | undefined,
): Record<string, string> | undefined => (personId === merchantId ? data : { ...data, shop: merchantId })

const factorFields = ['email', 'phone', 'area_code', 'phone_verified', 'authenticator_secret'] as const

/**
 * Whether the method of a proof may confirm an action now. Tickets are revoked with the factor for which they were
 * given.
 */
async function mayConfirm(c: Queryable, merchant: Merchant, proof: Proof | undefined, action: ProofAction) {
  if (proof?.method === 'ticket') return true
  if (proof?.method === 'recovery') return recovers(merchant, action)
  return (await proofMethods(c, merchant, action)).includes(proof?.method as ProofMethod)
}

async function checkFor(
  deps: Deps,
  merchant: Merchant,
  { by, proof, action, data: given }: Parameters<typeof checkProof>[1],
): Promise<ConsumeCredential> {
  const { email, phone } = proofActions[action]
  if (!proof) throw new Refusal('proof_needed')
  if (proof.method === 'recovery' && recovers(merchant, action))
    return checkRecoveryCode(deps, merchant, proof.code, 'proof.code')
  if (!(await mayConfirm(deps.pool, merchant, proof, action))) throw new Refusal('proof_needed')
  if (proof.method === 'passkey') {
    const data = nameShopInData(by, given)
    const signed = { action, data, response: proof.assertion, field: 'proof.assertion', from: null }
    const { consume } = await merchantPasskeys.verify(deps, by.personId, signed)
    return consume
  }
  const { method, code } = proof
  if (method === 'ticket') {
    const hash = hashSecret(code)
    if (!(await checkTicket(deps.pool, hash, by.personId, action, deps.clock()))) throw new Refusal('proof_needed')
    return async c => {
      if (!(await consumeTicket(c, hash, deps.clock()))) throw new Refusal('proof_needed')
    }
  }
  if (method === 'recovery') throw new Refusal('proof_needed')
  const field = 'proof.code'
  if (method === 'google') return checkAuthenticator(deps, merchant, code, { field })
  return method === 'phone' && phone !== null
    ? checkCode(
        deps,
        ['phone', formatPhoneNumber(merchant.area_code, merchant.phone), phone],
        { personId: by.personId },
        code,
        field,
      )
    : checkCode(deps, ['email', merchant.email, email], { personId: by.personId }, code, field)
}

/** Exchanges a code for a ticket that confirms one action once within five minutes. */
export async function exchangeProofForTicket(
  deps: Deps,
  input: { by: MemberOfShop; proof: Proof; action: ProofAction },
): Promise<{ ticket: string; expires_in: number }> {
  // A passkey signs for the action with its data, for which a ticket would not be bound.
  if (!('code' in input.proof) || ['ticket', 'recovery'].includes(input.proof.method)) throw new Refusal('proof_needed')
  const consume = await checkProof(deps, input)
  const ticket = newSecret()
  await tx(deps.pool, async c => {
    // A change of a factor revokes the ticket, or is noticed.
    await lockAccount(c, input.by.merchantId, input.by.personId)
    await consume(c)
    await insertTicket(c, hashSecret(ticket), input.by.personId, input.action, deps.clock() + ticketSeconds)
  })
  return { ticket, expires_in: ticketSeconds }
}
