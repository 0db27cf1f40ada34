import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import {
  accountById,
  accountToOpenByEmail,
  holdAfterFactorChange,
  lockAccount,
  type Merchant,
} from '../../merchants/store.ts'
import { countSessionAttempt, endSession } from '../../people/sessions.ts'
import { checkCode } from '../codes/check-code.ts'
import { dropAuthenticatorRemoval } from '../factors/remove-authenticator.ts'
import { checkSignInCode } from '../proofs/check-authenticator.ts'
import { checkRecoveryCode, countRecoveryCodes } from '../proofs/recovery-code-check.ts'
import { openMailboxSession, openSession, openVerifiedSession, type SignInResult } from '../sessions/sessions.ts'
import { type GuessingRules, tryPassword } from './try-password.ts'

/** How the passwords of merchants may be guessed. */
const guessing: GuessingRules<Merchant> = {
  call: 'login',
  ip: { max: 100, seconds: 900 },
  strangers: [
    { counter: '', limit: { max: 30, seconds: 900 }, dearest: 8 },
    { counter: ' day', limit: { max: 100, seconds: 86_400 }, dearest: 16 },
  ],
  idOf: merchant => merchant.person_id,
  warn: (deps, uow, { id: merchantId, person_id: personId }, from) =>
    recordEvent(deps, uow, { merchantId, personId, type: 'password_guessed', from }),
}

/**
 * Signs in with email and password. Throws Refusal('wrong_credentials'), after the same work, for an unknown account,
 * one without a password, and a wrong password; Refusal('account_frozen') only after the correct password.
 */
export async function login(
  deps: Deps,
  input: { email: string; password: string; from: Visitor },
): Promise<SignInResult> {
  const { email, from } = input
  const merchant = await accountToOpenByEmail(deps.pool, email)
  const { matches, forgive } = await tryPassword(deps, guessing, { ...input, person: merchant })
  if (!merchant || !matches) throw new Refusal('wrong_credentials')
  const signedIn = await tx(deps.pool, async (c, uow) => {
    const locked = await lockAccount(c, merchant.id, merchant.person_id)
    // The password or the email may have been changed during hashing.
    if (locked?.password_hash !== merchant.password_hash || locked?.email !== merchant.email)
      throw new Refusal('wrong_credentials')
    return openSession(deps, uow, locked, from)
  })
  await forgive()
  return signedIn
}

/** Signs in with email and a code sent there, for accounts without a password. */
export async function loginByCode(
  deps: Deps,
  input: { email: string; code: string; challenge?: string | undefined; from: Visitor },
): Promise<SignInResult> {
  const consume = await checkCode(deps, ['email', input.email, emailCodePurpose.login], input, input.code)
  const merchant = await accountToOpenByEmail(deps.pool, input.email)
  return tx(deps.pool, async (c, uow) => {
    const locked = merchant && (await lockAccount(c, merchant.id, merchant.person_id))
    if (locked?.email !== input.email) throw new Refusal('email_code_error', { field: 'code' })
    await consume(c)
    return openMailboxSession(deps, uow, locked, input.from)
  })
}

/**
 * Completes a sign-in: exchanges a pending session and an authenticator code, or a recovery code in its place, for a
 * session with another token. The pending session ends then, and after five wrong codes.
 */
export async function verifyLogin(
  deps: Deps,
  input: {
    session: Pick<Session, 'personId' | 'merchantId' | 'tokenHash'>
    from: Visitor
  } & ({ code: string } | { recovery_code: string }),
): Promise<Pick<SignInResult, 'token'>> {
  const { personId, merchantId, tokenHash } = input.session
  const attempts = (await countSessionAttempt(deps.pool, tokenHash, limits.codeTriesMax))?.tries
  const merchant = await accountById(deps.pool, merchantId, personId)
  if (attempts === undefined || !merchant) throw new Refusal('login_expired')
  try {
    const byRecovery = 'recovery_code' in input
    const consume = byRecovery
      ? await checkRecoveryCode(deps, merchant, input.recovery_code, 'recovery_code')
      : await checkSignInCode(deps, merchant, input.code, input.from)
    return await tx(deps.pool, async (c, uow) => {
      const locked = await lockAccount(c, merchantId, personId)
      if (!locked || !(await endSession(c, tokenHash))) throw new Refusal('login_expired')
      await consume(c)
      const { from } = input
      if (byRecovery) {
        // Whoever found the codes may not be the owner.
        await holdAfterFactorChange(c, personId, deps.clock())
        const details = { left: String(await countRecoveryCodes(c, personId)) }
        recordEvent(deps, uow, { merchantId, personId, type: 'recovery_code_used', from, details })
      }
      // A sign-in with the authenticator proves that it is not lost.
      else if (await dropAuthenticatorRemoval(c, personId))
        recordEvent(deps, uow, { merchantId, personId, type: 'removal_canceled', from, isExpected: true })
      return openVerifiedSession(deps, uow, locked, from)
    })
  } catch (error) {
    if (attempts >= limits.codeTriesMax) await endSession(deps.pool, tokenHash)
    throw error
  }
}
