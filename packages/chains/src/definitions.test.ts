import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineSandboxChain, ethereum, mainnets, tron } from './definitions.ts'
import { explorerUrl } from './forms.ts'
import { chainAdapters } from './kinds.ts'

test('every chain is keyed by its id, and chain ids are unique', () => {
  for (const [id, chain] of Object.entries(mainnets)) assert.equal(chain.id, id)
  const numbers = Object.values(mainnets).map(chain => `${chain.kind} ${chain.chainId}`)
  assert.equal(new Set(numbers).size, numbers.length)
})

test('contracts are in the stored form and unique within a chain', () => {
  for (const chain of [...Object.values(mainnets), tron]) {
    const { parse, show } = chainAdapters[chain.kind].address
    for (const { contract } of chain.tokens) assert.equal(parse(show(contract)), contract)
    assert.equal(new Set(chain.tokens.map(token => token.contract)).size, chain.tokens.length)
    assert.ok(chain.confirmations >= 1)
  }
})

test('explorer links contain the escaped id', () => {
  assert.equal(explorerUrl(ethereum, 'tx', '0xab'), 'https://etherscan.io/tx/0xab')
  assert.equal(explorerUrl(ethereum, 'address', 'a/../b?c'), 'https://etherscan.io/address/a%2F..%2Fb%3Fc')
  assert.equal(explorerUrl(tron, 'tx', '0xab'), 'https://tronscan.org/#/transaction/ab')
  const local = defineSandboxChain(ethereum, { chainId: 31_337, confirmations: 3, blockTime: 1, tokens: [] })
  assert.deepEqual([local.id, local.net, explorerUrl(local, 'tx', '0xab')], ['eth', 'sandbox', null])
})

test('contracts are those that issuers and explorers publish, with their checksums', () => {
  const shown = Object.values(mainnets).flatMap(({ id, kind, tokens }) =>
    tokens.map(
      ({ symbol, contract, decimals }) => `${id} ${symbol} ${chainAdapters[kind].address.show(contract)} ${decimals}`,
    ),
  )
  assert.deepEqual(shown, [
    'eth USDT 0xdAC17F958D2ee523a2206206994597C13D831ec7 6',
    'eth USDC 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 6',
    'bsc USDT 0x55d398326f99059fF775485246999027B3197955 18',
    'bsc USDC 0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d 18',
    'polygon USDT 0xc2132D05D31c914a87C6611C10748AEb04B58e8F 6',
    'polygon USDC 0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359 6',
    'base USDC 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 6',
    'optimism USDC 0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85 6',
    'arbitrum USDT 0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9 6',
    'arbitrum USDC 0xaf88d065e77c8cC2239327C5EDb3A432268e5831 6',
    'avalanche USDT 0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7 6',
    'avalanche USDC 0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E 6',
    'tron USDT TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t 6',
  ])
})
