import { defineExport } from '../../kit/export/export-rows.ts'
import { readMerchantTimeZone } from '../merchants/store.ts'
import { payoutColumns } from '../outgoing/payout-columns.ts'
import { withdrawalFile } from './list.ts'
import { presentWithdrawal } from './present.ts'

const { text, status, received, destination, times } = payoutColumns(presentWithdrawal, {
  en: 'Value in USDT',
  'zh-CN': 'USDT 估值',
})

/** The export of withdrawals, newest first. */
export default defineExport({
  module: import.meta.url,
  fileName: 'WithdrawalRecord',
  sheet: { en: 'Withdrawals', 'zh-CN': '提现记录' },
  zone: readMerchantTimeZone,
  ...withdrawalFile,
  columns: [
    { en: 'Number', 'zh-CN': '提现单号', width: 34, cell: row => row.id },
    { en: 'Merchant number', 'zh-CN': '商户提现单号', width: 24, cell: text('out_no') },
    { en: 'Application', 'zh-CN': '应用', width: 20, cell: text('apply_name') },
    status,
    { en: 'Amount', 'zh-CN': '提现金额', width: 16, amount: text('amount') },
    { en: 'Fee', 'zh-CN': '手续费', width: 12, amount: text('fee') },
    ...received,
    ...destination,
    { en: 'Remark', 'zh-CN': '备注', width: 24, cell: text('remark') },
    ...times,
  ],
})
