import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { forgive, throttle, throttleIp } from '../../kit/throttle.ts'
import { ipKey, type Visitor } from '../../kit/visitor.ts'
import { lockMerchant, merchantByEmail } from '../merchants/store.ts'
import { checkCode } from './check-code.ts'
import { openSession } from './open-session.ts'

interface SignedIn {
  token: string
  /** Whether the token is only valid for the verification with an authenticator code. */
  verification: boolean
}

const fromOneNetwork = { max: 100, seconds: 900 }
const forOneMailbox = { max: 10, seconds: 900 }

/**
 * Signs in with mailbox and password. Refuses with `wrong_credentials`, after the same work, whether the account does not
 * exist, has no password or has a different one. Discloses a frozen account only with the correct password.
 */
export async function login(deps: Deps, input: { email: string; password: string; from: Visitor }): Promise<SignedIn> {
  const key = await pace(deps, input)
  const merchant = await merchantByEmail(deps.pool, input.email)
  const fits = await deps.passwords.verify(merchant?.password_hash ?? null, input.password)
  if (!merchant || !fits) throw new Refusal('wrong_credentials')
  const signedIn = await tx(deps.pool, async (c, uow) => {
    const locked = await lockMerchant(c, merchant.id)
    // The password or the mailbox may have changed while the hash was computed.
    if (locked?.password_hash !== merchant.password_hash || locked?.email !== merchant.email)
      throw new Refusal('wrong_credentials')
    return openSession(deps, uow, locked, input.from)
  })
  await forgive(deps, key)
  return signedIn
}

/** Signs in with a code sent to the mailbox, for accounts without a password. */
export async function loginByCode(
  deps: Deps,
  input: { email: string; code: string; from: Visitor },
): Promise<SignedIn> {
  const key = await pace(deps, input)
  const spend = await checkCode(deps, {
    channel: 'email',
    target: input.email,
    purpose: emailCodePurpose.login,
    owner: '',
    code: input.code,
  })
  const merchant = await merchantByEmail(deps.pool, input.email)
  const signedIn = await tx(deps.pool, async (c, uow) => {
    const locked = merchant && (await lockMerchant(c, merchant.id))
    if (locked?.email !== input.email) throw new Refusal('email_code_error', { field: 'code' })
    await spend(c)
    return openSession(deps, uow, locked, input.from)
  })
  await forgive(deps, key)
  return signedIn
}

async function pace(deps: Deps, input: { email: string; from: Visitor }): Promise<string> {
  await throttleIp(deps, 'login', input.from.ip, fromOneNetwork)
  // Per mailbox and network, so that an attacker cannot lock out the owner.
  const key = `login ${input.email} ${ipKey(input.from.ip)}`
  await throttle(deps, key, forOneMailbox)
  return key
}
