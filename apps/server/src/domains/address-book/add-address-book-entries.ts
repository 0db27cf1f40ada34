import type { AddressBookEntry } from '@coffer/contract/address-book/routes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordKnownAddresses } from '../destinations/known-addresses.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { lockMerchant } from '../merchants/store.ts'
import { checkAddressBookEntries } from './check-address-book-entries.ts'
import { countAddressBookEntries, insertAddressBookEntries, type NewAddressBookEntry } from './store.ts'

/** Largest number of entries of a merchant. */
export const addressBookEntriesMax = 5_000

/**
 * Adds entries to the address book: all, or none. Each counts as known once the cool-down of the withdrawal policy is
 * over. The merchant is notified by mail. `fieldOf` names the field of a refused entry.
 */
export async function addAddressBookEntries(
  deps: Deps,
  input: {
    merchantId: string
    entries: readonly (AddressBookEntry | Refusal)[]
    proof: Proof
    from: Visitor
    fieldOf?: (index: number, field: string | undefined) => string
  },
): Promise<string[]> {
  const { merchantId, entries, from, fieldOf } = input
  const consume = await checkProof(deps, {
    by: readMember(merchantId, input.from),
    proof: input.proof,
    action: 'address-book',
  })
  return tx(deps.pool, async (c, uow) => {
    // Locked, so that of two entries that look alike only one is added.
    requireActiveMerchant(await lockMerchant(c, merchantId), { approved: true })
    const results = await checkAddressBookEntries(c, merchantId, entries)
    const rows = results.map((each, index): NewAddressBookEntry => {
      if (!(each instanceof Refusal)) return each
      if (!fieldOf) throw each
      const { reason, detail, data, field } = each
      throw new Refusal(reason, { field: fieldOf(index, field), ...(detail && { detail }), data })
    })
    if ((await countAddressBookEntries(c, merchantId)) + rows.length > addressBookEntriesMax)
      throw new Refusal('limit_reached', { detail: most })
    await insertAddressBookEntries(c, merchantId, deps.clock(), rows)
    await recordKnownAddresses(
      c,
      rows.map(({ chain_id, address }) => ({ merchant_id: merchantId, chain_id, address, payer: false })),
    )
    await consume(c)
    const subject = rows.length === 1 ? rows[0]!.address : `${rows.length}`
    const labels = rows.map(each => each.label).join(', ')
    const details = { labels: labels.slice(0, 500) }
    recordEvent(deps, uow, { merchantId, type: 'address_added', from, params: { address_book: subject }, details })
    return rows.map(each => each.id)
  })
}

const most = { en: `at most ${addressBookEntriesMax} entries`, 'zh-CN': `最多 ${addressBookEntriesMax} 个地址` }
