import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ethereum, mainnets, sandboxOf, tron } from './definitions.ts'
import { explorerUrl } from './forms.ts'
import { kinds } from './kinds.ts'

test('every chain is keyed by its id, and chain ids are unique', () => {
  for (const [id, chain] of Object.entries(mainnets)) assert.equal(chain.id, id)
  const numbers = Object.values(mainnets).map(chain => `${chain.kind} ${chain.chainId}`)
  assert.equal(new Set(numbers).size, numbers.length)
})

test('contracts are in the stored form and unique within a chain', () => {
  for (const chain of [...Object.values(mainnets), tron]) {
    const { parse, show } = kinds[chain.kind].address
    for (const { contract } of chain.tokens) assert.equal(parse(show(contract)), contract)
    assert.equal(new Set(chain.tokens.map(token => token.contract)).size, chain.tokens.length)
    assert.ok(chain.confirmations >= 1)
  }
})

test('explorer links contain the escaped id', () => {
  assert.equal(explorerUrl(ethereum, 'tx', '0xab'), 'https://etherscan.io/tx/0xab')
  assert.equal(explorerUrl(ethereum, 'address', 'a/../b?c'), 'https://etherscan.io/address/a%2F..%2Fb%3Fc')
  assert.equal(explorerUrl(tron, 'tx', '0xab'), 'https://tronscan.org/#/transaction/ab')
  const local = sandboxOf(ethereum, { chainId: 31_337, confirmations: 3, blockTime: 1, tokens: [] })
  assert.deepEqual([local.id, local.net, explorerUrl(local, 'tx', '0xab')], ['eth', 'sandbox', null])
})
