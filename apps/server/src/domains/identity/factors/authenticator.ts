import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { SealPlace } from '../../../kit/seal.ts'
import { resetThrottle, throttle } from '../../../kit/throttle.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { requireActiveMerchant } from '../../merchants/active-merchant.ts'
import { accountById, changePerson, holdAfterFactorChange, lockAccount } from '../../merchants/store.ts'
import { endSessionsOfPerson } from '../../people/sessions.ts'
import { authenticatorSealPlace } from '../../people/store.ts'
import { authenticatorCodeLimit, findTotpTimeStep } from '../proofs/check-authenticator.ts'
import { checkProof, type Proof } from '../proofs/check-proof.ts'
import { offerAuthenticatorSecret, openOfferedSecret } from '../proofs/offer-authenticator.ts'
import { rotateToken } from '../sessions/sessions.ts'
import { revokeTickets } from '../store.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { dropAuthenticatorRemoval } from './remove-authenticator.ts'

/** The place of an offer's seal. Nothing is stored there. */
const offerOf = (personId: string): SealPlace => ({ column: 'persons.authenticator_offer', row: personId })

/** Offers a new secret for the authenticator; `bindAuthenticator` gets the offer back. */
export async function offerAuthenticator(
  deps: Deps,
  { personId, merchantId }: Pick<Session, 'personId' | 'merchantId'>,
): Promise<{ secret: string; uri: string; bound: boolean; offer: string }> {
  const merchant = requireActiveMerchant(await accountById(deps.pool, merchantId, personId))
  const offered = offerAuthenticatorSecret(deps, offerOf(personId), { issuer: 'Coffer', label: merchant.email })
  return { ...offered, bound: merchant.authenticator_secret !== null }
}

/**
 * Binds the authenticator with an offered secret, by one of its codes and a proof, in place of any previous one, whose
 * removal it cancels. Ends all other sessions, returns a new token for this one, and recovery codes if wanted, and
 * holds withdrawals for a while. Methods chosen before the first one confirm nothing instead of it.
 */
export async function bindAuthenticator(
  deps: Deps,
  input: {
    session: Session
    offer: string
    code: string
    recovery_codes?: boolean | undefined
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<{ token: string; recovery_codes?: string[] }> {
  const { personId, merchantId, tokenHash } = input.session
  const consume = await checkProof(deps, { by: input.session, proof: input.proof, action: 'google-auth' })
  const secret = openOfferedSecret(deps, offerOf(personId), input.offer)
  if (secret === undefined) throw new Refusal('not_bound')
  const wrong = () => new Refusal('google_code_error', { field: 'google_code' })
  const key = `new authenticator ${personId}`
  await throttle(deps, key, authenticatorCodeLimit)
  const step = findTotpTimeStep(secret, input.code, deps.clock())
  if (step === undefined) throw wrong()
  await resetThrottle(deps, key)
  return tx(deps.pool, async (c, uow) => {
    const locked = requireActiveMerchant(await lockAccount(c, merchantId, personId))
    await consume(c)
    const byPasskey = Object.entries(locked.security_switch).filter(([, choice]) => choice === 'passkey')
    await changePerson(c, personId, {
      ...(locked.authenticator_secret === null && { security_switch: Object.fromEntries(byPasskey) }),
      authenticator_secret: deps.seal.seal(secret, authenticatorSealPlace(personId)),
      authenticator_step: step,
    })
    await holdAfterFactorChange(c, personId, deps.clock())
    await revokeTickets(c, personId)
    await endSessionsOfPerson(c, personId, tokenHash)
    recordEvent(deps, uow, { merchantId, personId, type: 'authenticator_bound', from: input.from })
    // The removal was of the previous one.
    if (await dropAuthenticatorRemoval(c, personId))
      recordEvent(deps, uow, { merchantId, personId, type: 'removal_canceled', from: input.from, isExpected: true })
    const codes = input.recovery_codes && { recovery_codes: await replaceRecoveryCodes(c, personId) }
    return { token: await rotateToken(c, tokenHash), ...codes }
  })
}
