import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { forgive, throttle } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mustBeActive } from '../merchants/active-merchant.ts'
import { mailEvent } from '../merchants/mails.ts'
import { changeMerchant, lockMerchant, merchantById } from '../merchants/store.ts'
import { checkProof, type Proof } from './check-proof.ts'
import { endSessions } from './sessions.ts'

const pace = { max: 10, seconds: 900 }

/**
 * Changes the password, or sets the first one of an account created by a third-party sign-in. Requires the old password,
 * if there is one, and a proof. Ends all other sessions.
 */
export async function changePassword(
  deps: Deps,
  input: {
    session: { merchantId: string; tokenHash: Buffer }
    old_password?: string | undefined
    password: string
    confirm_password: string
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<void> {
  const { merchantId, tokenHash } = input.session
  if (input.password !== input.confirm_password) throw new Refusal('passwords_differ', { field: 'confirm_password' })
  const before = await merchantById(deps.pool, merchantId)
  if (!before) throw new Refusal('login_expired')
  if (before.password_hash !== null) await checkOld(deps, before.id, before.password_hash, input)
  const spend = await checkProof(deps, { merchantId, proof: input.proof, action: 'password' })
  const password_hash = await deps.passwords.hash(input.password)
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = mustBeActive(await lockMerchant(c, merchantId))
    if (locked.password_hash !== before.password_hash) throw new Refusal('different_password')
    await spend(c)
    await changeMerchant(c, merchantId, { password_hash })
    await endSessions(c, merchantId, tokenHash)
    recordEvent(deps, uow, { merchantId, type: 'password_changed', from: input.from })
    return locked
  })
  mailEvent(deps, merchant, 'password_changed')
}

async function checkOld(
  deps: Deps,
  merchantId: string,
  hash: string,
  input: { old_password?: string | undefined; password: string },
): Promise<void> {
  if (!input.old_password) throw new Refusal('password_error', { field: 'old_password' })
  const key = `old password ${merchantId}`
  await throttle(deps, key, pace)
  if (!(await deps.passwords.verify(hash, input.old_password)))
    throw new Refusal('different_password', { field: 'old_password' })
  await forgive(deps, key)
  if (input.old_password === input.password) throw new Refusal('same_password', { field: 'password' })
}
