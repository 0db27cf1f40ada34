import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { resetThrottle, throttle } from '../../../kit/throttle.ts'
import { networkKey, type Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { requireActiveMerchant } from '../../merchants/active-merchant.ts'
import {
  accountById,
  accountToOpenByEmail,
  changePerson,
  holdAfterFactorChange,
  lockAccount,
} from '../../merchants/store.ts'
import { endSignIns } from '../../people/end-person.ts'
import { endSessionsOfPerson } from '../../people/sessions.ts'
import { checkCode } from '../codes/check-code.ts'
import { checkProof, type Proof } from '../proofs/check-proof.ts'
import { rotateToken } from '../sessions/sessions.ts'
import { requireWorkBeforeAttempt } from '../work/work.ts'
import { checkNewPassword } from './new-password.ts'

const changeLimit = { max: 10, seconds: 900 }
const resetIpLimit = { max: 60, seconds: 3_600 }

interface NewPassword {
  password: string
  confirm_password: string
  from: Visitor
}

/**
 * Changes the password, or sets the first one after a third-party sign-in. Requires the old password, if there is one,
 * and a proof. Ends all other sessions and returns a new token for this one.
 */
export async function changePassword(
  deps: Deps,
  input: NewPassword & { session: Session; old_password?: string | undefined; proof?: Proof | undefined },
): Promise<{ token: string }> {
  const { personId, merchantId, tokenHash } = input.session
  if (input.password !== input.confirm_password) throw new Refusal('passwords_differ', { field: 'confirm_password' })
  const before = await accountById(deps.pool, merchantId, personId)
  if (!before) throw new Refusal('login_expired')
  if (before.password_hash !== null) await checkOldPassword(deps, personId, before.password_hash, input)
  const consume = await checkProof(deps, { by: input.session, proof: input.proof, action: 'password' })
  await checkNewPassword(deps, input.password, before.email)
  const password_hash = await deps.passwords.hash(input.password, personId)
  return tx(deps.pool, async (c, uow) => {
    const locked = requireActiveMerchant(await lockAccount(c, merchantId, personId))
    if (locked.password_hash !== before.password_hash) throw new Refusal('different_password')
    await consume(c)
    await changePerson(c, personId, { password_hash })
    await endSessionsOfPerson(c, personId, tokenHash)
    recordEvent(deps, uow, { merchantId, personId, type: 'password_changed', from: input.from })
    return { token: await rotateToken(c, tokenHash) }
  })
}

async function checkOldPassword(
  deps: Deps,
  personId: string,
  hash: string,
  { old_password, password }: { old_password?: string | undefined; password: string },
): Promise<void> {
  if (!old_password) throw new Refusal('password_error', { field: 'old_password' })
  const key = `old password ${personId}`
  await throttle(deps, key, changeLimit)
  if (!(await deps.passwords.verify(hash, old_password, personId)))
    throw new Refusal('different_password', { field: 'old_password' })
  await resetThrottle(deps, key)
  if (old_password === password) throw new Refusal('same_password', { field: 'password' })
}

/**
 * Sets a new password with a code sent to the email, ends all sessions, and forgets the devices that signed in before.
 * A bound authenticator stays required. Holds withdrawals for a while: the mailbox alone is enough.
 */
export async function resetPassword(
  deps: Deps,
  input: NewPassword & { email: string; code: string; challenge?: string | undefined },
): Promise<void> {
  const { email, password } = input
  if (password !== input.confirm_password) throw new Refusal('passwords_differ', { field: 'confirm_password' })
  const count = await requireWorkBeforeAttempt(deps, 'reset', input.from, resetIpLimit)
  const consume = await checkCode(deps, ['email', email, emailCodePurpose.retrievePassword], input, input.code)
  await count()
  const found = await accountToOpenByEmail(deps.pool, email)
  const turn = networkKey(input.from.ip)
  // Reported only after a correct code, which stays valid for another password.
  if (found?.password_hash && (await deps.passwords.verify(found.password_hash, password, turn)))
    throw new Refusal('same_password', { field: 'password' })
  await checkNewPassword(deps, password, email)
  const password_hash = await deps.passwords.hash(password, turn)
  await tx(deps.pool, async (c, uow) => {
    const locked = found && (await lockAccount(c, found.id, found.person_id))
    if (locked?.email !== email || locked.password_hash !== found?.password_hash)
      throw new Refusal('email_code_error', { field: 'code' })
    await consume(c)
    const { id: merchantId, person_id: personId } = locked
    await changePerson(c, personId, { password_hash })
    await holdAfterFactorChange(c, personId, deps.clock())
    await endSignIns(c, personId)
    recordEvent(deps, uow, { merchantId, personId, type: 'password_reset', from: input.from })
  })
}
