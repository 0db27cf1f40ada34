import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FlowFilters, flowQuery, tokensOf } from './flow.ts'

const none: FlowFilters = { type: '', network_id: '', token_id: '', from: '', to: '' }
const token = (id: string, name: string) => ({ id, token: name, contract: '', decimals: 6, logo: '', usdt_price: '1' })
const currencies = [
  {
    id: 'eth',
    chain: 'Ethereum',
    net_work: 'ERC20',
    logo: '',
    confirmations: 12,
    tokens: [token('1', 'USDT'), token('2', 'ETH')],
  },
  { id: 'trx', chain: 'TRON', net_work: 'TRC20', logo: '', confirmations: 19, tokens: [token('3', 'USDT')] },
]

test('only filters that are set and valid reach the server', () => {
  assert.deepEqual(flowQuery(none), {})
  assert.deepEqual(flowQuery({ ...none, type: 'gas', network_id: 'eth', token_id: '2' }), {
    type: 'gas',
    network_id: 'eth',
    token_id: '2',
  })
  assert.deepEqual(flowQuery({ ...none, type: 'loan' }), {})
  assert.deepEqual(flowQuery({ ...none, from: '2026-11-01' }), {})
  assert.deepEqual(flowQuery({ ...none, from: '2026-11-02', to: '2026-11-01' }), {})
})

test('both days of a range belong to it', () => {
  const { start_time, end_time } = flowQuery({ ...none, from: '2026-11-21', to: '2026-11-22' })
  assert.equal((end_time as number) - (start_time as number), 2 * 86_400 - 1)
})

test('tokens are those of the chain; without one each says its chain', () => {
  assert.deepEqual(tokensOf(currencies, 'trx'), [{ value: '3', label: 'USDT' }])
  assert.deepEqual(
    tokensOf(currencies, '').map(each => each.label),
    ['USDT · Ethereum', 'ETH · Ethereum', 'USDT · TRON'],
  )
})
