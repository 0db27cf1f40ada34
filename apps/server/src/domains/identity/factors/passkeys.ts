import type { ProofAction } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { PasskeyAssertion, PasskeyRegistration } from '@coffer/contract/kit/schemas.ts'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { requireActiveMerchant } from '../../merchants/active-merchant.ts'
import { accountById, holdAfterFactorChange, lockAccount, lockAccountToOpen } from '../../merchants/store.ts'
import { deletePasskey, insertPasskey, listPasskeysOfPerson, renamePasskey } from '../../people/passkeys.ts'
import { endSessionsOfPerson } from '../../people/sessions.ts'
import { merchantPasskeys } from '../passkeys/store.ts'
import { checkProof, nameShopInData, type Proof } from '../proofs/check-proof.ts'
import { openVerifiedSession, rotateToken, type SignInResult } from '../sessions/sessions.ts'
import { revokeTickets } from '../store.ts'

/** Lists the person's passkeys. */
export const listPasskeys = (deps: Deps, { personId }: Session) => merchantPasskeys.list(deps, personId)

/** Returns what a browser needs to make a passkey. Nothing is stored. */
export async function offerPasskeyRegistration(deps: Deps, { personId, merchantId }: Session) {
  const { email: name } = requireActiveMerchant(await accountById(deps.pool, merchantId, personId))
  return merchantPasskeys.offer(deps, { id: personId, name })
}

/** Returns what a browser needs to sign for an action with its data. Throws Refusal('not_bound') without a passkey. */
export const requestPasskeyAssertion = (
  deps: Deps,
  session: Session,
  { action, data }: { action: ProofAction; data?: Record<string, string> | undefined },
) => merchantPasskeys.ask(deps, session.personId, { action, data: nameShopInData(session, data) })

/** Returns what a browser needs to sign in. */
export const { askSignIn: askPasskeySignIn } = merchantPasskeys

/**
 * Adds a passkey, with a proof by another method. Holds withdrawals for a while. Returns a new token for this session.
 */
export async function addPasskey(
  deps: Deps,
  input: {
    session: Session
    name: string
    passkey: PasskeyRegistration
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<{ token: string }> {
  const { personId, merchantId, tokenHash } = input.session
  const consumeProof = await checkProof(deps, { by: input.session, proof: input.proof, action: 'passkey' })
  const { passkey, consume } = await merchantPasskeys.verifyNew(deps, personId, input.passkey)
  const name = input.name.trim()
  return tx(deps.pool, async (c, uow) => {
    requireActiveMerchant(await lockAccount(c, merchantId, personId))
    const existing = await listPasskeysOfPerson(c, personId)
    if (existing.length >= limits.passkeysMax) throw new Refusal('limit_reached')
    await consume(c)
    await consumeProof(c)
    const { id, public_key, counter, transports, synced, host } = passkey
    if (!(await insertPasskey(c, personId, id, name, public_key, counter, transports, synced, deps.clock(), host)))
      throw new Refusal('already_bound', { field: 'passkey' })
    await holdAfterFactorChange(c, personId, deps.clock())
    await revokeTickets(c, personId)
    recordEvent(deps, uow, { merchantId, personId, type: 'passkey_added', from: input.from, params: { name } })
    return { token: await rotateToken(c, tokenHash) }
  })
}

/** Changes the name of a passkey. */
export async function changePasskeyName(deps: Deps, { personId }: Session, id: string, name: string): Promise<void> {
  if (!(await renamePasskey(deps.pool, personId, id, name.trim()))) throw new Refusal('passkey_not_exist')
}

/**
 * Removes a passkey, with a proof, which it may give itself. Ends the other sessions, which may have been opened with
 * it, and returns a new token for this one.
 */
export async function removePasskey(
  deps: Deps,
  input: { session: Session; id: string; proof?: Proof | undefined; from: Visitor },
): Promise<{ token: string }> {
  const { personId, merchantId, tokenHash } = input.session
  const consume = await checkProof(deps, {
    by: input.session,
    proof: input.proof,
    action: 'passkey',
    data: { id: input.id },
  })
  return tx(deps.pool, async (c, uow) => {
    requireActiveMerchant(await lockAccount(c, merchantId, personId))
    await consume(c)
    const found = (await listPasskeysOfPerson(c, personId)).find(each => each.id === input.id)
    if (!found) throw new Refusal('passkey_not_exist', { field: 'id' })
    await deletePasskey(c, personId, input.id)
    await holdAfterFactorChange(c, personId, deps.clock())
    await revokeTickets(c, personId)
    await endSessionsOfPerson(c, personId, tokenHash)
    recordEvent(deps, uow, {
      merchantId,
      personId,
      type: 'passkey_removed',
      from: input.from,
      params: { name: found.name },
    })
    return { token: await rotateToken(c, tokenHash) }
  })
}

/** Signs in with a passkey. As it verifies its user, it stands for password and authenticator. */
export async function loginByPasskey(
  deps: Deps,
  { passkey: response, from }: { passkey: PasskeyAssertion; from: Visitor },
): Promise<SignInResult> {
  const found = await merchantPasskeys.verifySignIn(deps, { response, from })
  return tx(deps.pool, async (c, uow) => {
    const locked = await lockAccountToOpen(c, found.passkey.person_id)
    if (!locked) throw new Refusal('passkey_error', { field: 'passkey' })
    await found.consume(c)
    return { ...(await openVerifiedSession(deps, uow, locked, from)), verification: false }
  })
}
