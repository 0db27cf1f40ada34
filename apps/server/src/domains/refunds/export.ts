import { nameOf, withdrawalStatus } from '@coffer/contract/codes.ts'
import { payoutReasons, withdrawalLabels } from '@coffer/contract/labels.ts'
import { exportRows } from '../../kit/export/export-rows.ts'
import type { Cell } from '../../kit/xlsx/cells.ts'
import { zoneOf } from '../merchants/store.ts'
import { type RefundRow, refundFile } from './list.ts'
import { presentRefund } from './present.ts'

type Shown = ReturnType<typeof presentRefund>
const text = (name: keyof Shown) => (row: RefundRow) => String(presentRefund(row)[name])
const number =
  (name: keyof Shown) =>
  (row: RefundRow): Cell => ({ number: String(presentRefund(row)[name]) })

/** The export of refunds, newest first. */
export default exportRows({
  module: import.meta.url,
  fileName: 'RefundRecord',
  sheet: { en: 'Refunds', 'zh-CN': '退款记录' },
  zone: zoneOf,
  ...refundFile,
  columns: [
    { en: 'Number', 'zh-CN': '退款单号', width: 34, cell: row => row.id },
    { en: 'Merchant order number', 'zh-CN': '商户订单号', width: 24, cell: text('out_trade_no') },
    { en: 'Platform order number', 'zh-CN': '平台订单号', width: 34, cell: text('trade_no') },
    { en: 'Application', 'zh-CN': '应用', width: 20, cell: text('apply_name') },
    {
      en: 'Status',
      'zh-CN': '状态',
      width: 16,
      cell: ({ status }, { language }) => {
        const state = nameOf(withdrawalStatus, status)
        return state ? withdrawalLabels[language][state] : String(status)
      },
    },
    { en: 'Amount', 'zh-CN': '退款金额', width: 16, cell: number('amount') },
    { en: 'Gas', 'zh-CN': '矿工费', width: 12, cell: number('gas') },
    { en: 'Received', 'zh-CN': '实际到账', width: 16, cell: number('receives') },
    { en: 'Taken from the balance', 'zh-CN': '余额扣除', width: 20, cell: number('total') },
    { en: 'Token', 'zh-CN': '代币', width: 8, cell: text('token') },
    { en: 'Chain', 'zh-CN': '链', width: 18, cell: text('chain') },
    { en: 'Value in USDT', 'zh-CN': 'USDT 价值', width: 16, cell: number('usdt_value') },
    { en: 'Receiving address', 'zh-CN': '收款地址', width: 44, cell: text('address') },
    { en: 'Transaction', 'zh-CN': '交易哈希', width: 68, cell: text('txid') },
    { en: 'Reason', 'zh-CN': '原因', width: 24, cell: text('reason') },
    {
      en: 'Failure',
      'zh-CN': '失败原因',
      width: 24,
      cell: ({ failure }, { language }) => payoutReasons[language][failure] ?? failure,
    },
    { en: 'Created', 'zh-CN': '创建时间', width: 32, time: row => row.created_at },
    { en: 'Updated', 'zh-CN': '更新时间', width: 32, time: row => row.updated_at },
  ],
})
