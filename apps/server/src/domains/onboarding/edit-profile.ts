import { merchantStatus } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { readMember } from '../../kit/member.ts'
import { createFieldRefusal, Refusal } from '../../kit/refusal.ts'
import { throttleChanges } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { changeMerchant, type Merchant, merchantById } from '../merchants/store.ts'
import { activePolicy } from '../policies/policy.ts'

type Profile = Pick<Merchant, 'name' | 'time_zone' | 'address' | 'socials' | 'website'>

/**
 * Changes the given fields of the merchant's profile. Payers see the name of an approved merchant: changing it requires
 * a proof.
 */
export async function editProfile(
  deps: Deps,
  input: {
    merchantId: string
    changes: { [key in keyof Profile]?: Profile[key] | undefined }
    proof?: Proof | undefined
    from: Visitor
  },
): Promise<void> {
  const { merchantId, proof, from } = input
  const given = Object.fromEntries(Object.entries(input.changes).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length === 0) return
  await throttleChanges(deps, merchantId)
  const renames = (merchant: Merchant | undefined) =>
    merchant?.status === merchantStatus.approved && given.name !== undefined && given.name !== merchant.name
  const guarded = renames(await merchantById(deps.pool, merchantId))
  const consume = guarded
    ? await checkProof(deps, { by: readMember(merchantId, from), proof, action: 'application' })
    : undefined
  await tx(deps.pool, async (c, uow) => {
    const locked = await lockActiveMerchant(c, merchantId)
    if (renames(locked)) {
      if (!consume) throw new Refusal('proof_needed')
      await consume(c)
      const details = { name: locked.name }
      recordEvent(deps, uow, { merchantId, type: 'appearance_changed', from, details })
    }
    if (given.time_zone !== undefined && given.time_zone !== locked.time_zone) {
      const policy = await activePolicy(c, merchantId, deps.clock())
      // Hours are those of the time zone: changing it would loosen them without a proof and at once.
      if (policy?.rules.some(rule => rule.kind === 'hours'))
        throw createFieldRefusal(
          'time_zone',
          'cannot change while the withdrawal policy has hours',
          '提现规则设有时段时不能更改',
        )
    }
    await changeMerchant(c, merchantId, given)
    recordEvent(deps, uow, { merchantId, type: 'profile_changed', from: { ...from, factor: '' } })
  })
}
