import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTokenOptions } from './tokens.ts'

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

test('lists the tokens of a chain, or all tokens with their chain', () => {
  assert.deepEqual(buildTokenOptions(currencies, 'trx'), [{ value: '3', label: 'USDT' }])
  assert.deepEqual(
    buildTokenOptions(currencies).map(each => each.label),
    ['USDT · Ethereum', 'ETH · Ethereum', 'USDT · TRON'],
  )
})
