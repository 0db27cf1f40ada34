import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type AccountChain, type Chain, type ChainView, ethereum } from '@coffer/chains'
import { ChainUnavailable } from '@coffer/chains/errors.ts'
import { nodeTransport } from '@coffer/chains/nodes/transport.ts'
import { pino } from 'pino'
import { registry } from '../kit/metrics.ts'
import { failingNodes, nodeName, openChain, watchForks } from './open-chain.ts'

test('a fork that this version was not written for is reported until it is past', async () => {
  const now = 1_900_000_000
  const fork = 1_902_000_000
  const chain = {
    definition: { ...ethereum, id: 'forking' },
    isVerified: true,
    unknownFork: async () => fork,
  } as object
  const look = async (at: number) => {
    await watchForks(chain as ChainView, at, pino({ level: 'silent' }))
    const [, metric] = /^coffer_chain_unknown_fork\{chain="forking"\} (\d+)$/m.exec(await registry.metrics()) ?? []
    return [
      Number(metric),
      failingNodes(0)
        .filter(each => each.chain === 'forking')
        .map(each => each.reason),
    ]
  }
  const why = 'unknown_fork | 2030-04-09T21:20:00.000Z'
  assert.deepEqual(await look(now), [fork, [why]])
  assert.deepEqual(await look(fork), [0, []])
})

test('the metric of a node’s batches follows a limit of its rate, and its end', async t => {
  let isLimited = true
  let now = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const calls = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; method: string }[]
    if (isLimited && calls.length > 25) return response.writeHead(429).end()
    const answers = { eth_chainId: '0x1', eth_getBlockByNumber: { hash: `0x${'1'.repeat(64)}` } }
    const answer = ({ id, method }: (typeof calls)[number]) => ({
      jsonrpc: '2.0',
      id,
      result: answers[method as keyof typeof answers] ?? '0x5',
    })
    response.end(JSON.stringify(calls.map(answer)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { multicall: _, ...rest } = ethereum
  const definition = { ...rest, id: 'limited', roots: false }
  const chain = openChain({ definition, nodes: [{ url }] }, pino({ level: 'silent' }), {
    now: () => now,
  }) as AccountChain
  const addresses = Array.from({ length: 50 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`)
  const block = { number: 1, hash: `0x${'1'.repeat(64)}` }
  const size = async () => {
    const balances = await chain.certainBalances(null, addresses, block).catch(() => [])
    const [, metric] =
      /^coffer_node_batch_size\{chain="limited",node="1"\} (\d+)$/m.exec(await registry.metrics()) ?? []
    return [balances.length, Number(metric)]
  }
  assert.deepEqual(await size(), [0, 25], 'a rate limit lowers it')
  now += 1_000
  assert.deepEqual(await size(), [50, 25], 'it is kept for a time')
  isLimited = false
  now += 20_000
  await size()
  assert.deepEqual(await size(), [50, 50], 'and recovers')
})

test('two nodes at one host are told apart', async t => {
  const server = createServer((_, response) => response.writeHead(500).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const elsewhere = `localhost:${(server.address() as AddressInfo).port}`
  const nodes = [`http://${host}/key-1`, `http://${elsewhere}/`, `http://${host}/key-2`].map(url => ({ url }))
  const chain = openChain(
    { definition: { ...ethereum, id: 'twins' }, nodes },
    pino({ level: 'silent' }),
  ) as AccountChain
  await assert.rejects(chain.head())
  const failing = failingNodes(60_000).filter(each => each.chain === 'twins')
  assert.deepEqual(failing.map(each => each.name).sort(), [`${host} #1`, `${host} #3`, elsewhere].sort())
  assert.deepEqual(
    nodes.map(({ url }) => nodeName('twins', url)),
    [`${host} #1`, elsewhere, `${host} #3`],
  )
})

test('a node that votes wait for is named by why it failed, if it did', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const nodes = ['slow', 'failing', 'prompt'].map(name => ({ url: `http://${name}.invalid/` }))
  let isFailing = true
  t.mock.method(nodeTransport, 'send', async (url: string, _to: object, body: string) => {
    if (url.includes('failing') && isFailing) throw new ChainUnavailable('ECONNREFUSED')
    if (!url.includes('prompt')) return new Promise(() => {})
    const answer = ({ id, method }: { id: number; method: string }) => {
      const known = { eth_chainId: '0x1', eth_getBlockByNumber: { hash: `0x${'1'.repeat(64)}` } }
      return { jsonrpc: '2.0', id, result: known[method as keyof typeof known] ?? '0x5' }
    }
    const request = JSON.parse(body)
    return { status: 200, text: JSON.stringify(Array.isArray(request) ? request.map(answer) : answer(request)) }
  })
  const definition = { ...ethereum, id: 'waiting', roots: false }
  const chain = openChain({ definition, nodes }, pino({ level: 'silent' })) as Chain
  const vote = async () => {
    chain.nonce(`0x${'1'.repeat(40)}`).catch(() => {})
    for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
    t.mock.timers.tick(1_000)
  }
  await vote()
  isFailing = false
  await vote()
  const reasons = failingNodes(60_000).filter(each => each.chain === 'waiting')
  assert.deepEqual(reasons.map(({ name, reason }) => [name, reason.slice(0, 12)]).sort(), [
    ['failing.invalid', 'ECONNREFUSED'],
    ['slow.invalid', 'slow: the ch'],
  ])
})
