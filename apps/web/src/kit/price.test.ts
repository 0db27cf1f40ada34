import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectOrderPrice } from './price.ts'

const order = { fiat_amount: '', fiat_name: '', usdt_amount: '12.5', token: 'USDT' }

test('an order has a price beside the amount of its token, in its currency or in USDT', () => {
  assert.equal(selectOrderPrice(order), null)
  assert.equal(selectOrderPrice({ ...order, token: '' }), null)
  assert.deepEqual(selectOrderPrice({ ...order, token: 'ETH' }), { value: '12.5', unit: 'USDT' })
  const inEuro = { ...order, fiat_amount: '11.9', fiat_name: 'EUR' }
  for (const token of ['', 'USDT', 'ETH'])
    assert.deepEqual(selectOrderPrice({ ...inEuro, token }), { value: '11.9', unit: 'EUR' }, token)
})
