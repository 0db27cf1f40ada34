import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EvmChain } from '@coffer/chains/evm/chain.ts'
import { TronChain } from '@coffer/chains/tron/chain.ts'
import { pino } from 'pino'
import { ConfigProblem } from '../config.ts'
import { parseChains } from './chains-file.ts'
import { openChain } from './open-chain.ts'

const nodes = [{ url: 'https://node.example' }]
const read = (...chains: object[]) => parseChains(JSON.stringify({ chains }), 'chains.json')

test('needs only nodes for a known chain', () => {
  const [eth] = read({ id: 'eth', nodes })
  assert.equal(eth?.definition.chainId, 1)
  assert.deepEqual(
    eth?.definition.tokens.map(token => token.symbol),
    ['USDT', 'USDC'],
  )
})

test('accepts confirmations and tokens, and lower-cases contracts', () => {
  const [eth] = read({
    id: 'eth',
    nodes,
    confirmations: 30,
    tokens: ['USDT', { symbol: 'ABC', contract: `0x${'AB'.repeat(20)}`, decimals: 9 }],
  })
  assert.equal(eth?.definition.confirmations, 30)
  assert.deepEqual(eth?.definition.tokens.at(1), { symbol: 'ABC', contract: `0x${'ab'.repeat(20)}`, decimals: 9 })
})

test('accepts the minimum of any asset of the chain, and no other', () => {
  const [eth] = read({ id: 'eth', nodes, minimum: { ETH: '0.001', USDT: '1' } })
  assert.deepEqual(eth?.definition.minimum, { USDT: '1', USDC: '0.01', ETH: '0.001' })
  assert.throws(() => read({ id: 'eth', nodes, minimum: { DAI: '1' } }), /minimum of DAI/)
  assert.throws(() => read({ id: 'eth', nodes, minimum: { USDT: '-1' } }), ConfigProblem)
})

test('opens TRON with several nodes, each with both interfaces and its own key', () => {
  const [watched] = read({
    id: 'tron',
    nodes: [
      { url: 'https://one.example/jsonrpc', http: 'https://one.example/', headers: { 'tron-pro-api-key': 'k' } },
      { url: 'https://two.example/jsonrpc', http: 'https://two.example' },
    ],
  })
  assert.deepEqual(watched?.nodes, [
    {
      url: 'https://one.example/jsonrpc',
      urls: { http: 'https://one.example' },
      headers: { 'tron-pro-api-key': 'k' },
    },
    { url: 'https://two.example/jsonrpc', urls: { http: 'https://two.example' } },
  ])
  assert.ok(openChain(watched!, pino({ level: 'silent' })) instanceof TronChain)
  const [eth] = read({ id: 'eth', nodes })
  assert.ok(openChain(eth!, pino({ level: 'silent' })) instanceof EvmChain)
})

test('accepts TRON contracts in base58 and a separate URL for the solidified state', () => {
  const [watched] = read({
    id: 'tron',
    nodes: [{ url: 'http://127.0.0.1:8545/jsonrpc', http: 'http://127.0.0.1:8090', solid: 'http://127.0.0.1:8091/' }],
    tokens: ['USDT', { symbol: 'TEST', contract: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', decimals: 6 }],
  })
  assert.equal(watched?.definition.tokens.at(1)?.contract, '0xeca9bc828a3005b9a3b909f2cc5c2a54794de05f')
  assert.equal(watched?.nodes[0]?.urls?.solid, 'http://127.0.0.1:8091')
})

test('names the first error', () => {
  const token = (contract: string) => ({ tokens: [{ symbol: 'ABC', contract, decimals: 6 }] })
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
    [
      () => read({ id: 'eth', nodes: [{ url: 'https://a.example', solid: 'https://a.example' }] }),
      /"solid", which only TRON/,
    ],
    [() => read({ id: 'eth', nodes, ...token('TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf') }), /contract of token ABC/],
    [() => read({ id: 'eth', nodes, ...token('0xdAC17F958D2ee523a2206206994597C13D831eC7') }), /contract of token ABC/],
    [
      () => read({ id: 'tron', nodes: [{ ...nodes[0], http: 'https://a.example' }], ...token(`0x${'ab'.repeat(20)}`) }),
      /contract of token ABC/,
    ],
    [() => read({ id: 'eth', nodes, surprise: 1 }), /surprise|nrecognized/],
  ]
  for (const [parse, message] of wrong)
    assert.throws(parse, error => error instanceof ConfigProblem && message.test(error.message), String(message))
})

test('refuses a node that is listed twice, which would have two votes', () => {
  const twice = (...urls: string[]) => read({ id: 'eth', nodes: urls.map(url => ({ url, headers: { 'x-key': 'k' } })) })
  assert.throws(
    () => twice('https://one.example/a', 'https://two.example', 'https://ONE.example:443/a/'),
    /chains\.json: chain eth lists its node 3 twice: it would have two votes/,
  )
  assert.equal(twice('https://one.example/a', 'https://one.example/b')[0]?.nodes.length, 2, 'keys of one provider')
  const http = 'https://one.example'
  const tron = (...nodes: object[]) => read({ id: 'tron', nodes })
  assert.throws(
    () => tron({ url: `${http}/jsonrpc`, http }, { url: 'https://two.example/jsonrpc', http }),
    ConfigProblem,
  )
})
