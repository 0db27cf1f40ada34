import type { ParsedQuery } from '@coffer/contract'
import { priceSourcesText } from '@coffer/contract/labels/price-sources-text.ts'
import { fundFlowLabels } from '@coffer/contract/labels.ts'
import { defineExport } from '../../kit/export/export-rows.ts'
import { readMerchantTimeZone } from '../merchants/store.ts'
import { makeHledgerJournal } from './journal.ts'
import { type PresentedFlow, presentFlow } from './present.ts'
import { countFundFlow, type FlowAsset, type FlowFilter, type FlowRow, flowAssets, readNextFundFlow } from './store.ts'

type Filter = ParsedQuery<'GET /api/v1/account/stream/export'>
/** A posting, which is presented once for all its columns. */
type Row = FlowRow & { shown?: PresentedFlow }
interface Names {
  assets: Map<string, FlowAsset>
}

const present = (row: Row, { assets }: Names): PresentedFlow =>
  (row.shown ??= presentFlow(row, assets.get(row.asset_id)!))
/** Negative where it left the account, so that a column adds up to the change of its balance. */
const signed = (read: (shown: PresentedFlow) => string) => (row: Row, names: Names) => {
  const amount = read(present(row, names))
  return amount !== '' && row.direction === 'out' ? `-${amount}` : amount
}
const text = (read: (shown: PresentedFlow) => string) => (row: Row, names: Names) => read(present(row, names))

/** The postings of a file. Only a journal has entries of both accounts: rows of both would not add up to either. */
const filterOf = ({ format, ...filter }: Filter): FlowFilter =>
  format === 'hledger' ? filter : { ...filter, account: filter.account ?? 'available' }

/** The export of the fund flow: a spreadsheet, newest first, or a bookkeeping journal, oldest first. */
export default defineExport<Filter, Row, Names>({
  module: import.meta.url,
  fileName: 'FundFlow',
  sheet: { en: 'Fund flow', 'zh-CN': '资金流水' },
  zone: readMerchantTimeZone,
  count: (c, { merchantId, filter }) => countFundFlow(c, { merchantId, filter: filterOf(filter) }),
  names: async c => ({ assets: await flowAssets(c) }),
  next: (c, { merchantId, filter }, after, limit) =>
    readNextFundFlow(c, merchantId, filterOf(filter), filter.format !== 'xlsx', after, limit),
  text: ({ format }) => (format === 'hledger' ? makeHledgerJournal(present) : format === 'csv' ? 'csv' : undefined),
  columns: [
    { en: 'Serial number', 'zh-CN': '流水号', width: 38, cell: row => row.id },
    { en: 'Time', 'zh-CN': '时间', width: 32, time: row => row.created_at },
    {
      en: 'Transaction type',
      'zh-CN': '交易类型',
      width: 14,
      cell: (row, { language }) => fundFlowLabels[language].flowType[row.kind],
    },
    {
      en: 'Payment type',
      'zh-CN': '支付方式',
      width: 14,
      cell: (row, names) => fundFlowLabels[names.language].paymentType[present(row, names).payment_type],
    },
    {
      en: 'Fund account',
      'zh-CN': '资金账户',
      width: 18,
      cell: (row, names) => fundFlowLabels[names.language].fundAccount[present(row, names).account],
    },
    {
      en: 'Incoming / outgoing',
      'zh-CN': '收支方向',
      width: 12,
      cell: (row, names) => fundFlowLabels[names.language].flowDirection[present(row, names).direction],
    },
    { en: 'Amount', 'zh-CN': '金额', width: 18, amount: signed(shown => shown.amount) },
    { en: 'Token', 'zh-CN': '代币', width: 8, cell: text(shown => shown.token) },
    { en: 'Chain', 'zh-CN': '链', width: 18, cell: text(shown => shown.chain) },
    { en: 'Current balance', 'zh-CN': '当前余额', width: 18, amount: text(shown => shown.balance) },
    { en: 'Sending address', 'zh-CN': '发送地址', width: 44, cell: text(shown => shown.from_address) },
    { en: 'Receiving address', 'zh-CN': '接收地址', width: 44, cell: text(shown => shown.to_address) },
    { en: 'Order number', 'zh-CN': '关联单号', width: 34, cell: text(shown => shown.trade_no || shown.cause.id) },
    { en: 'Transaction', 'zh-CN': '交易哈希', width: 68, cell: text(shown => shown.txid) },
    { en: 'Value', 'zh-CN': '法币估值', width: 16, amount: signed(shown => shown.value?.amount ?? '') },
    { en: 'Fiat', 'zh-CN': '法币', width: 8, cell: text(shown => shown.value?.fiat ?? '') },
    { en: 'Rate', 'zh-CN': '汇率', width: 16, amount: text(shown => shown.value?.rate ?? '') },
    {
      en: 'Rate source',
      'zh-CN': '汇率来源',
      width: 24,
      cell: (row, { language }) => priceSourcesText(row.shown?.value?.source ?? '', language),
    },
    { en: 'Rate time', 'zh-CN': '汇率时间', width: 32, time: row => row.shown?.value?.time ?? 0 },
  ],
})
