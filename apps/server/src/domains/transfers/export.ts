import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { defineExport } from '../../kit/export/export-rows.ts'
import { readMerchantTimeZone } from '../merchants/store.ts'
import { maskName } from './find-receiver.ts'
import { transferFile } from './store.ts'

/** As the page of transfers has it. */
const directions = { en: { in: 'Received', out: 'Sent' }, 'zh-CN': { in: '转入', out: '转出' } }

/** The export of internal transfers, newest first. */
export default defineExport({
  module: import.meta.url,
  fileName: 'TransferRecord',
  sheet: { en: 'Transfers', 'zh-CN': '划转记录' },
  zone: readMerchantTimeZone,
  ...transferFile,
  columns: [
    { en: 'Serial number', 'zh-CN': '流水号', width: 38, cell: row => row.id },
    { en: 'Time', 'zh-CN': '时间', width: 32, time: row => row.created_at },
    {
      en: 'Direction',
      'zh-CN': '方向',
      width: 12,
      cell: (row, { language }) => directions[language][row.direction],
    },
    {
      en: 'Amount',
      'zh-CN': '金额',
      width: 18,
      // Negative where it left the balance, so that the column adds up.
      amount: row => `${row.direction === 'out' ? '-' : ''}${formatDecimal(row.amount, row.decimals)}`,
    },
    { en: 'Token', 'zh-CN': '代币', width: 8, cell: row => row.token },
    { en: 'Chain', 'zh-CN': '链', width: 18, cell: row => row.chain },
    { en: 'Merchant', 'zh-CN': '对方商户', width: 16, cell: row => row.mchid },
    { en: 'Name', 'zh-CN': '对方名称', width: 20, cell: row => maskName(row.name) },
    { en: 'Note', 'zh-CN': '备注', width: 32, cell: row => row.note },
  ],
})
