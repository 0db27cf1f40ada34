import { codeNameOf, withdrawalStatus } from '@coffer/contract/codes.ts'
import { withdrawalLabels } from '@coffer/contract/labels.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { ExportColumn } from '../../kit/export/export-rows.ts'

/**
 * What the exports of withdrawals and refunds show alike, as `present` shows a row: their columns, and cells by its
 * fields. `valueTitle` says what is worth `usdt_value`.
 */
export function payoutColumns<
  Row extends { status: number; created_at: number; updated_at: number },
  Shown extends Record<'gas' | 'receives' | 'token' | 'chain' | 'usdt_value' | 'address' | 'txid' | 'reason', string>,
>(present: (row: Row) => Shown, valueTitle: Record<Language, string>) {
  let last: { row: Row; shown: Shown } | undefined
  // The cells of a row are asked for one after the other.
  const shown = (row: Row): Shown => {
    if (last?.row !== row) last = { row, shown: present(row) }
    return last.shown
  }
  const text = (name: keyof Shown) => (row: Row) => String(shown(row)[name])
  const status: ExportColumn<Row, unknown> = {
    en: 'Status',
    'zh-CN': '状态',
    width: 16,
    cell: (row, { language }) => {
      const state = codeNameOf(withdrawalStatus, row.status)
      return state ? withdrawalLabels[language][state] : String(row.status)
    },
  }
  const received: ExportColumn<Row, unknown>[] = [
    { en: 'Gas', 'zh-CN': '矿工费', width: 12, amount: text('gas') },
    { en: 'Received', 'zh-CN': '实际到账', width: 16, amount: text('receives') },
  ]
  const destination: ExportColumn<Row, unknown>[] = [
    { en: 'Token', 'zh-CN': '代币', width: 8, cell: text('token') },
    { en: 'Chain', 'zh-CN': '链', width: 18, cell: text('chain') },
    { ...valueTitle, width: 16, amount: text('usdt_value') },
    { en: 'Receiving address', 'zh-CN': '收款地址', width: 44, cell: text('address') },
    { en: 'Transaction', 'zh-CN': '交易哈希', width: 68, cell: text('txid') },
    { en: 'Reason', 'zh-CN': '原因', width: 24, cell: text('reason') },
  ]
  const times: ExportColumn<Row, unknown>[] = [
    { en: 'Created', 'zh-CN': '创建时间', width: 32, time: row => row.created_at },
    { en: 'Updated', 'zh-CN': '更新时间', width: 32, time: row => row.updated_at },
  ]
  return { text, status, received, destination, times }
}
