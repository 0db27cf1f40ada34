import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import type { Deps } from '../../deps.ts'
import { recordOperatorAuditEntry } from '../../kit/audit.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { ActingOperator } from '../../kit/second-person.ts'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import { throttleIp } from '../../kit/throttle.ts'
import { networkKey, type Visitor } from '../../kit/visitor.ts'
import { checkNewPassword } from '../identity/factors/new-password.ts'
import { findTotpTimeStep } from '../identity/proofs/check-authenticator.ts'
import { offerAuthenticatorSecret, openOfferedSecret } from '../identity/proofs/offer-authenticator.ts'
import { forgetCredentials } from '../people/end-person.ts'
import { authenticatorSealPlace } from '../people/store.ts'
import type { Report } from './change-operator.ts'
import { enterConsole } from './sessions.ts'
import { acceptInvitation, asRole, insertOperator, operatorByInvitation, setInvitation } from './store.ts'

const linkSeconds = 86_400
const ipLimit = { max: 60, seconds: 3_600 }

/** Sends a link before it is stored, so that none is stored that cannot arrive. */
type Send = (link: string) => Promise<void>

/** Adds an operator. The one-time link, in which the secret follows `#`, works once within a day. */
export async function addOperator(
  deps: Deps,
  { email, role, by = '', report }: { email: string; role: OperatorRole; by?: string; report?: Report },
  send: Send = async () => {},
): Promise<{ id: string; link: string; expires_time: number }> {
  const id = newId()
  return tx(deps.pool, async (c, uow) => {
    report?.(uow)
    if (!(await insertOperator(c, id, email, role, by, deps.clock())))
      throw new Refusal('operator_exists', { field: 'email' })
    return { id, ...(await newLink(deps, c, { id, by }, send)) }
  })
}

/**
 * Makes a new one-time link for an operator who lost password or authenticator: both and all passkeys are forgotten,
 * and all sessions end.
 */
export const renewOperatorInvitation = (
  deps: Deps,
  { id, by = '', report }: { id: string; by?: string; report?: Report },
  send: Send = async () => {},
): Promise<{ link: string; expires_time: number }> =>
  tx(deps.pool, async (c, uow) => {
    report?.(uow)
    const link = await newLink(deps, c, { id, by }, send)
    await forgetCredentials(c, id)
    return link
  })

async function newLink(deps: Deps, c: Queryable, { id, by }: { id: string; by: string }, send: Send) {
  const secret = newSecret()
  const expires_time = deps.clock() + linkSeconds
  if (!(await setInvitation(c, id, hashSecret(secret), expires_time, deps.clock())))
    throw new Refusal('operator_not_exist')
  const link = `${deps.config.operatorUrl}/#invitation=${secret}`
  await send(link)
  await recordOperatorAuditEntry(c, { type: 'operator_changed', subject: `${id} invited`, now: deps.clock(), by })
  return { link, expires_time }
}

const invited = async (deps: Deps, invitation: string) => {
  const operator = await operatorByInvitation(deps.pool, hashSecret(invitation), deps.clock())
  if (!operator) throw new Refusal('invitation_ended')
  return operator
}

/** Reads a one-time link. Nothing is stored: the secret for the authenticator comes back sealed, as an offer. */
export async function readInvitation(deps: Deps, { invitation, from }: { invitation: string; from: Visitor }) {
  await throttleIp(deps, 'operator invitation', from.ip, ipLimit)
  const { id, email, role } = await invited(deps, invitation)
  return {
    email,
    role: asRole(role),
    ...offerAuthenticatorSecret(deps, authenticatorSealPlace(id), { issuer: 'Coffer console', label: email }),
  }
}

/** Sets password and authenticator of an operator by a one-time link, and signs in. A second use is refused. */
export async function redeemInvitation(
  deps: Deps,
  input: { invitation: string; password: string; offer: string; code: string; from: Visitor },
): Promise<{ token: string; by: ActingOperator }> {
  const { invitation, password, from } = input
  await throttleIp(deps, 'operator invitation', from.ip, ipLimit)
  const { id, email } = await invited(deps, invitation)
  const secret = openOfferedSecret(deps, authenticatorSealPlace(id), input.offer)
  const step = secret === undefined ? undefined : findTotpTimeStep(secret, input.code, deps.clock())
  if (secret === undefined || step === undefined) throw new Refusal('google_code_error', { field: 'google_code' })
  await checkNewPassword(deps, password, email)
  const hash = await deps.passwords.hash(password, networkKey(from.ip))
  return enterConsole(deps, from, async c => {
    const sealed = deps.seal.seal(secret, authenticatorSealPlace(id))
    // The sandbox has one person in every role.
    const since = deps.config.mode === 'sandbox' ? 0 : deps.clock()
    if (!(await acceptInvitation(c, id, hashSecret(invitation), hash, sealed, step, since)))
      throw new Refusal('invitation_ended')
    await recordOperatorAuditEntry(c, {
      type: 'operator_changed',
      subject: `${id} ${email} active`,
      now: deps.clock(),
      by: id,
    })
    return { id, email }
  })
}
