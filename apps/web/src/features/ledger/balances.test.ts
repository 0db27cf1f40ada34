import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Balance, computeBalanceShare, filterBalances } from './balances.ts'

const row = (token: string, chain: string, balance: string, usdt_balance: string, held = '0'): Balance => ({
  id: `${token}-${chain}`,
  token,
  chain,
  balance,
  held,
  usdt_balance,
  logo: '',
  currency_id: chain,
})
const rows = [
  row('ETH', 'Ethereum', '1', '3000'),
  row('USDT', 'TRON', '10', '10'),
  row('USDT', 'Ethereum', '0', '0', '5'),
  row('DAI', 'Ethereum', '0.000000', '0'),
]
const names = (shown: Balance[]) => shown.map(each => `${each.token} ${each.chain}`)

test('sorts by value, then by name', () => {
  assert.deepEqual(names(filterBalances(rows, '', false)), [
    'ETH Ethereum',
    'USDT TRON',
    'DAI Ethereum',
    'USDT Ethereum',
  ])
})

test('a fully held balance is not zero', () => {
  assert.deepEqual(names(filterBalances(rows, '', true)), ['ETH Ethereum', 'USDT TRON', 'USDT Ethereum'])
})

test('searches token and chain together, ignoring case', () => {
  assert.deepEqual(names(filterBalances(rows, ' usdt ', false)), ['USDT TRON', 'USDT Ethereum'])
  assert.deepEqual(names(filterBalances(rows, 'tron', false)), ['USDT TRON'])
  assert.deepEqual(names(filterBalances(rows, 'usdt eth', false)), ['USDT Ethereum'])
  assert.deepEqual(filterBalances(rows, 'btc', false), [])
})

test('a share of zero is zero', () => {
  assert.equal(computeBalanceShare('25', '100'), 0.25)
  assert.equal(computeBalanceShare('0', '0'), 0)
})
