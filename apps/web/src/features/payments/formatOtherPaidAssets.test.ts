import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatOtherPaidAssets } from './formatOtherPaidAssets.ts'

type Deposit = Parameters<typeof formatOtherPaidAssets>[0]['chain_confirmation_information'][number]

const payment = (...deposits: Pick<Deposit, 'token' | 'chain' | 'state'>[]) => ({
  token: 'USDT',
  chain: 'Ethereum',
  chain_confirmation_information: deposits as Deposit[],
})
const on = (chain: string, token = 'USDT', state: Deposit['state'] = 'credited') => ({ chain, token, state })

test('names the network and token of money that came in another way than was chosen', () => {
  assert.equal(formatOtherPaidAssets(payment(on('Ethereum'))), '')
  assert.equal(formatOtherPaidAssets(payment(on('BNB Smart Chain'), on('BNB Smart Chain'))), 'USDT · BNB Smart Chain')
  assert.equal(formatOtherPaidAssets(payment(on('Ethereum'), on('Ethereum', 'ETH', 'seen'))), 'ETH · Ethereum')
  assert.equal(formatOtherPaidAssets(payment(on('BNB Smart Chain', 'USDT', 'dropped'))), '')
})
