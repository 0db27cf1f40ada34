import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayStart } from '../../lib/days.ts'
import { listQuery, rangeOf } from './search.ts'

const none = { status: '', event: '', appid: '', trade_no: '', from: '', to: '' }
const page = { current: 1, pageSize: 10 }

test('filters become the query; what no callback can have is left out', () => {
  assert.deepEqual(listQuery(none, page), page)
  const trade_no = '1'.repeat(32)
  assert.deepEqual(listQuery({ ...none, status: '3', event: 'payment.paid', appid: 'ap_1', trade_no }, page), {
    ...page,
    status: '3',
    event: 'payment.paid',
    appid: 'ap_1',
    trade_no,
  })
  assert.deepEqual(listQuery({ ...none, status: '9', event: 'nothing', appid: 'a b', trade_no: '12' }, page), page)
})

test('a range needs two days in order, and both ends belong to it', () => {
  assert.equal(rangeOf({ from: '2026-11-02', to: '2026-11-01' }), undefined)
  assert.equal(rangeOf({ from: '2026-11-02', to: '' }), undefined)
  assert.deepEqual(listQuery({ ...none, from: '2026-11-01', to: '2026-11-02' }, page), {
    ...page,
    start_time: dayStart('2026-11-01'),
    end_time: dayStart('2026-11-03') - 1,
  })
})
