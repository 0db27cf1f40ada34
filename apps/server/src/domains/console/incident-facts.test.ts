import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toIncidentFacts } from './incident-facts.ts'

const namesOf = (kind: string, detail: Record<string, unknown>) =>
  toIncidentFacts({ kind, detail }, 'evm', new Map()).map(({ name, value }) => [name, value])

test('what a wallet lacks is no reason, and the treasury no receiver', () => {
  assert.deepEqual(namesOf('wallet_short', { lacks: '0.5 ETH, 120 USDT' }), [['lacks', '0.5 ETH, 120 USDT']])
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  assert.deepEqual(namesOf('treasury_ours', { to }), [['treasury', to]])
  assert.deepEqual(namesOf('treasury_changed', { to }), [['now', to]])
  assert.deepEqual(namesOf('own_transfer', { to }), [['to', to]])
})
