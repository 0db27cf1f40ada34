import { phoneCodePurpose } from '@coffer/contract/codes.ts'
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
import { checkCode, formatPhoneNumber } from '../codes/check-code.ts'
import { checkProof, type Proof } from '../proofs/check-proof.ts'
import { rotateToken } from '../sessions/sessions.ts'
import { revokeTickets } from '../store.ts'

/**
 * Binds or changes the phone, by the code sent to it and a proof. Ends all other sessions and holds withdrawals for a
 * while. Returns a new token for this session.
 */
export async function bindPhone(
  deps: Deps,
  input: {
    session: Session
    phone: string
    area_code: string
    code: string
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<{ token: string }> {
  const { personId, merchantId, tokenHash } = input.session
  const { phone, proof } = input
  if (phone === '' || input.area_code === '') throw new Refusal('phone_and_area_code', { field: 'phone' })
  const key = ['phone', formatPhoneNumber(input.area_code, phone), phoneCodePurpose.bindPhone] as const
  const consumeProof = await checkProof(deps, { by: input.session, proof, action: 'phone' })
  const consumeCode = await checkCode(deps, key, { personId }, input.code)
  return tx(deps.pool, async (c, uow) => {
    const locked = requireActiveMerchant(await lockAccount(c, merchantId, personId))
    await consumeCode(c)
    await consumeProof(c)
    const area_code = input.area_code.replace('+', '')
    await changePerson(c, personId, { phone, area_code, phone_verified: true })
    await holdAfterFactorChange(c, personId, deps.clock())
    await revokeTickets(c, personId)
    await endSessionsOfPerson(c, personId, tokenHash)
    const formerPhone = locked.phone_verified ? formatPhoneNumber(locked.area_code, locked.phone) : ''
    recordEvent(deps, uow, { merchantId, personId, type: 'phone_bound', from: input.from, formerPhone })
    return { token: await rotateToken(c, tokenHash) }
  }).catch(error => {
    throw isUniqueViolation(error, 'persons_phone') ? new Refusal('phone_exists_or_not', { field: 'phone' }) : error
  })
}
