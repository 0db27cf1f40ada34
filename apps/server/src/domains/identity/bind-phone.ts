import { phoneCodePurpose } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { isTaken } from '../../kit/taken.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mustBeActive } from '../merchants/active-merchant.ts'
import { mailEvent } from '../merchants/mails.ts'
import { changeMerchant, lockMerchant } from '../merchants/store.ts'
import { checkCode } from './check-code.ts'
import { checkProof, type Proof, phoneTarget } from './check-proof.ts'
import { dropTickets } from './tickets.ts'

/** Binds or changes the phone number. Requires a code sent to it and a proof. Holds withdrawals for a while. */
export async function bindPhone(
  deps: Deps,
  input: {
    session: { merchantId: string }
    phone: string
    area_code: string
    code: string
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<void> {
  const { merchantId } = input.session
  if (input.phone === '' || input.area_code === '') throw new Refusal('phone_and_area_code', { field: 'phone' })
  const spendCode = await checkCode(deps, {
    channel: 'phone',
    target: phoneTarget(input.area_code, input.phone),
    purpose: phoneCodePurpose.bindPhone,
    owner: merchantId,
    code: input.code,
  })
  const spendProof = await checkProof(deps, { merchantId, proof: input.proof, action: 'phone' })
  const merchant = await tx(deps.pool, async (c, uow) => {
    const locked = mustBeActive(await lockMerchant(c, merchantId))
    await spendCode(c)
    await spendProof(c)
    await changeMerchant(c, merchantId, {
      phone: input.phone,
      area_code: input.area_code.replace('+', ''),
      phone_verified: true,
      factor_changed_at: deps.clock(),
    })
    await dropTickets(c, merchantId)
    recordEvent(deps, uow, { merchantId, type: 'phone_bound', from: input.from })
    return locked
  }).catch(error => {
    throw isTaken(error, 'merchants_phone') ? new Refusal('phone_exists_or_not', { field: 'phone' }) : error
  })
  mailEvent(deps, merchant, 'phone_bound')
}
