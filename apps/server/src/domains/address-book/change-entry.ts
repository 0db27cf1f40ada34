import type { AddressBookEntry } from '@coffer/contract/address-book/routes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { lockMerchant } from '../merchants/store.ts'
import { toStoredTravelRule } from './check-address-book-entries.ts'
import { removeAddressBookEntry, type TravelRule, updateAddressBookEntry } from './store.ts'

type About = Pick<AddressBookEntry, 'label' | keyof TravelRule>

/**
 * Changes what is noted about an entry (`about`), or removes the entry (null). A removed one is not known any more, at
 * once.
 */
export async function changeOrRemoveBookEntry(
  deps: Deps,
  input: { merchantId: string; id: string; about: About | null; proof: Proof; from: Visitor },
): Promise<void> {
  const { merchantId, id, about, from } = input
  const consume = await checkProof(deps, {
    by: readMember(merchantId, input.from),
    proof: input.proof,
    action: 'address-book',
  })
  await tx(deps.pool, async (c, uow) => {
    requireActiveMerchant(await lockMerchant(c, merchantId), { approved: true })
    const now = deps.clock()
    const changed = about
      ? await updateAddressBookEntry(
          c,
          merchantId,
          id,
          about.label.trim(),
          JSON.stringify(toStoredTravelRule(about)),
          now,
        )
      : await removeAddressBookEntry(c, merchantId, id, now)
    if (!changed) throw new Refusal('entry_not_exist', { field: 'id' })
    await consume(c)
    const type = about ? 'address_changed' : 'address_removed'
    recordEvent(deps, uow, { merchantId, type, from, params: { address_book: changed.address } })
  })
}
