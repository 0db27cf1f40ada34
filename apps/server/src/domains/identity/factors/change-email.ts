import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { isUniqueViolation } from '../../../kit/taken.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { requireActiveMerchant } from '../../merchants/active-merchant.ts'
import { changePerson, holdAfterFactorChange, lockAccount } from '../../merchants/store.ts'
import { endSessionsOfPerson } from '../../people/sessions.ts'
import { isEmailOfPerson } from '../../people/store.ts'
import { checkCode } from '../codes/check-code.ts'
import { checkProof, type Proof } from '../proofs/check-proof.ts'
import { rotateToken } from '../sessions/sessions.ts'
import { keepFormerEmail, revokeTickets } from '../store.ts'

/**
 * Changes the email, by the code sent to the new one and a proof. As the email is a factor, ends all other sessions and
 * holds withdrawals for a while. Notifies the old email. Returns a new token for this session.
 */
export async function changeEmail(
  deps: Deps,
  input: { session: Session; email: string; code: string; proof?: Proof | undefined; from: Visitor },
): Promise<{ token: string }> {
  const { personId, merchantId, tokenHash } = input.session
  const { email, proof } = input
  const taken = () => new Refusal('mailbox_exists', { field: 'email' })
  const key = ['email', email, emailCodePurpose.updateMailboxNew] as const
  const consumeProof = await checkProof(deps, { by: input.session, proof, action: 'mailbox' })
  const consumeCode = await checkCode(deps, key, { personId }, input.code)
  return tx(deps.pool, async (c, uow) => {
    const locked = requireActiveMerchant(await lockAccount(c, merchantId, personId))
    await consumeCode(c)
    await consumeProof(c)
    if (await isEmailOfPerson(c, email)) throw taken()
    await keepFormerEmail(c, personId, locked.email, deps.clock())
    await changePerson(c, personId, { email })
    await holdAfterFactorChange(c, personId, deps.clock())
    await revokeTickets(c, personId)
    await endSessionsOfPerson(c, personId, tokenHash)
    recordEvent(deps, uow, { merchantId, personId, type: 'mailbox_changed', from: input.from })
    return { token: await rotateToken(c, tokenHash) }
  }).catch(error => {
    throw isUniqueViolation(error, 'persons_email') ? taken() : error
  })
}
