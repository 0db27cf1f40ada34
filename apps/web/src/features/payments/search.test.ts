import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordQuery } from './search.ts'

const number = '20261121000000000000000000000042'

test('the platform order number is sent as trade_no', () => {
  assert.deepEqual(recordQuery({}, { current: 1, pageSize: 10 }), { current: 1, pageSize: 10 })
  assert.deepEqual(recordQuery({ status: '1', platform_no: number }, { current: 2, pageSize: 20 }), {
    current: 2,
    pageSize: 20,
    status: '1',
    trade_no: number,
  })
})

test('the export query has no page', () => {
  assert.deepEqual(recordQuery({ status: '3' }), { status: '3' })
})
