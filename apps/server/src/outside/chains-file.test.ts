import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EvmChain, TronChain } from '@coffer/chains'
import { pino } from 'pino'
import { ConfigProblem } from '../config.ts'
import { parseChains } from './chains-file.ts'
import { openChain } from './open-chain.ts'

const nodes = [{ url: 'https://node.example' }]
const read = (...chains: object[]) => parseChains(JSON.stringify({ chains }), 'chains.json')

test('a known chain needs only its nodes', () => {
  const [eth] = read({ id: 'eth', nodes })
  assert.equal(eth?.definition.chainId, 1)
  assert.deepEqual(
    eth?.definition.tokens.map(token => token.symbol),
    ['USDT', 'USDC'],
  )
})

test('depth and tokens can be set, contracts are kept in lower case', () => {
  const [eth] = read({
    id: 'eth',
    nodes,
    confirmations: 30,
    tokens: ['USDT', { symbol: 'ABC', contract: `0x${'AB'.repeat(20)}`, decimals: 9 }],
  })
  assert.equal(eth?.definition.confirmations, 30)
  assert.deepEqual(eth?.definition.tokens.at(1), { symbol: 'ABC', contract: `0x${'ab'.repeat(20)}`, decimals: 9 })
})

test('TRON opens with several nodes, each with both interfaces and a key of its own', () => {
  const [watched] = read({
    id: 'tron',
    nodes: [
      { url: 'https://one.example/jsonrpc', http: 'https://one.example/', headers: { 'tron-pro-api-key': 'k' } },
      { url: 'https://two.example/jsonrpc', http: 'https://two.example' },
    ],
  })
  assert.deepEqual(watched?.nodes, [
    { url: 'https://one.example/jsonrpc', http: 'https://one.example', headers: { 'tron-pro-api-key': 'k' } },
    { url: 'https://two.example/jsonrpc', http: 'https://two.example' },
  ])
  assert.ok(openChain(watched!, pino({ level: 'silent' })) instanceof TronChain)
  const [eth] = read({ id: 'eth', nodes })
  assert.ok(openChain(eth!, pino({ level: 'silent' })) instanceof EvmChain)
})

test('what is wrong is named', () => {
  const wrong: [() => unknown, RegExp][] = [
    [() => parseChains('{', 'chains.json'), /not JSON/],
    [() => read(), /chains/],
    [() => read({ id: 'eth', nodes: [] }), /nodes/],
    [() => read({ id: 'eth', nodes: [{ url: 'file:///etc/passwd' }] }), /url/],
    [() => read({ id: 'eth', nodes }, { id: 'eth', nodes }), /twice/],
    [() => read({ id: 'eth', nodes, tokens: ['DOGE'] }), /DOGE/],
    [() => read({ id: 'new-chain', nodes }), /needs "name"/],
    [() => read({ id: 'tron', nodes }), /needs "http"/],
    [() => read({ id: 'eth', nodes: [{ url: 'https://a.example', http: 'https://a.example' }] }), /only TRON/],
    [() => read({ id: 'eth', nodes, surprise: 1 }), /surprise|nrecognized/],
  ]
  for (const [work, message] of wrong)
    assert.throws(work, error => error instanceof ConfigProblem && message.test(error.message), String(message))
})
