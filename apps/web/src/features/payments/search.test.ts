import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeFilter, clearFilter, filterQuery, hasFilter, listQuery, readRecordSearch } from './search.ts'

const number = '20261121000000000000000000000042'

test('an address is read back as it was written', () => {
  const search = {
    status: 2,
    appid: 'app_1',
    out_trade_no: 'order-7',
    platform_no: number,
    from: '2026-11-01',
    to: '2026-11-21',
    current: 3,
    pageSize: 20,
    trade_no: number,
  }
  const written = Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)]))
  assert.deepEqual(readRecordSearch(written), search)
})

test('what is not valid is left out, and so is what holds anyway', () => {
  const left: Record<string, unknown>[] = [
    { status: '4' },
    { status: '0' },
    { status: 'paid' },
    { appid: '' },
    { appid: 'a b' },
    { out_trade_no: 'a/b' },
    { out_trade_no: 'x'.repeat(65) },
    { platform_no: number.slice(1) },
    { platform_no: Number(number) },
    { trade_no: `${number}0` },
    { from: '2026-11-01' },
    { from: '2026-11-21', to: '2026-11-01' },
    { from: '2026-11-31', to: '2026-12-01' },
    { current: '0' },
    { current: '1' },
    { current: '2.5' },
    { pageSize: '10' },
    { pageSize: '1000' },
    { stranger: '1' },
  ]
  for (const raw of left) assert.deepEqual(readRecordSearch(raw), {}, JSON.stringify(raw))
})

test('the query names the platform order number as the call does', () => {
  assert.deepEqual(listQuery({}), { current: 1, pageSize: 10 })
  assert.deepEqual(listQuery({ current: 2, pageSize: 20, status: 1, platform_no: number }), {
    current: 2,
    pageSize: 20,
    status: 1,
    trade_no: number,
  })
})

test('the export takes the whole filtered set, without page and without open details', () => {
  assert.deepEqual(filterQuery(readRecordSearch({ status: '3', current: '9', trade_no: number })), { status: 3 })
})

test('a range of days covers both of them', () => {
  const query = filterQuery({ from: '2026-11-21', to: '2026-11-21' })
  assert.equal((query.end_time as number) - (query.start_time as number), 86_399)
})

test('another filter goes back to page 1 and closes the details', () => {
  const search = { status: 2, current: 4, pageSize: 20, trade_no: number }
  assert.deepEqual(changeFilter(search, { appid: 'app_1' }), { status: 2, appid: 'app_1', pageSize: 20 })
  assert.deepEqual(changeFilter(search, { status: undefined }), { pageSize: 20 })
})

test('clearing keeps the rows a page', () => {
  assert.deepEqual(clearFilter({ status: 2, current: 4, pageSize: 20 }), { pageSize: 20 })
  assert.equal(hasFilter({}), false)
  assert.equal(hasFilter({ out_trade_no: 'a' }), true)
})
