import { depositStateLabels } from '@coffer/contract/labels.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { defineExport } from '../../kit/export/export-rows.ts'
import { readMerchantTimeZone } from '../merchants/store.ts'
import { presentDeposit } from './present.ts'
import { type RechargeRow, rechargeFile } from './store.ts'

const shown = (row: RechargeRow) => presentDeposit(row)

/** The export of deposits without a payment. */
export default defineExport({
  module: import.meta.url,
  fileName: 'RechargeRecord',
  sheet: { en: 'Recharges', 'zh-CN': '充值记录' },
  zone: readMerchantTimeZone,
  ...rechargeFile,
  columns: [
    { en: 'Received', 'zh-CN': '检测时间', width: 32, time: row => row.seen_at },
    { en: 'Credited', 'zh-CN': '入账时间', width: 32, time: row => row.credited_at },
    { en: 'Status', 'zh-CN': '状态', width: 20, cell: (row, { language }) => depositStateLabels[language][row.state] },
    { en: 'Amount', 'zh-CN': '金额', width: 18, amount: row => shown(row).amount },
    { en: 'Token', 'zh-CN': '代币', width: 8, cell: row => row.token },
    { en: 'Chain', 'zh-CN': '链', width: 20, cell: row => row.definition.name },
    {
      en: 'Value in USDT',
      'zh-CN': 'USDT 估值',
      width: 16,
      amount: row => usdtValueText(row.usdt_amount),
    },
    { en: 'Application', 'zh-CN': '应用', width: 20, cell: row => row.apply_name },
    { en: 'Reference', 'zh-CN': '编号', width: 24, cell: row => row.reference },
    { en: 'Label', 'zh-CN': '备注名', width: 20, cell: row => row.label },
    { en: 'Address', 'zh-CN': '充值地址', width: 46, cell: row => shown(row).to_address },
    { en: 'Sender', 'zh-CN': '付款地址', width: 46, cell: row => shown(row).from_address },
    { en: 'Transaction', 'zh-CN': '交易哈希', width: 68, cell: row => shown(row).txid },
  ],
})
