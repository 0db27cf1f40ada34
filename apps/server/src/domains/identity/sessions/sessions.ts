import { limits } from '@coffer/contract/kit/limits.ts'
import { languages } from '@coffer/contract/languages.ts'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { formatSessionName } from '../../../kit/audit.ts'
import { type Queryable, tx } from '../../../kit/db.ts'
import { newId } from '../../../kit/ids.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { hashSecret, newSecret } from '../../../kit/secrets.ts'
import type { UnitOfWork } from '../../../kit/unit-of-work.ts'
import { deviceName, plainIp, type Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { assertMerchantNotFrozen } from '../../merchants/active-merchant.ts'
import { changeMerchant, type Merchant } from '../../merchants/store.ts'
import {
  endSession,
  endSessionById,
  endSessions,
  insertSession,
  listOpenSessions,
  rotateSession,
  sessionByToken,
  touchSession,
} from '../store.ts'
import { findVisitorStanding, isNewDevice, rememberDevice } from './known-device.ts'

/** Minimum seconds between two updates of a session's last use. */
const touchSeconds = 30
/** Seconds within which a pending session must be verified. */
const pendingSeconds = 600

/** The result of a sign-in. With `verification` the token is valid only for entering the authenticator code. */
export interface SignInResult {
  token: string
  verification: boolean
  /** Whom to notify of a sign-in on a new device, once it is committed. */
  newDevice?: Merchant
  /** The same, if the sign-in holds withdrawals. */
  held?: Merchant
}

/**
 * Opens a session for an authenticated merchant: a pending one if an authenticator is bound. The merchant must be
 * locked, so that a concurrent freeze either ends the session or prevents it.
 */
export async function openSession(
  deps: Deps,
  uow: UnitOfWork,
  merchant: Merchant,
  from: Visitor,
): Promise<SignInResult> {
  const verification = merchant.authenticator_secret !== null
  return { ...(await addSession(deps, uow, merchant, from, verification)), verification }
}

/**
 * Opens a session for whoever proved to read the merchant's mailbox. From a new device and without an authenticator,
 * holds withdrawals for a while: the mailbox alone is enough then.
 */
export async function openMailboxSession(
  deps: Deps,
  uow: UnitOfWork,
  merchant: Merchant,
  from: Visitor,
): Promise<SignInResult> {
  const { known } = await findVisitorStanding(uow.c, merchant.id, from)
  const { newDevice, ...signedIn } = await openSession(deps, uow, merchant, from)
  if (known || signedIn.verification) return signedIn
  await changeMerchant(uow.c, merchant.id, { factor_changed_at: deps.clock() })
  if (!newDevice) recordEvent(deps, uow, { merchantId: merchant.id, type: 'new_device', from })
  return { ...signedIn, held: merchant }
}

/** Opens a session after the authenticator code was checked. */
export const openVerifiedSession = (
  deps: Deps,
  uow: UnitOfWork,
  merchant: Merchant,
  from: Visitor,
): Promise<Pick<SignInResult, 'token' | 'newDevice'>> => addSession(deps, uow, merchant, from, false)

async function addSession(deps: Deps, uow: UnitOfWork, merchant: Merchant, from: Visitor, pending: boolean) {
  assertMerchantNotFrozen(deps, merchant, 'account_frozen')
  const token = newSecret()
  const ip = plainIp(from.ip)
  const device = deviceName(from.device)
  const id = newId()
  const created_at = deps.clock()
  await insertSession(uow.c, hashSecret(token), id, merchant.id, pending, ip, device, created_at)
  const language = languages[from.language].tag
  if (merchant.language !== language) await changeMerchant(uow.c, merchant.id, { language })
  if (pending) return { token }
  const isNew = await isNewDevice(uow.c, merchant.id, from)
  await rememberDevice(uow.c, merchant.id, from, deps.clock())
  const inside = { ...from, session: { name: formatSessionName({ id, device, created_at }) } }
  recordEvent(deps, uow, { merchantId: merchant.id, type: 'login', from: inside })
  if (isNew) recordEvent(deps, uow, { merchantId: merchant.id, type: 'new_device', from: inside })
  return { token, ...(isNew && { newDevice: merchant }) }
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
  if (!session || session.pending !== input.pending || !isLive(session, now)) throw new Refusal('login_expired')
  assertMerchantNotFrozen(deps, session, 'session_frozen')
  if (now - session.last_seen >= touchSeconds) await touchSession(deps.pool, tokenHash, now, touchSeconds)
  const name = session.pending ? '' : formatSessionName(session)
  return { id: session.id, merchantId: session.merchant_id, tokenHash, name }
}

/** Reports whether a session is live, without updating its last use: an open page does not keep a session alive. */
export async function isSessionLive({ pool, clock }: Deps, tokenHash: Buffer): Promise<boolean> {
  const session = await sessionByToken(pool, tokenHash)
  return session !== undefined && !session.pending && !session.frozen && isLive(session, clock())
}

function isLive(session: NonNullable<Awaited<ReturnType<typeof sessionByToken>>>, now: number): boolean {
  const { closed, pending, created_at, last_seen } = session
  const max = pending ? pendingSeconds : limits.sessionMaxSeconds
  return !closed && now - created_at < max && now - last_seen < limits.sessionIdleSeconds
}

/** Reads the live sessions of a merchant. */
export const liveSessions = ({ pool, clock }: Pick<Deps, 'pool' | 'clock'>, merchantId: string) =>
  listOpenSessions(pool, merchantId, clock() - limits.sessionIdleSeconds, clock() - limits.sessionMaxSeconds)

/** Lists the merchant's live sessions. */
export async function listSessions(deps: Deps, { merchantId, tokenHash }: Session) {
  const rows = await liveSessions(deps, merchantId)
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
export const logout = (deps: Deps, { merchantId, tokenHash }: Session, from: Visitor): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    if (await endSession(c, tokenHash)) recordEvent(deps, uow, { merchantId, type: 'logout', from })
  })

/** Ends all other sessions of the merchant, pending ones included, and returns their number. */
export const endOtherSessions = (deps: Deps, { merchantId, tokenHash }: Session, from: Visitor): Promise<number> =>
  tx(deps.pool, async (c, uow) => {
    const ended = await endSessions(c, merchantId, tokenHash)
    if (ended > 0) recordEvent(deps, uow, { merchantId, type: 'sessions_ended', from })
    return ended
  })

/** Ends one session of the merchant, which may be the caller's; ending it again does nothing. */
export const endOneSession = (deps: Deps, { merchantId }: Session, id: string, from: Visitor): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    if (await endSessionById(c, merchantId, id)) recordEvent(deps, uow, { merchantId, type: 'session_ended', from })
  })
