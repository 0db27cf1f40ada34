import { chainForms } from '@coffer/chains/forms.ts'
import { codeNameOf, paymentStatus } from '@coffer/contract/codes.ts'
import { formatBasisPoints } from '@coffer/contract/kit/basis-points.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { paymentExceptionLabels, paymentLabels } from '@coffer/contract/labels.ts'
import { paymentLinkMetadataKey } from '@coffer/contract/payment-links/metadata.ts'
import { usdtDecimals } from '@coffer/core/amounts.ts'
import { all, type Queryable, type Statements } from '../../../kit/db.ts'
import { defineSearchedExport } from '../../../kit/export/export-rows.ts'
import { type PaymentScope, visibleTo } from '../../../kit/visible-to.ts'
import { allApplications } from '../../applications/store.ts'
import { type AssetName, readAssetNames } from '../../chains/currencies.ts'
import { readMerchantTimeZone } from '../../merchants/store.ts'
import {
  type FoundPayments,
  findPayments,
  nextPayments,
  type PaymentFilter,
  readFoundPaymentPage,
} from './payment-list.ts'

/** A payment in an export. Amounts are in base units, times in unix seconds (0 for never). */
type ExportRow = Statements['payments-next']['row'] & {
  /** The credited transactions, separated by spaces. */
  txid: string
}

/** Place of a payment in lists. */
type Place = Pick<ExportRow, 'created_at' | 'trade_no'>

/** Writes the place of a payment as a cursor, which `readPaymentsAfter` reads. */
export const formatPaymentCursor = ({ created_at, trade_no }: Place): string => `${created_at}-${trade_no}`

/**
 * Reads the payments after a cursor, newest first. A text that finds too many finds the newest of those, so that orders
 * created since do not shift what is found.
 */
export async function readPaymentsAfter(
  c: Queryable,
  scope: PaymentScope,
  filter: PaymentFilter,
  cursor: string,
  limit: number,
) {
  const [seconds, trade_no] = cursor.split('-') as [string, string]
  const created_at = Number(seconds)
  const { end_time = created_at } = filter
  const found = await findPayments(c, scope, { ...filter, end_time: Math.min(end_time, created_at) })
  return nextPayments(c, { merchantId: scope.merchantId, filter: found }, { created_at, trade_no }, limit)
}

/** Payment by payment: PostgreSQL before 18 may read all deposits of a merchant for many payments at once. */
const paidBy = all(
  'payments-txids',
  `select p.trade_no, d.kind, d.txid from unnest($2::text[]) as p (trade_no) cross join lateral (
     select h.kind, d.txid from deposits d join chains h on h.id = d.chain_id
     where d.merchant_id = $1 and d.trade_no = p.trade_no and d.state = 'credited' order by d.seen_at, d.id
   ) d`,
)

/** Reads the display txids credited to a merchant's payments, by trade_no, separated by spaces. */
export async function readTxids(c: Queryable, merchantId: string, tradeNos: string[]): Promise<Map<string, string>> {
  const rows = await paidBy(c, merchantId, tradeNos)
  return new Map(
    Map.groupBy(rows, row => row.trade_no)
      .entries()
      .map(([tradeNo, of]) => [tradeNo, of.map(({ kind, txid }) => chainForms[kind].showTxid(txid)).join(' ')]),
  )
}

interface Names {
  assets: ReadonlyMap<string | null, AssetName>
  /** Application names by appid. */
  applications: ReadonlyMap<string, string>
}

/** Formats a token amount; empty until an asset is chosen. */
const inToken =
  (name: 'amount' | 'paid_amount' | 'fees') =>
  (row: ExportRow, { assets }: Names) => {
    const asset = assets.get(row.asset_id)
    return asset ? formatDecimal(row[name], asset.decimals) : ''
  }
const shown = (asset: AssetName | undefined, address: string | null | undefined) =>
  asset && address ? chainForms[asset.kind].address.show(address) : ''

/** The export of payment records, newest first. */
export default defineSearchedExport<PaymentFilter, ExportRow, Names, FoundPayments>({
  module: import.meta.url,
  fileName: 'PaymentRecord',
  sheet: { en: 'Payments', 'zh-CN': '收款记录' },
  isLimited: true,
  find: (c, { filter, ...reader }) => findPayments(c, visibleTo(reader), filter),
  count: async (c, { merchantId, filter }) =>
    (await readFoundPaymentPage(c, merchantId, filter, { offset: 0, limit: 1 })).total,
  zone: readMerchantTimeZone,
  async names(c, { merchantId }) {
    const assets = await readAssetNames(c)
    const applications = await allApplications(c, merchantId)
    return {
      assets: new Map(assets.map(asset => [asset.id, asset])),
      applications: new Map(applications.map(app => [app.appid, app.name])),
    }
  },
  async next(c, scope, after, limit) {
    const rows = await nextPayments(c, scope, after, limit)
    const numbers = rows.map(row => row.trade_no)
    const txids = await readTxids(c, scope.merchantId, numbers)
    return rows.map(row => Object.assign(row, { txid: txids.get(row.trade_no) ?? '' }))
  },
  columns: [
    {
      en: 'Application',
      'zh-CN': '应用',
      width: 20,
      cell: ({ appid }, { applications }) => applications.get(appid) ?? '',
    },
    { en: 'App ID', 'zh-CN': '应用 ID', width: 26, cell: row => row.appid },
    { en: 'Merchant order number', 'zh-CN': '商户订单号', width: 24, cell: row => row.out_trade_no },
    { en: 'Platform order number', 'zh-CN': '平台订单号', width: 34, cell: row => row.trade_no },
    {
      en: 'Status',
      'zh-CN': '状态',
      width: 20,
      cell: ({ status }, { language }) => {
        const state = codeNameOf(paymentStatus, status)
        return state ? paymentLabels[language][state] : String(status)
      },
    },
    {
      en: 'Remark',
      'zh-CN': '备注',
      width: 12,
      cell: ({ exception }, { language }) => (exception === 'none' ? '' : paymentExceptionLabels[language][exception]),
    },
    {
      en: 'USDT amount',
      'zh-CN': 'USDT 金额',
      width: 14,
      amount: row => formatDecimal(row.usdt_amount, usdtDecimals),
    },
    { en: 'Fiat amount', 'zh-CN': '法币金额', width: 14, amount: row => row.fiat_amount },
    { en: 'Fiat', 'zh-CN': '法币', width: 8, cell: row => row.fiat_name },
    { en: 'Amount due', 'zh-CN': '应付金额', width: 16, amount: inToken('amount') },
    { en: 'Paid', 'zh-CN': '实付金额', width: 16, amount: inToken('paid_amount') },
    { en: 'Fees', 'zh-CN': '手续费', width: 12, amount: inToken('fees') },
    {
      en: 'Token',
      'zh-CN': '代币',
      width: 8,
      cell: ({ asset_id }, { assets }) => assets.get(asset_id)?.token ?? '',
    },
    {
      en: 'Chain',
      'zh-CN': '链',
      width: 18,
      cell: ({ asset_id }, { assets }) => assets.get(asset_id)?.chain ?? '',
    },
    {
      en: 'Contract',
      'zh-CN': '合约',
      width: 44,
      cell: ({ asset_id }, { assets }) => shown(assets.get(asset_id), assets.get(asset_id)?.contract),
    },
    {
      en: 'Receiving address',
      'zh-CN': '收款地址',
      width: 44,
      cell: ({ asset_id, address }, { assets }) => shown(assets.get(asset_id), address),
    },
    // A name of an address rather than a number: it is not added up.
    { en: 'Address index', 'zh-CN': '地址序号', width: 14, cell: ({ key_index }) => String(key_index ?? '') },
    { en: 'Transaction', 'zh-CN': '交易哈希', width: 68, cell: row => row.txid },
    { en: 'Created', 'zh-CN': '创建时间', width: 32, time: row => row.created_at },
    { en: 'Paid at', 'zh-CN': '支付时间', width: 32, time: row => row.paid_at },
    {
      en: 'Metadata',
      'zh-CN': '元数据',
      width: 40,
      // The merchant's own: which link made a payment, its item tells.
      cell: ({ metadata: { [paymentLinkMetadataKey]: _, ...own } }) =>
        Object.keys(own).length > 0 ? JSON.stringify(own) : '',
    },
    { en: 'Item', 'zh-CN': '商品', width: 28, cell: row => row.title ?? '' },
    // Empty until a deposit is credited, and where the rate that was applied is not known.
    {
      en: 'Fee rate',
      'zh-CN': '手续费率',
      width: 12,
      cell: ({ fee_bps }) => (fee_bps === null ? '' : formatBasisPoints(fee_bps)),
    },
  ],
})
