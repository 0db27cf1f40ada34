import { chainAdapters } from '@coffer/chains'
import type { RouteData, RouteFilter } from '@coffer/contract'
import { walletNames } from '@coffer/contract/labels/wallets.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { defineExport } from '../../kit/export/export-rows.ts'
import { type Page, pageAnswer } from '../../kit/list.ts'
import type { MemberOfShop } from '../../kit/member.ts'
import { allChains } from '../chains/store.ts'
import { readMerchantTimeZone } from '../merchants/store.ts'
import { readAddressCoolDown } from '../policies/policy.ts'
import { type AddressBookRow, entryFile, listEntries } from './store.ts'

/** Lists the entries of the address book, and when each counts as known. */
export async function listAddressBook(
  deps: Deps,
  member: MemberOfShop,
  filter: RouteFilter<'GET /api/v1/address'>,
  page: Page,
): Promise<RouteData<'GET /api/v1/address'>> {
  const { pool, clock } = deps
  const { merchantId } = member
  const now = clock()
  const [coolDown, chains] = await Promise.all([readAddressCoolDown(deps, member), allChains(pool)])
  const answer = await pageAnswer(listEntries(pool, merchantId, filter, page), row => ({
    id: row.id,
    label: row.label,
    currency_id: row.chain_id,
    chain: row.definition.name,
    net_work: row.definition.network,
    address: shown(row),
    memo: row.memo,
    ...travelRule(row),
    known: row.created_at + coolDown <= now,
    known_time: row.created_at + coolDown,
    created_time: row.created_at,
  }))
  const withMemo = chains.filter(each => each.enabled && chainAdapters[each.kind].memo)
  return { ...answer, memo_networks: withMemo.map(each => each.id) }
}

const shown = ({ address, definition }: AddressBookRow) => chainAdapters[definition.kind].address.show(address)
const travelRule = ({ travel_rule: { beneficiary = '', wallet, institution = '' } }: AddressBookRow) => ({
  beneficiary,
  wallet: wallet ?? ('' as const),
  institution,
})

const walletName = (row: AddressBookRow, { language }: { language: Language }) => {
  const { wallet } = travelRule(row)
  return wallet && walletNames[language][wallet]
}

/** The export of the address book. Its columns are those that an import reads. */
export default defineExport({
  module: import.meta.url,
  fileName: 'AddressBook',
  sheet: { en: 'Address book', 'zh-CN': '地址簿' },
  zone: readMerchantTimeZone,
  ...entryFile,
  columns: [
    { en: 'Network', 'zh-CN': '网络', width: 24, cell: row => row.definition.name },
    { en: 'Address', 'zh-CN': '地址', width: 46, cell: shown },
    { en: 'Label', 'zh-CN': '备注名', width: 24, cell: row => row.label },
    { en: 'Memo', 'zh-CN': '转账备注', width: 16, cell: row => row.memo },
    { en: 'Beneficiary', 'zh-CN': '收款方', width: 28, cell: row => travelRule(row).beneficiary },
    { en: 'Wallet', 'zh-CN': '钱包类型', width: 14, cell: walletName },
    { en: 'Custodian', 'zh-CN': '托管机构', width: 24, cell: row => travelRule(row).institution },
    { en: 'Created', 'zh-CN': '添加时间', width: 32, time: row => row.created_at },
  ],
})
