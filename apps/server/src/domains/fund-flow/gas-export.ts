import { chainAdapters } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { defineExport } from '../../kit/export/export-rows.ts'
import { readMerchantTimeZone } from '../merchants/store.ts'
import { gasFile } from './store.ts'

/** The export of gas fees, newest first. */
export default defineExport({
  module: import.meta.url,
  fileName: 'GasExpenditure',
  sheet: { en: 'Gas expenditure', 'zh-CN': '矿工费支出' },
  zone: readMerchantTimeZone,
  ...gasFile,
  columns: [
    { en: 'Time', 'zh-CN': '时间', width: 32, time: row => row.created_at },
    { en: 'Amount', 'zh-CN': '金额', width: 18, amount: row => formatDecimal(row.amount, row.decimals) },
    { en: 'Token', 'zh-CN': '代币', width: 8, cell: row => row.token },
    { en: 'Chain', 'zh-CN': '链', width: 18, cell: row => row.definition.name },
    {
      en: 'Transaction',
      'zh-CN': '交易哈希',
      width: 68,
      cell: row => chainAdapters[row.definition.kind].showTxid(row.txid),
    },
  ],
})
