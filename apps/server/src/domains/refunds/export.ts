import { payoutReasons } from '@coffer/contract/labels.ts'
import { defineExport } from '../../kit/export/export-rows.ts'
import { readMerchantTimeZone } from '../merchants/store.ts'
import { payoutColumns } from '../outgoing/payout-columns.ts'
import { refundFile } from './list.ts'
import { presentRefund } from './present.ts'

const { text, status, received, destination, times } = payoutColumns(presentRefund, {
  en: 'Taken, in USDT',
  'zh-CN': '余额扣除（折合 USDT）',
})

/** The export of refunds, newest first. */
export default defineExport({
  module: import.meta.url,
  fileName: 'RefundRecord',
  sheet: { en: 'Refunds', 'zh-CN': '退款记录' },
  zone: readMerchantTimeZone,
  ...refundFile,
  columns: [
    { en: 'Number', 'zh-CN': '退款单号', width: 34, cell: row => row.id },
    { en: 'Merchant order number', 'zh-CN': '商户订单号', width: 24, cell: text('out_trade_no') },
    { en: 'Platform order number', 'zh-CN': '平台订单号', width: 34, cell: text('trade_no') },
    { en: 'Application', 'zh-CN': '应用', width: 20, cell: text('apply_name') },
    status,
    { en: 'Amount', 'zh-CN': '退款金额', width: 16, amount: text('amount') },
    ...received,
    { en: 'Taken from the balance', 'zh-CN': '余额扣除', width: 20, amount: text('total') },
    ...destination,
    {
      en: 'Failure',
      'zh-CN': '失败原因',
      width: 24,
      cell: ({ failure }, { language }) => payoutReasons[language][failure] ?? failure,
    },
    ...times,
    { en: 'Item', 'zh-CN': '商品', width: 28, cell: text('title') },
  ],
})
