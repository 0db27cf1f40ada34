import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paidElsewhere } from './paidElsewhere.ts'

type Deposit = Parameters<typeof paidElsewhere>[0]['chain_confirmation_information'][number]

const payment = (...deposits: Pick<Deposit, 'token' | 'chain' | 'state'>[]) => ({
  token: 'USDT',
  chain: 'Ethereum',
  chain_confirmation_information: deposits as Deposit[],
})
const on = (chain: string, token = 'USDT', state: Deposit['state'] = 'credited') => ({ chain, token, state })

test('names the network and token of money that came in another way than was chosen', () => {
  assert.equal(paidElsewhere(payment(on('Ethereum'))), '')
  assert.equal(paidElsewhere(payment(on('BNB Smart Chain'), on('BNB Smart Chain'))), 'USDT · BNB Smart Chain')
  assert.equal(paidElsewhere(payment(on('Ethereum'), on('Ethereum', 'ETH', 'seen'))), 'ETH · Ethereum')
  assert.equal(paidElsewhere(payment(on('BNB Smart Chain', 'USDT', 'dropped'))), '')
})
