import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttleIp } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mailEvent } from '../merchants/mails.ts'
import { changeMerchant, lockMerchant, merchantByEmail } from '../merchants/store.ts'
import { checkCode } from './check-code.ts'
import { endSessions } from './sessions.ts'

const fromOneNetwork = { max: 60, seconds: 3_600 }

/** Sets a new password with a code sent to the mailbox. Ends all sessions; signing in still requires the authenticator. */
export async function resetPassword(
  deps: Deps,
  input: { email: string; code: string; password: string; confirm_password: string; from: Visitor },
): Promise<void> {
  if (input.password !== input.confirm_password) throw new Refusal('passwords_differ', { field: 'confirm_password' })
  await throttleIp(deps, 'reset', input.from.ip, fromOneNetwork)
  const spend = await checkCode(deps, {
    channel: 'email',
    target: input.email,
    purpose: emailCodePurpose.retrievePassword,
    owner: '',
    code: input.code,
  })
  const found = await merchantByEmail(deps.pool, input.email)
  // Checked after the code, so that only the mailbox's owner learns it. The code remains valid for another password.
  if (found?.password_hash && (await deps.passwords.verify(found.password_hash, input.password)))
    throw new Refusal('same_password', { field: 'password' })
  const password_hash = await deps.passwords.hash(input.password)
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = found && (await lockMerchant(c, found.id))
    if (locked?.email !== input.email || locked.password_hash !== found?.password_hash)
      throw new Refusal('email_code_error', { field: 'code' })
    await spend(c)
    await changeMerchant(c, locked.id, { password_hash })
    await endSessions(c, locked.id, null)
    recordEvent(deps, uow, { merchantId: locked.id, type: 'password_reset', from: input.from })
    return locked
  })
  mailEvent(deps, merchant, 'password_reset')
}
