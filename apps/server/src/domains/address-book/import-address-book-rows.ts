import type { ErrorName, RouteData } from '@coffer/contract'
import {
  type AddressBookEntry,
  type AddressBookImportRow,
  addressBookEntry,
} from '@coffer/contract/address-book/routes.ts'
import { walletNames } from '@coffer/contract/labels/wallets.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { describeBadInput } from '../../http/describe-bad-input.ts'
import { formatRefusalText } from '../../http/errors.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { allChains } from '../chains/store.ts'
import type { Proof } from '../identity/proofs/check-proof.ts'
import { addAddressBookEntries } from './add-address-book-entries.ts'
import { checkAddressBookEntries } from './check-address-book-entries.ts'

/**
 * Reads rows as entries. The name of a network counts without its case, and its network type, such as TRC20, where only
 * one has it.
 */
async function readRows(c: Queryable, rows: readonly AddressBookImportRow[]): Promise<(AddressBookEntry | Refusal)[]> {
  const chains = (await allChains(c)).filter(each => each.enabled)
  const idOf = (text: string): string => {
    const requested = text.trim().toLowerCase()
    const byName = chains.filter(each => each.id === text.trim() || each.definition.name.toLowerCase() === requested)
    const byType = chains.filter(each => each.definition.network.toLowerCase() === requested)
    const found = byName.length > 0 ? byName : byType
    return found.length === 1 ? found[0]!.id : ''
  }
  return rows.map(({ network, ...row }) => {
    const currency_id = idOf(network)
    if (currency_id === '') {
      const names = chains.map(each => each.definition.name)
      const detail = {
        en: `Unknown network. Known networks: ${names.join(', ')}`,
        'zh-CN': `未知网络，可用网络：${names.join('、')}`,
      }
      return new Refusal('currency_not_exist', { field: 'network', detail })
    }
    const trimmed = Object.fromEntries(Object.entries(row).map(([name, text]) => [name, text.trim()]))
    const parsed = addressBookEntry.safeParse({ ...trimmed, currency_id })
    if (parsed.success) return parsed.data
    const { name, field, detail } = describeBadInput(parsed.error, true)
    if (field === 'wallet') return new Refusal(name, { field, detail: unknownWallet })
    return new Refusal(name, { field, ...(detail && { detail }) })
  })
}

/** Files have kinds of wallets by their names. */
const namesOf = (language: Language) => Object.values(walletNames[language])
const unknownWallet = {
  en: `Unknown wallet type. Known types: ${namesOf('en').join(', ')}`,
  'zh-CN': `未知钱包类型，可填写：${namesOf('zh-CN').join('、')}`,
}

/** Refusals whose detail says it all: their own words are about a single address. */
const whole: readonly ErrorName[] = ['address_in_book', 'currency_not_exist']
const isWhole = ({ reason, field = '' }: Refusal) => whole.includes(reason) || field === 'wallet'

/** Checks the rows of a file without storing anything. */
export async function checkAddressBookRows(
  { pool }: Deps,
  { merchantId, rows, language }: { merchantId: string; rows: readonly AddressBookImportRow[]; language: Language },
): Promise<RouteData<'POST /api/v1/address/import/check'>> {
  const results = await checkAddressBookEntries(pool, merchantId, await readRows(pool, rows))
  return {
    rows: results.map(each => {
      if (!(each instanceof Refusal)) return { error: '', msg: '', field: '', similar: null }
      const { reason, field = '', detail, data } = each
      const { similar = null } = (data ?? {}) as { similar?: { address: string; from: number; to: number } }
      const msg = detail && isWhole(each) ? detail[language] : formatRefusalText(reason, language, detail)
      return { error: reason, msg, field: columnOf(field), similar }
    }),
  }
}

const columnOf = (field: string) => (field === 'currency_id' ? 'network' : field)

/** Adds the rows of a file to the address book: all, or none. The refusal names the first row that cannot be added. */
export async function importAddressBookRows(
  deps: Deps,
  { rows, ...input }: { merchantId: string; rows: readonly AddressBookImportRow[]; proof: Proof; from: Visitor },
): Promise<{ added: number }> {
  const fieldOf = (index: number, field = '') => `rows.${index}.${columnOf(field)}`
  const entries = await readRows(deps.pool, rows)
  return { added: (await addAddressBookEntries(deps, { ...input, entries, fieldOf })).length }
}
