import { kinds } from '@coffer/chains'
import type { BookEntry } from '@coffer/contract/address-book.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { differenceOf, endsOf, looksAlike } from '@coffer/core'
import type { Queryable } from '../../kit/db.ts'
import { idsInOrder } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { allChains, type ChainRow } from '../chains/store.ts'
import { isLostAddress, knownAddresses, reasons } from '../destinations/explain-destination.ts'
import { factsOf, type NewEntry, type TravelRule } from './store.ts'

/** The travel rule's fields as they are stored: without empty ones. */
export const travelRuleOf = ({ beneficiary, wallet, institution }: Pick<BookEntry, keyof TravelRule>): TravelRule => ({
  ...(beneficiary.trim() !== '' && { beneficiary: beneficiary.trim() }),
  ...(wallet !== '' && { wallet }),
  ...(institution.trim() !== '' && { institution: institution.trim() }),
})

/**
 * Checks entries that are to be added together, in order: each becomes a row to store, or a refusal. An entry that could be mistaken
 * for a known address, or for an earlier one of these, is refused. Refusals among the entries stay. Holds until the end of the transaction when the merchant is locked.
 */
export async function checkEntries(
  c: Queryable,
  merchantId: string,
  entries: readonly (BookEntry | Refusal)[],
): Promise<(NewEntry | Refusal)[]> {
  const chains = new Map((await allChains(c)).filter(each => each.enabled).map(each => [each.id, each]))
  const read = entries.map(each => (each instanceof Refusal ? each : readEntry(chains.get(each.currency_id), each)))
  const rows = read.flatMap(each => (each instanceof Refusal ? [] : [each]))
  const books = new Map<string, ChainBook>()
  for (const [chainId, same] of Map.groupBy(rows, each => each.chain_id)) {
    const { kind } = chains.get(chainId)!
    const addresses = same.map(each => each.address)
    const [facts, known, lost] = await Promise.all([
      factsOf(c, merchantId, chainId, kind, addresses),
      knownAddresses(c, merchantId, chainId),
      Promise.all(addresses.map(async each => ((await isLostAddress(c, kind, each)) ? [each] : []))),
    ])
    books.set(chainId, new ChainBook(kinds[kind].address.show, facts, known, new Set(lost.flat())))
  }
  return read.map(each =>
    each instanceof Refusal ? each : (books.get(each.chain_id)!.refusalOf(each.address) ?? each),
  )
}

const nextId = idsInOrder()

function readEntry(chain: ChainRow | undefined, entry: BookEntry): NewEntry | Refusal {
  if (!chain) return new Refusal('currency_not_exist', { field: 'currency_id' })
  const kind = kinds[chain.kind]
  const address = kind.address.parse(entry.address.trim())
  if (address === null) return new Refusal('bad_address', { field: 'address' })
  if (entry.memo !== '' && !kind.memo) return new Refusal('parameter_error', { field: 'memo', detail: noMemo })
  const { label, memo } = entry
  return { id: nextId(), chain_id: chain.id, address, label: label.trim(), memo, travel_rule: travelRuleOf(entry) }
}

const noMemo: Record<Language, string> = { en: 'this network has none', 'zh-CN': '该网络没有备注' }

/** What is known on one chain. */
class ChainBook {
  readonly #show: (address: string) => string
  readonly #facts: Map<string, Awaited<ReturnType<typeof factsOf>>[number]>
  readonly #earlier = new Set<string>()
  readonly #lost: ReadonlySet<string>
  /** In display form, by what those that look alike have in common. */
  readonly #byEnds = new Map<string, string[]>()

  constructor(
    show: (address: string) => string,
    facts: Awaited<ReturnType<typeof factsOf>>,
    known: Awaited<ReturnType<typeof knownAddresses>>,
    lost: ReadonlySet<string>,
  ) {
    this.#show = show
    this.#lost = lost
    this.#facts = new Map(facts.map(each => [each.address!, each]))
    for (const { address } of known) this.#add(show(address!))
  }

  /** Returns why an address is refused. One that is not is known from now on. */
  refusalOf(address: string): Refusal | null {
    const facts = this.#facts.get(address)!
    if (facts.is_listed) return new Refusal('address_in_book', { field: 'address' })
    if (this.#earlier.has(address)) return new Refusal('address_in_book', { field: 'address', detail: earlier })
    if (facts.is_token) return new Refusal('address_not_allowed', { field: 'address', detail: reasons.token_contract })
    if (this.#lost.has(address)) return new Refusal('address_not_allowed', { field: 'address', detail: reasons.lost })
    if (facts.is_ours) return new Refusal('address_not_allowed', { field: 'address', detail: ours })
    const shown = this.#show(address)
    const similar = this.#byEnds.get(endsOf(shown))?.find(each => looksAlike(each, shown))
    if (similar !== undefined) return lookAlike(similar, shown)
    this.#earlier.add(address)
    this.#add(shown)
    return null
  }

  #add(shown: string): void {
    const ends = endsOf(shown)
    this.#byEnds.set(ends, [...(this.#byEnds.get(ends) ?? []), shown])
  }
}

/** Refuses a look-alike. The text puts what differs into brackets, and `data` lets a page mark it. */
function lookAlike(known: string, entered: string): Refusal {
  const { from, to } = differenceOf(known, entered)!
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

const earlier: Record<Language, string> = { en: 'it stands in an earlier row', 'zh-CN': '与前面的行重复' }
const ours: Record<Language, string> = {
  en: 'it belongs to this platform; use a transfer',
  'zh-CN': '该地址属于本平台，请使用内部转账',
}
