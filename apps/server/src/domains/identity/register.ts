import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttleIp } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { checkCode } from './check-code.ts'
import { openSession } from './open-session.ts'

const fromOneNetwork = { max: 30, seconds: 3_600 }

/**
 * Creates an account with a mailbox, the code sent to it and a password, and signs in. Refuses with `mailbox_exists` only
 * with a valid code, so that only the mailbox's owner learns of an existing account.
 */
export async function register(
  deps: Deps,
  input: { email: string; code: string; password: string; confirm_password: string; from: Visitor },
): Promise<{ token: string; verification: boolean }> {
  if (input.password !== input.confirm_password) throw new Refusal('passwords_differ', { field: 'confirm_password' })
  await throttleIp(deps, 'register', input.from.ip, fromOneNetwork)
  const spend = await checkCode(deps, {
    channel: 'email',
    target: input.email,
    purpose: emailCodePurpose.register,
    owner: '',
    code: input.code,
  })
  const password_hash = await deps.passwords.hash(input.password)
  return tx(deps.pool, async (c, uow) => {
    await spend(c)
    const merchant = await createMerchant(deps, uow, {
      email: input.email,
      name: '',
      password_hash,
      from: input.from,
    })
    if (!merchant) throw new Refusal('mailbox_exists', { field: 'email' })
    return openSession(deps, uow, merchant, input.from)
  })
}
