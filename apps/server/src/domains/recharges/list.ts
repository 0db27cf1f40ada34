import { kindNames, kinds } from '@coffer/chains'
import type { Data } from '@coffer/contract'
import { depositStateLabels } from '@coffer/contract/labels.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import type { Queryable } from '../../kit/db.ts'
import { exportRows } from '../../kit/export/export-rows.ts'
import { listAnswer, type Page } from '../../kit/list.ts'
import { addressesByText } from '../addresses/store.ts'
import { zoneOf } from '../merchants/store.ts'
import { presentDeposit } from './present.ts'
import { countRecharges, nextRecharges, pageRecharges, type RechargeFilter, type RechargeRow } from './store.ts'

interface Asked extends Omit<RechargeFilter, 'addresses'> {
  /** A whole reference or address. */
  text?: string | undefined
}

/** Resolves a text to the merchant's addresses that it names. */
async function filterOf(c: Queryable, merchantId: string, { text, ...filter }: Asked): Promise<RechargeFilter> {
  if (text === undefined) return filter
  const addresses = kindNames.flatMap(kind => kinds[kind].address.parse(text) ?? [])
  const found = await addressesByText(c, merchantId, text, addresses)
  return { ...filter, addresses: [...new Set([...addresses, ...found.map(each => each.address)])] }
}

/** Lists deposits without a payment, newest first. */
export async function listRecharges(
  c: Queryable,
  merchantId: string,
  asked: Asked,
  page: Page,
): Promise<Data<'GET /api/v1/account/recharge'>> {
  const filter = await filterOf(c, merchantId, asked)
  return listAnswer(pageRecharges(c, merchantId, filter, page), countRecharges(c, merchantId, filter), row => ({
    ...presentDeposit(row),
    token_id: row.asset_id,
    apply_name: row.apply_name,
    label: row.label,
    usdt_value: usdtValueText(row.usdt_amount),
  }))
}

const shown = (row: RechargeRow) => presentDeposit(row)

/** The export of deposits without a payment. */
export default exportRows<Asked, RechargeRow, object>({
  module: import.meta.url,
  fileName: 'RechargeRecord',
  sheet: { en: 'Recharges', 'zh-CN': '充值记录' },
  zone: zoneOf,
  count: async (c, { merchantId, filter }) => countRecharges(c, merchantId, await filterOf(c, merchantId, filter)),
  next: async (c, { merchantId, filter }, after, limit) =>
    nextRecharges(c, merchantId, await filterOf(c, merchantId, filter), after, limit),
  columns: [
    { en: 'Received', 'zh-CN': '检测时间', width: 32, time: row => row.seen_at },
    { en: 'Credited', 'zh-CN': '入账时间', width: 32, time: row => row.credited_at },
    { en: 'Status', 'zh-CN': '状态', width: 20, cell: (row, { language }) => depositStateLabels[language][row.state] },
    { en: 'Amount', 'zh-CN': '金额', width: 18, cell: row => ({ number: shown(row).amount }) },
    { en: 'Token', 'zh-CN': '代币', width: 8, cell: row => row.token },
    { en: 'Chain', 'zh-CN': '链', width: 20, cell: row => row.definition.name },
    {
      en: 'Value in USDT',
      'zh-CN': 'USDT 价值',
      width: 16,
      cell: row => ({ number: usdtValueText(row.usdt_amount) }),
    },
    { en: 'Application', 'zh-CN': '应用', width: 20, cell: row => row.apply_name },
    { en: 'Reference', 'zh-CN': '编号', width: 24, cell: row => row.reference },
    { en: 'Label', 'zh-CN': '备注名', width: 20, cell: row => row.label },
    { en: 'Address', 'zh-CN': '充值地址', width: 46, cell: row => shown(row).to_address },
    { en: 'Sender', 'zh-CN': '付款地址', width: 46, cell: row => shown(row).from_address },
    { en: 'Transaction', 'zh-CN': '交易哈希', width: 68, cell: row => shown(row).txid },
  ],
})
