import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../../deps.ts'
import { tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { networkKey, type Visitor } from '../../../kit/visitor.ts'
import { createMerchant } from '../../merchants/create-merchant.ts'
import { checkCode } from '../codes/check-code.ts'
import { checkNewPassword } from '../factors/new-password.ts'
import { openSession, type SignInResult } from '../sessions/sessions.ts'
import { requireWorkBeforeAttempt } from '../work/work.ts'

const ipLimit = { max: 30, seconds: 3_600 }

/**
 * Creates an account with an email, the code sent to it and a password, and signs in. Throws Refusal('mailbox_exists')
 * only after a correct code: a stranger must not learn which emails have accounts.
 */
export async function register(
  deps: Deps,
  input: {
    email: string
    code: string
    challenge?: string | undefined
    password: string
    confirm_password: string
    time_zone?: string | undefined
    from: Visitor
  },
): Promise<SignInResult> {
  const { email, code, password, time_zone, from } = input
  if (password !== input.confirm_password) throw new Refusal('passwords_differ', { field: 'confirm_password' })
  const count = await requireWorkBeforeAttempt(deps, 'register', from, ipLimit)
  const consume = await checkCode(deps, ['email', email, emailCodePurpose.register], input, code)
  await count()
  await checkNewPassword(deps, password, email)
  const password_hash = await deps.passwords.hash(password, networkKey(from.ip))
  return tx(deps.pool, async (c, uow) => {
    await consume(c)
    const merchant = await createMerchant(deps, uow, { email, name: '', password_hash, time_zone, from })
    if (!merchant) throw new Refusal('mailbox_exists', { field: 'email' })
    return openSession(deps, uow, merchant, from)
  })
}
