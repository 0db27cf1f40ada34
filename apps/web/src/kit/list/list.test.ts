import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callbackEvents, fundFlowTypes } from '@coffer/contract/codes.ts'
import { isId, isOutTradeNo, isTradeNo } from '@coffer/contract/kit/texts.ts'
import { displayTimeZone } from '../../lib/zone.ts'
import { buildClearedFilters, buildFilterChange, buildListQuery, type PageParams, serializeFilters } from './query.ts'
import { asDrawerParam, dayRangeRules, isAny, oneOf, search, withQueryName } from './search.ts'

const number = '20261121000000000000000000000042'
const rules = {
  ...dayRangeRules,
  status: oneOf(1, 2, 3),
  event: oneOf(...callbackEvents),
  type: oneOf(...fundFlowTypes),
  appid: isId,
  out_trade_no: isOutTradeNo,
  platform_no: withQueryName(isTradeNo, 'trade_no'),
  trade_no: asDrawerParam(isTradeNo),
  network_id: isAny,
}
const listQuery = (values: object, page?: PageParams) => buildListQuery({ rules, options: {} }, values, page)
/** Valid search parameters as they would be written back. */
const read = (raw: Record<string, unknown>) => JSON.parse(JSON.stringify(search(rules)(raw)))

test('search parameters round-trip', () => {
  const written = {
    status: '2',
    event: 'payment.paid',
    type: 'gas',
    appid: 'app_1',
    out_trade_no: 'order-7',
    platform_no: number,
    network_id: 'eth',
    from: '2026-11-01',
    to: '2026-11-21',
    trade_no: number,
  }
  assert.deepEqual(read({ ...written, current: '3', pageSize: '20' }), { ...written, current: 3, pageSize: 20 })
  assert.deepEqual(read({ current: 3, pageSize: 20 }), { current: 3, pageSize: 20 })
})

test('invalid and default parameters are dropped', () => {
  const left: Record<string, unknown>[] = [
    { status: '4' },
    { status: '0' },
    { status: 'paid' },
    { event: 'nothing' },
    { type: 'loan' },
    { appid: '' },
    { appid: 'a\u202eb' },
    { appid: 'x'.repeat(65) },
    { out_trade_no: 'a\nb' },
    { out_trade_no: 'x'.repeat(65) },
    { platform_no: number.slice(1) },
    { platform_no: Number(number) },
    { trade_no: `${number}0` },
    { trade_no: '12' },
    { network_id: '' },
    { from: '2026-11-01' },
    { from: '2026-11-02', to: '' },
    { from: '2026-11-21', to: '2026-11-01' },
    { from: '2026-11-31', to: '2026-12-01' },
    { current: '0' },
    { current: '1' },
    { current: '2.5' },
    { pageSize: '10' },
    { pageSize: '1000' },
    { stranger: '1' },
    { constructor: '1' },
  ]
  for (const raw of left) assert.deepEqual(read(raw), {}, JSON.stringify(raw))
})

test('filters exclude page and open details', () => {
  const filters = (raw: Record<string, unknown>) => JSON.parse(serializeFilters(rules, search(rules)(raw)))
  assert.deepEqual(filters({ status: '3', current: '9', pageSize: '20', trade_no: number }), { status: '3' })
  assert.deepEqual(filters({}), {})
  assert.deepEqual(filters({ out_trade_no: 'a' }), { out_trade_no: 'a' })
})

test('a changed filter returns to page 1 and closes the details', () => {
  const now = { status: '2', current: 4, pageSize: 20, trade_no: number }
  const changed = (change: object) => read({ ...now, ...buildFilterChange(rules, change) })
  assert.deepEqual(changed({ appid: 'app_1' }), { status: '2', appid: 'app_1', pageSize: 20 })
  assert.deepEqual(changed({ status: undefined }), { pageSize: 20 })
})

test('clearing keeps the page size', () => {
  const now = { status: '2', current: 4, pageSize: 20 }
  assert.deepEqual(read({ ...now, ...buildFilterChange(rules, buildClearedFilters({ status: '2' })) }), {
    pageSize: 20,
  })
})

test('filters and page become the query', () => {
  const page = { current: 1, pageSize: 10 }
  assert.deepEqual(listQuery({}, page), page)
  assert.deepEqual(listQuery({}), {})
  const filters = { status: '3', event: 'payment.paid', appid: 'ap_1' }
  assert.deepEqual(listQuery(filters, page), { ...page, ...filters })
})

test('a filter may have another name in the query', () => {
  assert.deepEqual(listQuery({ status: '1', platform_no: number }, { current: 2, pageSize: 20 }), {
    current: 2,
    pageSize: 20,
    status: '1',
    trade_no: number,
  })
  assert.deepEqual(buildListQuery({ rules, options: { page: 'page' } }, {}, { current: 2, pageSize: 20 }), {
    page: 2,
    pageSize: 20,
  })
})

test('a range includes both days of the merchant’s zone, also the day of 25 hours', () => {
  displayTimeZone.set('Europe/Berlin')
  assert.deepEqual(listQuery({ from: '2026-10-24', to: '2026-10-25' }), {
    start_time: Date.parse('2026-10-23T22:00:00Z') / 1000,
    end_time: Date.parse('2026-10-25T23:00:00Z') / 1000 - 1,
  })
  const long = listQuery({ from: '2026-10-25', to: '2026-10-25' })
  assert.equal((long.end_time as number) - (long.start_time as number), 25 * 3600 - 1)
})
