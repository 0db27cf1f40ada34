import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { resetThrottle, throttle, throttleIp } from '../../kit/throttle.ts'
import { ipKey, type Visitor } from '../../kit/visitor.ts'
import { lockMerchant, merchantByEmail, merchantById } from '../merchants/store.ts'
import { checkAuthenticator } from './check-authenticator.ts'
import { checkCode } from './check-code.ts'
import { openSession, openVerifiedSession, type SignedIn } from './sessions.ts'
import { countAttempt, endSession } from './store.ts'

const ipLimit = { max: 100, seconds: 900 }
const emailLimit = { max: 10, seconds: 900 }

/**
 * Signs in with email and password. Throws Refusal('wrong_credentials'), after the same work, for an unknown account, one
 * without a password, and a wrong password; Refusal('account_frozen') only after the correct password.
 */
export async function login(deps: Deps, input: { email: string; password: string; from: Visitor }): Promise<SignedIn> {
  const key = await throttleLogin(deps, input)
  const merchant = await merchantByEmail(deps.pool, input.email)
  const matches = await deps.passwords.verify(merchant?.password_hash ?? null, input.password)
  if (!merchant || !matches) throw new Refusal('wrong_credentials')
  const signedIn = await tx(deps.pool, async (c, uow) => {
    const locked = await lockMerchant(c, merchant.id)
    // The password or the email may have been changed during hashing.
    if (locked?.password_hash !== merchant.password_hash || locked?.email !== merchant.email)
      throw new Refusal('wrong_credentials')
    return openSession(deps, uow, locked, input.from)
  })
  await resetThrottle(deps, key)
  return signedIn
}

/** Signs in with email and a code sent there, for accounts without a password. */
export async function loginByCode(
  deps: Deps,
  input: { email: string; code: string; challenge?: string | undefined; from: Visitor },
): Promise<SignedIn> {
  const consume = await checkCode(deps, ['email', input.email, emailCodePurpose.login], input, input.code)
  const merchant = await merchantByEmail(deps.pool, input.email)
  return tx(deps.pool, async (c, uow) => {
    const locked = merchant && (await lockMerchant(c, merchant.id))
    if (locked?.email !== input.email) throw new Refusal('email_code_error', { field: 'code' })
    await consume(c)
    return openSession(deps, uow, locked, input.from)
  })
}

async function throttleLogin(deps: Deps, { email, from }: { email: string; from: Visitor }): Promise<string> {
  await throttleIp(deps, 'login', from.ip, ipLimit)
  // Per email and network, so that a stranger cannot lock a merchant out.
  const key = `login ${email} ${ipKey(from.ip)}`
  await throttle(deps, key, emailLimit)
  return key
}

/**
 * Completes a sign-in: exchanges a pending session and an authenticator code for a session with another token. The pending
 * session ends then, and after five wrong codes.
 */
export async function verifyLogin(
  deps: Deps,
  input: { session: Pick<Session, 'merchantId' | 'tokenHash'>; code: string; from: Visitor },
): Promise<{ token: string }> {
  const { merchantId, tokenHash } = input.session
  const attempts = (await countAttempt(deps.pool, tokenHash, limits.codeTriesMax))?.tries
  const merchant = await merchantById(deps.pool, merchantId)
  if (attempts === undefined || !merchant) throw new Refusal('login_expired')
  try {
    const consume = await checkAuthenticator(deps, merchant, input.code)
    return await tx(deps.pool, async (c, uow) => {
      const locked = await lockMerchant(c, merchantId)
      if (!locked || !(await endSession(c, tokenHash))) throw new Refusal('login_expired')
      await consume(c)
      return { token: await openVerifiedSession(deps, uow, locked, input.from) }
    })
  } catch (error) {
    if (attempts >= limits.codeTriesMax) await endSession(deps.pool, tokenHash)
    throw error
  }
}
