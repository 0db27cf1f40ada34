import { generateSecret, generateURI } from 'otplib'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SealPlace } from '../../kit/seal.ts'
import { resetThrottle, throttle } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mustBeActive } from '../merchants/active-merchant.ts'
import { mailEvent } from '../merchants/mails.ts'
import { changeMerchant, lockMerchant, merchantById } from '../merchants/store.ts'
import { authenticatorAt, codeLimit, timeStep } from './check-authenticator.ts'
import { checkProof, type Proof } from './check-proof.ts'
import { endSessions, revokeTickets } from './store.ts'

const pendingAt = (merchantId: string): SealPlace => ({ column: 'merchants.authenticator_pending', row: merchantId })

/** Returns a new secret to scan. It is bound by `bindAuthenticator`. */
export async function offerAuthenticator(
  deps: Deps,
  { merchantId }: Pick<Session, 'merchantId'>,
): Promise<{ secret: string; uri: string; bound: boolean }> {
  const secret = generateSecret()
  return tx(deps.pool, async c => {
    const merchant = mustBeActive(await lockMerchant(c, merchantId))
    await changeMerchant(c, merchantId, { authenticator_pending: deps.seal.seal(secret, pendingAt(merchantId)) })
    const uri = generateURI({ issuer: 'Coffer', label: merchant.email, secret })
    return { secret, uri, bound: merchant.authenticator_secret !== null }
  })
}

/**
 * Binds the authenticator with the last offered secret, by one of its codes and a proof, in place of any previous one. Ends
 * all other sessions and holds withdrawals for a while.
 */
export async function bindAuthenticator(
  deps: Deps,
  input: { session: Session; code: string; proof?: Proof | undefined; from: Visitor },
): Promise<void> {
  const { merchantId, tokenHash } = input.session
  const consume = await checkProof(deps, { merchantId, proof: input.proof, action: 'google-auth' })
  const before = await merchantById(deps.pool, merchantId)
  if (!before) throw new Refusal('login_expired')
  const { authenticator_pending: offered } = before
  if (offered === null) throw new Refusal('not_bound')
  const wrong = () => new Refusal('google_code_error', { field: 'google_code' })
  const key = `new authenticator ${merchantId}`
  await throttle(deps, key, codeLimit)
  const secret = deps.seal.open(offered, pendingAt(merchantId))
  const step = timeStep(secret, input.code, deps.clock())
  if (step === undefined) throw wrong()
  await resetThrottle(deps, key)
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = mustBeActive(await lockMerchant(c, merchantId))
    // A concurrent request bound it or was offered another secret.
    if (locked.authenticator_pending !== offered) throw wrong()
    await consume(c)
    await changeMerchant(c, merchantId, {
      authenticator_secret: deps.seal.seal(secret, authenticatorAt(merchantId)),
      authenticator_pending: null,
      authenticator_step: step,
      factor_changed_at: deps.clock(),
    })
    await revokeTickets(c, merchantId)
    await endSessions(c, merchantId, tokenHash)
    recordEvent(deps, uow, { merchantId, type: 'authenticator_bound', from: input.from })
    return locked
  })
  mailEvent(deps, merchant, 'authenticator_bound')
}

/** Removes a lost authenticator, for the operator, who must verify the identity of the merchant first. */
export async function removeAuthenticator(deps: Deps, { merchantId }: { merchantId: string }): Promise<void> {
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = await lockMerchant(c, merchantId)
    if (!locked) throw new Refusal('merchant_not_exist')
    if (locked.authenticator_secret === null) throw new Refusal('not_bound')
    await changeMerchant(c, merchantId, {
      authenticator_secret: null,
      authenticator_pending: null,
      authenticator_step: 0,
      factor_changed_at: deps.clock(),
    })
    await revokeTickets(c, merchantId)
    await endSessions(c, merchantId, null)
    recordEvent(deps, uow, { merchantId, type: 'authenticator_removed', from: null })
    return locked
  })
  mailEvent(deps, merchant, 'authenticator_removed')
}
