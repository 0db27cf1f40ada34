import { limits } from '@coffer/contract/limits.ts'
import type { PasskeyAssertion, PasskeyRegistration } from '@coffer/contract/schemas.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import {
  assertionOptions,
  type PasskeyPurpose,
  passkeySite,
  registrationOptions,
  requirePasskeySite,
  signerKeyOf,
  verifyAssertion,
  verifyRegistration,
} from '../../kit/passkeys.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttleIp } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { deletePasskey, insertPasskey, passkeyStore, passkeysOf } from './passkey-store.ts'
import { type OperatorSession, openOperatorSession } from './sessions.ts'
import { rememberDevice } from './sign-in.ts'
import { endOtherSessions, lockOperator, sessionByToken } from './store.ts'

const ipLimit = { max: 100, seconds: 900 }

const ownerOf = (operatorId: string) => `operator:${operatorId}`
const newPasskey = (operatorId: string) => ({ owner: ownerOf(operatorId), action: 'passkey-new' })
const signIn: PasskeyPurpose = { owner: '', action: 'operator-login' }

/** Lists an operator's passkeys. `available`: whether browsers can use passkeys at this site. */
export async function listPasskeys(deps: Deps, { operatorId }: Pick<OperatorSession, 'operatorId'>) {
  const rows = await passkeysOf(deps.pool, operatorId)
  return {
    available: passkeySite(deps.config.operatorUrl) !== null,
    list: rows.map(({ id, name, public_key, synced, created_at, last_used, blocked_at }) => ({
      ...{ id, name, synced, created_time: created_at },
      last_used: last_used ?? 0,
      blocked: blocked_at !== null,
      signer_key: signerKeyOf(public_key),
    })),
  }
}

/** Returns what a browser needs to make a passkey. Nothing is stored. */
export async function offerPasskey(deps: Deps, { operatorId, email }: OperatorSession) {
  const site = requirePasskeySite(deps.config.operatorUrl)
  const existing = await passkeysOf(deps.pool, operatorId)
  return registrationOptions(deps, site, {
    user: { id: operatorId, name: email },
    existing,
    purpose: newPasskey(operatorId),
  })
}

/** Adds a passkey to an operator's account. */
export async function addPasskey(
  deps: Deps,
  input: { session: OperatorSession; name: string; passkey: PasskeyRegistration },
): Promise<void> {
  const { operatorId, tokenHash } = input.session
  const site = requirePasskeySite(deps.config.operatorUrl)
  const purpose = newPasskey(operatorId)
  const { passkey, consume } = await verifyRegistration(deps, site, { purpose, response: input.passkey })
  await tx(deps.pool, async c => {
    // A removal or a new link ends the session and forgets passkeys: none may be added after it.
    if (!(await lockOperator(c, operatorId)) || !(await sessionByToken(c, tokenHash)))
      throw new Refusal('login_expired')
    if ((await passkeysOf(c, operatorId)).length >= limits.passkeysMax) throw new Refusal('limit_reached')
    await consume(c)
    const { id, public_key, counter, transports, synced } = passkey
    const name = input.name.trim()
    if (!(await insertPasskey(c, operatorId, id, name, public_key, counter, transports, synced, deps.clock())))
      throw new Refusal('already_bound', { field: 'passkey' })
  })
}

/** Removes a passkey. Ends the operator's sessions, which it may have opened, but the one of `keep`. */
export const removePasskey = (
  deps: Deps,
  { operatorId, id, keep = Buffer.alloc(0) }: { operatorId: string; id: string; keep?: Buffer },
): Promise<void> =>
  tx(deps.pool, async c => {
    if (!(await lockOperator(c, operatorId))) throw new Refusal('operator_not_exist')
    if (!(await deletePasskey(c, operatorId, id))) throw new Refusal('passkey_not_exist', { field: 'id' })
    await endOtherSessions(c, operatorId, keep)
  })

/** Returns what a browser needs to sign in; the authenticator offers its passkeys of this site. */
export const askPasskeySignIn = (deps: Deps) =>
  assertionOptions(deps, requirePasskeySite(deps.config.operatorUrl), { purpose: signIn })

/** Signs in with a passkey. As it verifies its user, it stands for password and authenticator. */
export async function signInByPasskey(
  deps: Deps,
  { passkey: response, from }: { passkey: PasskeyAssertion; from: Visitor },
): Promise<{ token: string; email: string }> {
  await throttleIp(deps, 'operator passkey login', from.ip, ipLimit)
  const site = requirePasskeySite(deps.config.operatorUrl)
  const found = await verifyAssertion(deps, site, passkeyStore(deps, null, from), { purpose: signIn, response })
  return tx(deps.pool, async c => {
    const operator = await lockOperator(c, found.passkey.operator_id)
    if (!operator) throw new Refusal('passkey_error', { field: 'passkey' })
    await found.consume(c)
    await rememberDevice(deps, c, operator.id, from)
    return { token: await openOperatorSession(deps, c, operator.id, from), email: operator.email }
  })
}

/** Returns what a browser needs to sign for an action with its data; null without a passkey that can be used here. */
export async function askPasskey(
  deps: Deps,
  { operatorId }: OperatorSession,
  { action, data }: { action: string; data: Record<string, string> },
) {
  const site = passkeySite(deps.config.operatorUrl)
  const allowed = (await passkeysOf(deps.pool, operatorId)).filter(each => each.blocked_at === null)
  if (!site || allowed.length === 0) return null
  return assertionOptions(deps, site, { purpose: { owner: ownerOf(operatorId), action, data }, allowed })
}

/** Verifies a signature for an action with its data. The result is to be consumed in the transaction of the action. */
export const checkPasskey = (
  deps: Deps,
  { operatorId }: OperatorSession,
  {
    action,
    data,
    response,
    from,
  }: {
    action: string
    data: Record<string, string>
    response: PasskeyAssertion
    from: Visitor
  },
) =>
  verifyAssertion(deps, requirePasskeySite(deps.config.operatorUrl), passkeyStore(deps, operatorId, from), {
    purpose: { owner: ownerOf(operatorId), action, data },
    response,
  })
