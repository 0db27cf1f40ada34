import { generateSecret, generateURI } from 'otplib'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { forgive, throttle } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mustBeActive } from '../merchants/active-merchant.ts'
import { mailEvent } from '../merchants/mails.ts'
import { changeMerchant, lockMerchant, merchantById } from '../merchants/store.ts'
import { authenticatorStep } from './check-authenticator.ts'
import { checkProof, type Proof } from './check-proof.ts'
import { endSessions } from './sessions.ts'
import { dropTickets } from './tickets.ts'

const pace = { max: 10, seconds: 900 }

/** Returns a new secret to scan. It has no effect until `bindAuthenticator` confirms it with a code. */
export async function offerAuthenticator(
  deps: Deps,
  input: { merchantId: string },
): Promise<{ secret: string; uri: string; bound: boolean }> {
  const secret = generateSecret()
  return tx(deps.pool, async c => {
    const merchant = mustBeActive(await lockMerchant(c, input.merchantId))
    await changeMerchant(c, merchant.id, { authenticator_pending: deps.seal.seal(secret) })
    const uri = generateURI({ issuer: 'Coffer', label: merchant.email, secret })
    return { secret, uri, bound: merchant.authenticator_secret !== null }
  })
}

/**
 * Binds the authenticator with the last offered secret, confirmed by one of its codes, and replaces the previous one.
 * Requires a proof by the previous authenticator or else by mail. Ends all other sessions and holds withdrawals for a while.
 */
export async function bindAuthenticator(
  deps: Deps,
  input: {
    session: { merchantId: string; tokenHash: Buffer }
    code: string
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<void> {
  const { merchantId, tokenHash } = input.session
  const before = await merchantById(deps.pool, merchantId)
  if (!before) throw new Refusal('login_expired')
  const { authenticator_pending: offered } = before
  if (offered === null) throw new Refusal('not_bound')
  const key = `new authenticator ${merchantId}`
  await throttle(deps, key, pace)
  const step = authenticatorStep(deps.seal.open(offered), input.code, deps.clock())
  if (step === undefined) throw new Refusal('google_code_error', { field: 'google_code' })
  await forgive(deps, key)
  const spend = await checkProof(deps, { merchantId, proof: input.proof, action: 'google-auth' })
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = mustBeActive(await lockMerchant(c, merchantId))
    // A concurrent request has bound it or requested another secret.
    if (locked.authenticator_pending !== offered) throw new Refusal('google_code_error', { field: 'google_code' })
    await spend(c)
    await changeMerchant(c, merchantId, {
      authenticator_secret: offered,
      authenticator_pending: null,
      authenticator_step: step,
      factor_changed_at: deps.clock(),
    })
    await dropTickets(c, merchantId)
    await endSessions(c, merchantId, tokenHash)
    recordEvent(deps, uow, { merchantId, type: 'authenticator_bound', from: input.from })
    return locked
  })
  mailEvent(deps, merchant, 'authenticator_bound')
}
