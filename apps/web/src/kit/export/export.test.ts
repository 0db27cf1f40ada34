import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  computeExportProgress,
  type ExportEvent,
  formatExportFileName,
  initialExportState,
  parseRowCountHeader,
  reduceExport,
} from './export.ts'

const after = (...events: ExportEvent[]) => events.reduce(reduceExport, initialExportState)
const start: ExportEvent = { type: 'start' }
const bytes = (received: number, total: number | null): ExportEvent => ({ type: 'bytes', received, total })

test('an export reports its rows, then bytes, then completes', () => {
  const running = after(start, { type: 'rows', rows: 1200 }, bytes(500, 2000))
  assert.deepEqual(running, { step: 'running', rows: 1200, received: 500, total: 2000 })
  assert.equal(computeExportProgress(running), 0.25)
  assert.equal(computeExportProgress(after(start, bytes(500, null))), null, 'unknown total')
  assert.deepEqual(reduceExport(running, { type: 'done' }), initialExportState)
})

test('progress after the end is ignored', () => {
  assert.deepEqual(after(start, { type: 'cancel' }, bytes(1, 2), { type: 'rows', rows: 3 }), initialExportState)
})

test('a failure stays until dismissed or retried; a cancelled export has not failed', () => {
  assert.deepEqual(after(start, { type: 'fail' }), { step: 'failed' })
  assert.deepEqual(after(start, { type: 'fail' }, { type: 'dismiss' }), initialExportState)
  assert.equal(after(start, { type: 'fail' }, start).step, 'running')
  assert.deepEqual(after(start, { type: 'cancel' }, { type: 'fail' }), initialExportState)
})

test('the file name ends with the time', () => {
  assert.equal(
    formatExportFileName('PaymentRecord', Date.UTC(2026, 9, 31, 17, 5, 7) / 1000, 'Asia/Shanghai'),
    'PaymentRecord20261101010507.xlsx',
  )
})

test('only a number counts as announced rows', () => {
  assert.equal(parseRowCountHeader('1200'), 1200)
  assert.equal(parseRowCountHeader('0'), 0)
  assert.equal(parseRowCountHeader(null), null)
  assert.equal(parseRowCountHeader('many'), null)
})
