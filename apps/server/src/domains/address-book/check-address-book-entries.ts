import { type ChainKind, chainAdapters } from '@coffer/chains'
import type { AddressBookEntry } from '@coffer/contract/address-book/routes.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { addressDifferenceOf, looksAlike } from '@coffer/core'
import type { Queryable } from '../../kit/db.ts'
import { makeOrderedIdGenerator } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { allChains, type ChainRow } from '../chains/store.ts'
import { destinationRefusalReasons, isUnspendableAddress } from '../destinations/explain-destination.ts'
import { findSimilarAddresses, type SimilarAddress, toVisibleAddressEnds } from '../destinations/known-addresses.ts'
import { type NewAddressBookEntry, readAddressFacts, type TravelRule } from './store.ts'

/** The travel rule's fields as they are stored: without empty ones. */
export const toStoredTravelRule = ({
  beneficiary,
  wallet,
  institution,
}: Pick<AddressBookEntry, keyof TravelRule>): TravelRule => ({
  ...(beneficiary.trim() !== '' && { beneficiary: beneficiary.trim() }),
  ...(wallet !== '' && { wallet }),
  ...(institution.trim() !== '' && { institution: institution.trim() }),
})

/**
 * Checks entries that are to be added together, in order: each becomes a row to store, or a refusal. An entry that
 * could be mistaken for one of the book or of a payout, or for an earlier one of these, is refused; of those that
 * resemble payers the page warns. Refusals among the entries stay. Holds until the end of the transaction when the
 * merchant is locked.
 */
export async function checkAddressBookEntries(
  c: Queryable,
  merchantId: string,
  entries: readonly (AddressBookEntry | Refusal)[],
): Promise<(NewAddressBookEntry | Refusal)[]> {
  const chains = new Map((await allChains(c)).filter(each => each.enabled).map(each => [each.id, each]))
  const read = entries.map(each => (each instanceof Refusal ? each : readEntry(chains.get(each.currency_id), each)))
  const rows = read.flatMap(each => (each instanceof Refusal ? [] : [each]))
  const books = new Map<string, ChainBook>()
  for (const [chainId, same] of Map.groupBy(rows, each => each.chain_id)) {
    const { kind } = chains.get(chainId)!
    const addresses = same.map(each => each.address)
    // One after the other, as a connection runs one statement at a time.
    const facts = await readAddressFacts(c, merchantId, chainId, kind, addresses)
    const similar = await findSimilarAddresses(c, { merchantId, chainId, kind }, addresses)
    const lost = new Set<string>()
    for (const each of addresses) if (await isUnspendableAddress(c, kind, each)) lost.add(each)
    books.set(chainId, new ChainBook(kind, facts, similar, lost))
  }
  return read.map(each =>
    each instanceof Refusal ? each : (books.get(each.chain_id)!.refusalOf(each.address) ?? each),
  )
}

const nextId = makeOrderedIdGenerator()

function readEntry(chain: ChainRow | undefined, entry: AddressBookEntry): NewAddressBookEntry | Refusal {
  if (!chain) return new Refusal('currency_not_exist', { field: 'currency_id' })
  const kind = chainAdapters[chain.kind]
  const address = kind.address.parse(entry.address.trim())
  if (address === null) return new Refusal('bad_address', { field: 'address' })
  if (entry.memo !== '' && !kind.memo) return new Refusal('parameter_error', { field: 'memo', detail: noMemo })
  const { label, memo } = entry
  return {
    id: nextId(),
    chain_id: chain.id,
    address,
    label: label.trim(),
    memo,
    travel_rule: toStoredTravelRule(entry),
  }
}

const noMemo: Record<Language, string> = { en: 'this network has no memo', 'zh-CN': '该网络没有转账备注' }

/** What is known on one chain. */
class ChainBook {
  readonly #kind: ChainKind
  readonly #facts: Map<string, Awaited<ReturnType<typeof readAddressFacts>>[number]>
  readonly #similar: ReadonlyMap<string, SimilarAddress>
  readonly #lost: ReadonlySet<string>
  /** The accepted ones of these entries, with what people compare of them. */
  readonly #earlier = new Map<string, ReturnType<typeof toVisibleAddressEnds>>()

  constructor(
    kind: ChainKind,
    facts: Awaited<ReturnType<typeof readAddressFacts>>,
    similar: ReadonlyMap<string, SimilarAddress>,
    lost: ReadonlySet<string>,
  ) {
    this.#kind = kind
    this.#similar = similar
    this.#lost = lost
    this.#facts = new Map(facts.map(each => [each.address!, each]))
  }

  /** Returns why an address is refused. One that is not is known from now on. */
  refusalOf(address: string): Refusal | null {
    const facts = this.#facts.get(address)!
    if (facts.is_listed) return new Refusal('address_in_book', { field: 'address' })
    if (this.#earlier.has(address)) return new Refusal('address_in_book', { field: 'address', detail: earlier })
    if (facts.is_token)
      return new Refusal('address_not_allowed', { field: 'address', detail: destinationRefusalReasons.token_contract })
    if (this.#lost.has(address))
      return new Refusal('address_not_allowed', { field: 'address', detail: destinationRefusalReasons.lost })
    if (facts.is_ours) return new Refusal('address_not_allowed', { field: 'address', detail: ours })
    const similar = this.#resembled(address)
    const { show } = chainAdapters[this.#kind].address
    if (similar !== undefined) return lookAlike(show(similar), show(address))
    this.#earlier.set(address, toVisibleAddressEnds(this.#kind, address))
    return null
  }

  #resembled(address: string): string | undefined {
    const known = this.#similar.get(address)
    if (known && !known.payer) return known.address
    const ends = toVisibleAddressEnds(this.#kind, address)
    return this.#earlier.entries().find(each => looksAlike(each[1], ends))?.[0]
  }
}

/** Refuses a look-alike. The text puts what differs into brackets, and `data` lets a page mark it. */
function lookAlike(known: string, entered: string): Refusal {
  const { from, to } = addressDifferenceOf(known, entered)!
  const mark = (text: string) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`
  return new Refusal('address_look_alike', {
    field: 'address',
    detail: {
      en: `known: ${mark(known)}, entered: ${mark(entered)}`,
      'zh-CN': `已知地址：${mark(known)}，输入地址：${mark(entered)}`,
    },
    data: { similar: { address: known, from, to } },
  })
}

const earlier: Record<Language, string> = { en: 'This address stands in an earlier row', 'zh-CN': '与前面的行重复' }
const ours: Record<Language, string> = {
  en: 'it belongs to this platform; use a transfer',
  'zh-CN': '该地址属于本平台，请使用内部转账',
}
