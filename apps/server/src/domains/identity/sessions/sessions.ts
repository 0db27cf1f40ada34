import { limits } from '@coffer/contract/kit/limits.ts'
import { asMerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { languages } from '@coffer/contract/languages.ts'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { formatSessionName } from '../../../kit/audit.ts'
import { type Queryable, tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { hashSecret, newSecret } from '../../../kit/secrets.ts'
import type { UnitOfWork } from '../../../kit/unit-of-work.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { assertMerchantNotFrozen } from '../../merchants/active-merchant.ts'
import { changePerson, holdAfterFactorChange, type Merchant } from '../../merchants/store.ts'
import { findVisitorStanding, rememberDevice } from '../../people/devices.ts'
import {
  endSession,
  endSessionById,
  endSessionsOfPerson,
  isSessionOpen,
  noteSessionUse,
  rotateSession,
  startSession,
} from '../../people/sessions.ts'
import { listOpenSessions, openSessionsOfMerchant, sessionByToken } from '../store.ts'

/** The result of a sign-in. With `verification` the token is valid only for entering the authenticator code. */
export interface SignInResult {
  token: string
  verification: boolean
}

/**
 * Opens a session for an authenticated person of a shop: a pending one if an authenticator is bound. Both must be
 * locked, so that a concurrent freeze either ends the session or prevents it.
 */
export async function openSession(
  deps: Deps,
  uow: UnitOfWork,
  merchant: Merchant,
  from: Visitor,
  device: Pick<NewSession, 'holds' | 'isTold'> = {},
): Promise<SignInResult> {
  const verification = merchant.authenticator_secret !== null
  return { ...(await addSession(deps, uow, merchant, from, { pending: verification, ...device })), verification }
}

/**
 * Opens a session for whoever proved to read the person's mailbox. From a new device and without an authenticator,
 * holds withdrawals for a while: the mailbox alone is enough then. With `isTold` another event says so.
 */
export async function openMailboxSession(
  deps: Deps,
  uow: UnitOfWork,
  merchant: Merchant,
  from: Visitor,
  { isTold = false } = {},
): Promise<SignInResult> {
  const { known } = await findVisitorStanding(uow.c, merchant.person_id, from)
  const holds = !known && merchant.authenticator_secret === null
  if (holds) await holdAfterFactorChange(uow.c, merchant.person_id, deps.clock())
  return openSession(deps, uow, merchant, from, { holds, isTold })
}

/** Opens a session after the authenticator code was checked. */
export const openVerifiedSession = (
  deps: Deps,
  uow: UnitOfWork,
  merchant: Merchant,
  from: Visitor,
): Promise<Pick<SignInResult, 'token'>> => addSession(deps, uow, merchant, from, { pending: false })

interface NewSession {
  pending: boolean
  /** Whether withdrawals are held, because the device may be a stranger's. */
  holds?: boolean
  /** Whether another event tells of the device. */
  isTold?: boolean
}

async function addSession(
  deps: Deps,
  uow: UnitOfWork,
  merchant: Merchant,
  from: Visitor,
  { pending, holds = false, isTold = false }: NewSession,
): Promise<Pick<SignInResult, 'token'>> {
  assertMerchantNotFrozen(deps, merchant, 'account_frozen')
  const { id: merchantId, person_id: personId } = merchant
  const session = await startSession(deps, uow.c, { personId, merchantId, from, pending })
  const { token } = session
  const language = languages[from.language].tag
  if (merchant.language !== language) await changePerson(uow.c, personId, { language })
  if (pending) return { token }
  const isNew = await rememberDevice(uow.c, personId, from, deps.clock())
  const inside = { ...from, session: { name: formatSessionName(session), personId, merchantId } }
  recordEvent(deps, uow, { merchantId, personId, type: 'login', from: inside })
  const told = holds ? 'new_device_held' : 'account_new_device'
  const device = { merchantId, personId, type: 'new_device', from: inside, told, isExpected: isTold } as const
  if (isNew || holds) recordEvent(deps, uow, device)
  return { token }
}

/**
 * Gives the caller's session a new token and returns it, after a change of password or factor: a token that was stolen
 * before ends with the old one. Throws Refusal('login_expired') when the session has ended.
 */
export async function rotateToken(c: Queryable, tokenHash: Buffer): Promise<string> {
  const token = newSecret()
  if (!(await rotateSession(c, tokenHash, hashSecret(token)))) throw new Refusal('login_expired')
  return token
}

/**
 * Returns the session of a token; throws Refusal('login_expired') unless it is live and as pending as requested, and
 * Refusal('session_frozen') while the account is frozen. Every call reads it, so that a sign-out, a new password and a
 * freeze take effect immediately.
 */
export async function authenticateSession(deps: Deps, input: { token: string; pending: boolean }): Promise<Session> {
  const now = deps.clock()
  const tokenHash = hashSecret(input.token)
  const session = await sessionByToken(deps.pool, tokenHash)
  const role = session && asMerchantRole(session.role)
  if (!role || session.pending !== input.pending || !isLive(session, now)) throw new Refusal('login_expired')
  assertMerchantNotFrozen(deps, session, 'session_frozen')
  await noteSessionUse(deps.pool, { tokenHash, last_seen: session.last_seen }, now)
  const name = session.pending ? '' : formatSessionName(session)
  const { id, person_id: personId, merchant_id: merchantId, factor_missing: factorMissing } = session
  return { id, personId, merchantId, role, tokenHash, name, factorMissing }
}

/**
 * Reports whether a session is live in the same role, and lacks no required second factor, without updating its last
 * use: an open page does not keep a session alive.
 */
export async function isSessionLive(
  { pool, clock }: Deps,
  { tokenHash, role }: Pick<Session, 'tokenHash' | 'role'>,
): Promise<boolean> {
  const session = await sessionByToken(pool, tokenHash)
  const isSame = session !== undefined && !session.pending && !session.frozen && session.role === role
  return isSame && !session.factor_missing && isLive(session, clock())
}

const isLive = (session: NonNullable<Awaited<ReturnType<typeof sessionByToken>>>, now: number): boolean =>
  !session.ended && isSessionOpen(session, 'shop', now)

/** Reads the live sessions of everybody who works for a merchant. */
export const liveSessions = ({ pool, clock }: Pick<Deps, 'pool' | 'clock'>, merchantId: string) =>
  openSessionsOfMerchant(pool, merchantId, clock() - limits.sessionIdleSeconds, clock() - limits.sessionMaxSeconds)

/** Lists the person's live sessions. */
export async function listSessions({ pool, clock }: Deps, { personId, tokenHash }: Session) {
  const now = clock()
  const rows = await listOpenSessions(pool, personId, now - limits.sessionIdleSeconds, now - limits.sessionMaxSeconds)
  return rows.map(({ id, ip, device, created_at, last_seen, token_hash }) => ({
    id,
    ip,
    device,
    created_time: created_at,
    last_seen,
    current: token_hash.equals(tokenHash),
  }))
}

/** Ends the session; ending it again does nothing. */
export const logout = (deps: Deps, { personId, merchantId, tokenHash }: Session, from: Visitor): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    if (await endSession(c, tokenHash)) recordEvent(deps, uow, { merchantId, personId, type: 'logout', from })
  })

/** Ends all other sessions of the person, pending ones included, and returns their number. */
export const endOtherSessions = (
  deps: Deps,
  { personId, merchantId, tokenHash }: Session,
  from: Visitor,
): Promise<number> =>
  tx(deps.pool, async (c, uow) => {
    const ended = await endSessionsOfPerson(c, personId, tokenHash)
    if (ended > 0) recordEvent(deps, uow, { merchantId, personId, type: 'sessions_ended', from })
    return ended
  })

/** Ends one session of the person, which may be the caller's; ending it again does nothing. */
export const endOneSession = (
  deps: Deps,
  { personId, merchantId }: Session,
  id: string,
  from: Visitor,
): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    if (await endSessionById(c, personId, id))
      recordEvent(deps, uow, { merchantId, personId, type: 'session_ended', from })
  })
