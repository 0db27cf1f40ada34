import { errors } from '@coffer/contract/errors.ts'
import { accountEventName, subjectText } from '@coffer/contract/labels/account-event.ts'
import { accountEventLabels } from '@coffer/contract/labels.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { readSessionName } from '../../../kit/audit.ts'
import type { Statements } from '../../../kit/db.ts'
import { defineExport } from '../../../kit/export/export-rows.ts'
import { readMerchantTimeZone } from '../../merchants/store.ts'
import { formatLocation } from '../../notifications/origin-text.ts'
import { countLog, readLogBefore } from './readable-log.ts'

type Row = Statements['audit-before']['row']

/** Joins the names of the factors of an entry. */
const factorText = (factors: string, language: Language) =>
  factors
    .split('+')
    .map(each => (accountEventLabels[language].factor as Record<string, string>)[each] ?? each)
    .join(' + ')

/** The export of a merchant's audit log, newest first. */
export default defineExport<object, Row, object>({
  module: import.meta.url,
  fileName: 'AccountLog',
  sheet: { en: 'Activity', 'zh-CN': '操作日志' },
  zone: readMerchantTimeZone,
  count: countLog,
  next: (c, reader, after, limit) => readLogBefore(c, reader, after?.seq, limit),
  columns: [
    { en: 'Time', 'zh-CN': '时间', width: 32, time: row => row.created_at },
    {
      en: 'Event',
      'zh-CN': '操作',
      width: 30,
      cell: (row, { language }) => accountEventName(accountEventLabels[language], row),
    },
    {
      en: 'Refused because',
      'zh-CN': '失败原因',
      width: 36,
      cell: (row, { language }) => row.reason && errors[row.reason][language],
    },
    {
      en: 'Confirmed by',
      'zh-CN': '验证方式',
      width: 24,
      cell: (row, { language }) => factorText(row.factor, language),
    },
    {
      en: 'Subject',
      'zh-CN': '对象',
      width: 28,
      cell: (row, { language }) => subjectText(accountEventLabels[language], row),
    },
    { en: 'Device', 'zh-CN': '设备', width: 20, cell: row => row.device },
    {
      en: 'Session of',
      'zh-CN': '会话设备',
      width: 20,
      cell: row => readSessionName(row.session)?.device ?? '',
    },
    {
      en: 'Session since',
      'zh-CN': '会话登录时间',
      width: 32,
      time: row => readSessionName(row.session)?.created_time ?? 0,
    },
    { en: 'IP', 'zh-CN': 'IP', width: 20, cell: row => row.ip },
    {
      en: 'Location',
      'zh-CN': '地点',
      width: 28,
      cell: (row, { language }) => formatLocation(row.address, language),
    },
  ],
})
