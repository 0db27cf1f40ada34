import { limits } from '@coffer/contract/kit/limits.ts'
import type { PasskeyAssertion, PasskeyRegistration } from '@coffer/contract/kit/schemas.ts'
import type { Deps } from '../../deps.ts'
import { recordOperatorAuditEntry } from '../../kit/audit.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { ActingOperator } from '../../kit/second-person.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { createPasskeyService } from '../identity/passkeys/holders.ts'
import { encodeSignerKey } from '../identity/passkeys/webauthn.ts'
import { blockPasskey, deletePasskey, insertPasskey, listPasskeysOfPerson } from '../people/passkeys.ts'
import { endSessionsOfPerson } from '../people/sessions.ts'
import { recordOperatorAction } from './action-log.ts'
import { enterConsole, type OperatorSession } from './sessions.ts'
import { lockOperator, operatorById, sessionByToken } from './store.ts'

/** Passkeys of operators. A copied one is blocked, which the log records. */
export const operatorPasskeys = createPasskeyService({
  realm: 'console',
  signIn: 'operator-login',
  url: deps => deps.config.operatorUrl,
  more: async ({ public_key }) => ({ signer_key: await encodeSignerKey(public_key) }),
  cloned: async (deps, { person_id, id, name }, from) => {
    if (!(await blockPasskey(deps.pool, person_id, id, deps.clock()))) return
    const email = (await operatorById(deps.pool, person_id))?.email ?? ''
    const by = { operatorId: person_id, email }
    await recordOperatorAction(deps, { by, action: 'passkey blocked', on: name, from }, 'passkey_cloned')
  },
})

/** Lists an operator's passkeys, each with the key as the signer's policy names it. */
export const listPasskeys = (deps: Deps, { operatorId }: Pick<OperatorSession, 'operatorId'>) =>
  operatorPasskeys.list(deps, operatorId)

/** Returns what a browser needs to make a passkey. Nothing is stored. */
export const offerPasskey = (deps: Deps, { operatorId: id, email: name }: OperatorSession) =>
  operatorPasskeys.offer(deps, { id, name })

/** Returns what a browser needs to sign in. */
export const { askSignIn: askPasskeySignIn } = operatorPasskeys

/** Adds a passkey to an operator's account. */
export async function addPasskey(
  deps: Deps,
  input: { session: OperatorSession; name: string; passkey: PasskeyRegistration },
): Promise<void> {
  const { operatorId, tokenHash } = input.session
  const { passkey, consume } = await operatorPasskeys.verifyNew(deps, operatorId, input.passkey)
  await tx(deps.pool, async c => {
    // A removal or a new link ends the session and forgets passkeys: none may be added after it.
    if (!(await lockOperator(c, operatorId)) || !(await sessionByToken(c, tokenHash)))
      throw new Refusal('login_expired')
    if ((await listPasskeysOfPerson(c, operatorId)).length >= limits.passkeysMax) throw new Refusal('limit_reached')
    await consume(c)
    const { id, public_key, counter, transports, synced, host } = passkey
    const name = input.name.trim()
    if (!(await insertPasskey(c, operatorId, id, name, public_key, counter, transports, synced, deps.clock(), host)))
      throw new Refusal('already_bound', { field: 'passkey' })
    await recordOperatorAuditEntry(c, {
      type: 'operator_changed',
      subject: `${operatorId} passkey added`,
      now: deps.clock(),
      by: operatorId,
    })
  })
}

/** Removes a passkey. Ends the operator's sessions, which it may have opened, but the one of `keep`. */
export const removePasskey = (
  deps: Deps,
  { operatorId, id, by = '', keep = null }: { operatorId: string; id: string; by?: string; keep?: Buffer | null },
): Promise<void> =>
  tx(deps.pool, async c => {
    if (!(await lockOperator(c, operatorId))) throw new Refusal('operator_not_exist')
    if (!(await deletePasskey(c, operatorId, id))) throw new Refusal('passkey_not_exist', { field: 'id' })
    await recordOperatorAuditEntry(c, {
      type: 'operator_changed',
      subject: `${operatorId} passkey removed`,
      now: deps.clock(),
      by,
    })
    await endSessionsOfPerson(c, operatorId, keep)
  })

/** Signs in with a passkey. As it verifies its user, it stands for password and authenticator. */
export async function signInByPasskey(
  deps: Deps,
  { passkey: response, from }: { passkey: PasskeyAssertion; from: Visitor },
): Promise<{ token: string; by: ActingOperator }> {
  const found = await operatorPasskeys.verifySignIn(deps, { response, from })
  return enterConsole(deps, from, async c => {
    const operator = await lockOperator(c, found.passkey.person_id)
    if (!operator) throw new Refusal('passkey_error', { field: 'passkey' })
    await found.consume(c)
    return operator
  })
}
