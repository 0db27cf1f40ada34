import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeUtcOffsetLookup } from '../days.ts'
import type { ExportColumn } from './export-rows.ts'
import { buildSheet } from './sheet.ts'

interface Row {
  name: string
  amount: string
  fee: string
  count: number
  at: number
}

const columns: ExportColumn<Row, object>[] = [
  { en: 'Name', 'zh-CN': '名称', width: 20, cell: row => row.name },
  { en: 'Time', 'zh-CN': '时间', width: 32, time: row => row.at },
  { en: 'Amount', 'zh-CN': '金额', width: 18, amount: row => row.amount },
  { en: 'Fee', 'zh-CN': '手续费', width: 18, amount: row => row.fee },
  { en: 'Count', 'zh-CN': '笔数', width: 8, count: row => row.count },
]
const zone = 'Europe/Berlin'
const sheet = buildSheet(columns, { language: 'en' }, zone, makeUtcOffsetLookup(zone))
const seconds = (text: string) => Date.parse(text) / 1000

test('a column has cells of one kind, a time has its offset beside it, and the last column has every digit', () => {
  assert.deepEqual(
    sheet.columns.map(each => each.title),
    ['Name', 'Time (Europe/Berlin)', 'Time, UTC offset', 'Amount', 'Fee', 'Count', 'Exact amounts'],
  )
  const row = { name: '0012', amount: '1.5', fee: '', count: 3, at: 0 }
  assert.deepEqual(sheet.row(row), ['0012', '', '', { number: '1.5' }, '', { count: 3 }, ''])
  const long = '1.000000000000000001'
  assert.deepEqual(sheet.row({ ...row, amount: long, fee: '0.1234567890123456' }).slice(3), [
    { number: long },
    { number: '0.1234567890123456' },
    { count: 3 },
    `Amount ${long}; Fee 0.1234567890123456`,
  ])
})

test('the two times of the hour that comes twice differ', () => {
  const at = (text: string) => sheet.row({ name: '', amount: '', fee: '', count: 0, at: seconds(text) }).slice(1, 3)
  const date = seconds('2026-10-25T02:30:00Z')
  assert.deepEqual(at('2026-10-25T00:30:00Z'), [{ date }, 'UTC+02:00'])
  assert.deepEqual(at('2026-10-25T01:30:00Z'), [{ date }, 'UTC+01:00'])
})

test('a list without amounts has no column of their digits', () => {
  const { columns: titled } = buildSheet(columns.slice(0, 2), { language: 'zh-CN' }, zone, makeUtcOffsetLookup(zone))
  assert.deepEqual(
    titled.map(each => each.title),
    ['名称', '时间（Europe/Berlin）', '时间的 UTC 偏移'],
  )
})
