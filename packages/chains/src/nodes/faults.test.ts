import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, test } from 'node:test'
import { CallRefused, ChainUnavailable, ResponseTooLarge } from '../errors.ts'
import { readNumber } from '../evm/responses.ts'
import { Nodes, type NodesOptions } from './nodes.ts'
import { parseNodeAnswer } from './parse.ts'
import { nodeTransport } from './transport.ts'

const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** Starts a node that answers single calls by a function. */
async function node(answer: (method: string) => object) {
  const state = { requested: 0, url: '' }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString())
    state.requested++
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer(method) }))
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise(resolve => server.once('listening', resolve))
  state.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return state
}

const good = () => node(() => ({ result: '0x10' }))
const nodesOf = (urls: { url: string }[], more: Partial<NodesOptions> = {}) =>
  new Nodes({ endpoints: urls.map(({ url }) => ({ url })), ...more })

test('good answers do not make up for wrong ones: only time does, and only for what was wrong', async () => {
  let now = 0
  let isWrong = true
  const liar = await node(method => ({ result: method === 'eth_x' && isWrong ? 'x' : '0x10' }))
  const nodes = nodesOf([liar, await good()], { now: () => now })
  const isAsked = async (method: string) => {
    const before = liar.requested
    assert.equal(await nodes.ask(method, [], readNumber), 16)
    return liar.requested > before
  }
  /** Whether it is queried when penalties of these lengths end, and not before. */
  for (const penalty of [500, 1_000, 2_000, 4_000]) {
    assert.ok(await isAsked('eth_x'))
    assert.ok(await isAsked('eth_y'), 'it is asked for what it answers well')
    now += penalty / 2
    assert.ok(!(await isAsked('eth_x')))
    // A little longer than the time that the points lose meanwhile.
    now += penalty / 2
  }
  isWrong = false
  assert.ok(await isAsked('eth_x'))
  isWrong = true
  assert.ok(await isAsked('eth_x'))
  now += 2_000
  assert.ok(!(await isAsked('eth_x')), 'the good answer was no excuse')
  now += 600_000
  assert.ok(await isAsked('eth_x'))
  now += 500
  assert.ok(await isAsked('eth_x'), 'time was')
})

test('an answer larger than any of its kind is a fault of the node, and is not read', async () => {
  const large = await node(() => ({ result: `0x${'1'.repeat(2 ** 20)}` }))
  const failed: string[] = []
  const nodes = nodesOf([large, await good()], { onError: (_, error) => failed.push(error.message) })
  for (let i = 0; i < 3; i++) assert.equal(await nodes.ask('eth_getBalance', [], readNumber), 16)
  assert.equal(large.requested, 1)
  assert.match(failed.join(), /^response exceeds 1048576 bytes$/)
  const whole = await nodesOf([large]).ask('eth_getBlockReceipts', [], result => String(result).length)
  assert.equal(whole, 2 + 2 ** 20)
})

/** Fills a text by parts with commas between them. */
const filled = (length: number, part: (i: number) => string) => {
  const parts: string[] = []
  for (let size = 0; size < length; size += parts.at(-1)!.length + 1) parts.push(part(parts.length))
  return parts.join()
}

const length = 2 ** 19
const dense = {
  'empty objects': `[${filled(length, () => '{}')}]`,
  numbers: `[${filled(length, () => '0')}]`,
  'nested lists': `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'nested objects': `${'{"a":'.repeat(length / 6)}0${'}'.repeat(length / 6)}`,
  'many keys': `{${filled(length, i => `"${i.toString(36)}":0`)}}`,
}

for (const [shape, text] of Object.entries(dense))
  test(`a long answer of ${shape} is a fault of the node before it is parsed`, async t => {
    const parsed = t.mock.method(JSON, 'parse')
    await assert.rejects(parseNodeAnswer(200, text), /more (parts|shapes)/)
    assert.equal(parsed.mock.callCount(), 0)
    const failed: string[] = []
    const url = 'http://dense.invalid/'
    let requested = 0
    t.mock.method(nodeTransport, 'send', async (_url: string, _to: object, body: string) => {
      requested++
      const { id, method } = JSON.parse(body)
      const result = method === 'eth_getBlockReceipts' ? text : '"0x10"'
      return { status: 200, text: `{"jsonrpc":"2.0","id":${id},"result":${result}}` }
    })
    const nodes = new Nodes({ endpoints: [{ url }], onError: (_, error) => failed.push(error.message) })
    await assert.rejects(nodes.ask('eth_getBlockReceipts', [], result => result))
    assert.match(failed.join(), /more (parts|shapes)/)
    const before = requested
    assert.equal(await nodes.ask('eth_blockNumber', [], readNumber), 16, 'it is asked for all else')
    assert.ok(requested > before)
  })

test('the densest true answers are parsed: access lists without keys, authorizations, transactions of few digits, logs', async () => {
  const word = `0x${'1'.repeat(64)}`
  const address = `0x${'2'.repeat(40)}`
  const authorization = { address, chainId: '0x1', nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' }
  assert.ok(await parseNodeAnswer(200, `[${filled(length, () => JSON.stringify(authorization))}]`))
  const accessed = filled(length, () => JSON.stringify({ address, storageKeys: [] }))
  assert.ok(await parseNodeAnswer(200, `[${accessed}]`))
  const fees = {
    type: '0x2',
    chainId: '0x1',
    nonce: '0x1',
    gas: '0x1',
    maxFeePerGas: '0x1',
    maxPriorityFeePerGas: '0x1',
  }
  const place = { blockHash: word, blockNumber: '0x1', transactionIndex: '0x1', hash: word, from: address, to: null }
  const signature = { r: '0x1', s: '0x1', v: '0x1', yParity: '0x1' }
  const tx = { ...fees, ...place, ...signature, value: '0x0', input: '0x', accessList: [] }
  assert.ok(await parseNodeAnswer(200, `[${filled(length, () => JSON.stringify(tx))}]`))
  const log = { address, topics: [], data: '0x', blockNumber: '0x1', transactionHash: word, transactionIndex: '0x1' }
  const logged = { ...log, blockHash: word, logIndex: '0x1', removed: false }
  assert.ok(await parseNodeAnswer(200, `[${filled(length, () => JSON.stringify(logged))}]`))
})

test('what a contract says as it fails is too large in any form, and no fault of the node', async t => {
  t.mock.method(nodeTransport, 'send', async () => ({ status: 200, text: dense.numbers }))
  const failed: Error[] = []
  const nodes = new Nodes({ endpoints: [{ url: 'http://dense.invalid/' }], onError: (_, error) => failed.push(error) })
  await assert.rejects(
    nodes.ask('eth_call', [], result => result),
    ResponseTooLarge,
  )
  assert.deepEqual(failed, [])
})

const hostile = `nonce_ahead | 1 | 2\0\u001b[2J\r\n\u202eok\u2028${'😀'.repeat(150)}`
const words: Record<string, { error: object; kind: typeof ChainUnavailable | typeof CallRefused }> = {
  'as it fails': { error: { code: -32_603, message: hostile }, kind: ChainUnavailable },
  'as it limits the rate': { error: { code: -32_005, message: hostile }, kind: ChainUnavailable },
  'as it refuses': { error: { code: 3, message: hostile }, kind: CallRefused },
}
for (const [when, { error, kind }] of Object.entries(words))
  test(`what a node says ${when} is one line of whole characters, in one part`, async () => {
    const nodes = nodesOf([await node(() => ({ error }))])
    const failure = await nodes.ask('eth_x', [], readNumber).catch((caught: Error) => caught)
    assert.ok(failure instanceof kind)
    assert.match(failure.message, /^nonce_ahead {3}1 {3}2 \[2J ok 😀+$/u)
    assert.ok(failure.message.length <= 300)
  })

test('so are the words of a reader about what a node sent', async () => {
  const nodes = nodesOf([await node(() => ({ result: 'x\0y' }))])
  const asking = nodes.ask('eth_x', [], result => {
    throw new Error(`unknown ${result}`)
  })
  await assert.rejects(asking, { message: 'unknown x y' })
})
