import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { until } from '@coffer/local/testing/until.ts'
import { CallRefused, ChainUnavailable, ResponseTooLarge } from '../errors.ts'
import { createNodeIdentity } from '../evm/identity.ts'
import { readNumber } from '../evm/responses.ts'
import { callTronHttpApi } from '../tron/http-api.ts'
import { AnswerSpace } from './answer-space.ts'
import { Nodes, type NodesOptions, ObjectMissing } from './nodes.ts'

const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** Starts a node that answers by a function: with a JSON-RPC result or error, or Raw to write the response itself. */
async function node(answer: (method: string, params: unknown[]) => unknown, batches: boolean | number = true) {
  const state = { requested: 0, url: '' }
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    state.requested++
    const one = ({ id, method, params }: { id: number; method: string; params: unknown[] }) => {
      const result = answer(method, params)
      return result instanceof Raw ? result : { jsonrpc: '2.0', id, ...(result as object) }
    }
    if (Array.isArray(body) && !batches) {
      return response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches here"}}')
    }
    if (Array.isArray(body) && typeof batches === 'number' && body.length > batches)
      return response.writeHead(413).end('<html>')
    const answers = Array.isArray(body) ? body.map(one) : one(body)
    const raw = [answers].flat().find(each => each instanceof Raw)
    if (raw) raw.send(response)
    else response.end(JSON.stringify(answers))
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise(resolve => server.once('listening', resolve))
  state.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return state
}

class Raw {
  readonly send: (response: Parameters<RequestListener>[1]) => void
  constructor(send: (response: Parameters<RequestListener>[1]) => void) {
    this.send = send
  }
}

const sixteen = '{"jsonrpc":"2.0","id":0,"result":"0x10"}'
const compressed = { 'content-encoding': 'gzip' }

const good = () => node(() => ({ result: '0x10' }))
const nodesOf = (urls: { url: string }[], more: Partial<NodesOptions> = {}) =>
  new Nodes({ endpoints: urls.map(({ url }) => ({ url })), timeoutMs: 800, ...more })
const ask = (nodes: Nodes) => nodes.ask('eth_blockNumber', [], readNumber)

const broken: [string, (method: string) => unknown][] = [
  ['truncates the response', () => new Raw(r => r.end('{"jsonrpc":"2.0","id":0,"result":"0x1'))],
  ['closes the connection', () => new Raw(r => r.destroy())],
  ['never answers', () => new Raw(() => {})],
  ['never finishes the response', () => new Raw(r => void r.write('{"jsonrpc":'))],
  ['returns an error page', () => new Raw(r => r.writeHead(502).end('<html>'))],
  ['limits the rate', () => new Raw(r => r.writeHead(429).end('{}'))],
  ['redirects', () => new Raw(r => r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(sixteen))],
  ['sends what is not compressed as it says', () => new Raw(r => r.writeHead(200, compressed).end(sixteen))],
  ['answers with another id', () => ({ id: 77, result: '0x1' })],
  ['returns a result of another shape', () => ({ result: { block: 16 } })],
  ['returns a number instead of a quantity', () => ({ result: 16 })],
  ['returns a quantity that overflows', () => ({ result: '0xffffffffffffffffff' })],
  ['has an internal error', () => ({ error: { code: -32603, message: 'oops' } })],
  ['returns neither a result nor an error', () => ({})],
  ['returns null', () => new Raw(r => r.end('null'))],
]
for (const [name, answer] of broken) {
  test(`a node that ${name} is skipped and gets a penalty`, async () => {
    const bad = await node(answer)
    const well = await good()
    const failed: string[] = []
    const nodes = nodesOf([bad, well], { onError: url => failed.push(url) })
    assert.equal(await ask(nodes), 16)
    assert.equal(await ask(nodes), 16)
    assert.equal(bad.requested, 1)
    assert.deepEqual(failed, [bad.url])
  })
  test(`a single node that ${name} is unavailable`, async () => {
    await assert.rejects(ask(nodesOf([await node(answer)])), ChainUnavailable)
  })
}

test('the penalty doubles with every failure up to a limit, and ends with a success', async () => {
  let now = 0
  let down = true
  const first = await node(() => (down ? new Raw(r => r.destroy()) : { result: '0x10' }))
  const second = await good()
  const nodes = nodesOf([first, second], { now: () => now })
  const requestedAfter = async (ms: number) => {
    now += ms
    const before = first.requested
    await ask(nodes)
    return first.requested - before
  }
  assert.equal(await requestedAfter(0), 1)
  assert.equal(await requestedAfter(400), 0)
  assert.equal(await requestedAfter(100), 1)
  assert.equal(await requestedAfter(900), 0)
  assert.equal(await requestedAfter(100), 1)
  for (let i = 0; i < 20; i++) await requestedAfter(60_000)
  assert.equal(await requestedAfter(59_000), 0)
  down = false
  assert.equal(await requestedAfter(1_000), 1)
  down = true
  assert.equal(await requestedAfter(0), 1)
  assert.equal(await requestedAfter(500), 1)
})

test('asks the node whose penalty ends first if none is healthy', async () => {
  let now = 0
  const dead = await node(() => new Raw(r => r.destroy()))
  const nodes = nodesOf([dead, { url: 'http://127.0.0.1:1' }], { now: () => now++ })
  await assert.rejects(ask(nodes), ChainUnavailable)
  await assert.rejects(ask(nodes), ChainUnavailable)
  assert.equal(dead.requested, 2)
})

test('uses a slow response, but penalizes the node', async () => {
  let now = 0
  const slow = await node(() => {
    now += 6_000
    return { result: '0x10' }
  })
  const quick = await node(() => ({ result: '0x11' }))
  const nodes = nodesOf([slow, quick], { now: () => now })
  assert.equal(await ask(nodes), 16)
  assert.equal(await ask(nodes), 17)
})

test('passes on a refusal without penalty, after asking the other nodes', async () => {
  const refusing = await node(() => ({ error: { code: -32000, message: 'nonce too low' } }))
  const nodes = nodesOf([refusing])
  await assert.rejects(
    ask(nodes),
    error => error instanceof CallRefused && error.code === -32000 && error.message === 'nonce too low',
  )
  assert.equal(await ask(nodesOf([refusing, await good()])), 16)
  const dead = { url: 'http://127.0.0.1:1' }
  await assert.rejects(ask(nodesOf([dead, refusing, dead])), CallRefused)
})

test('asks the next node for an object that one lacks', async () => {
  const lacking = await node(() => ({ result: null }))
  const read = (result: unknown) => {
    if (result === null) throw new ObjectMissing('no')
    return readNumber(result)
  }
  const nodes = nodesOf([lacking, await good()])
  assert.equal(await nodes.ask('eth_x', [], read), 16)
  assert.equal(await nodes.ask('eth_x', [], read), 16)
  assert.equal(lacking.requested, 2, 'without penalty')
  await assert.rejects(nodesOf([lacking]).ask('eth_x', [], read), ObjectMissing)
})

test('does not read a response above the size limit', async () => {
  const large = await node(() => ({ result: 'x'.repeat(100_000) }))
  await assert.rejects(
    nodesOf([large], { maxBytes: 10_000 }).ask('eth_getLogs', [], result => result),
    ResponseTooLarge,
  )
})

test('batches calls to one node, and matches results to calls', async () => {
  const counting = await node((_, params) => ({ result: `0x${Number(params[0]).toString(16)}` }))
  const calls = Array.from({ length: 120 }, (_, i) => ({ method: 'eth_x', params: [i] }))
  const numbers = await nodesOf([counting]).askMany(calls, results => results.map(readNumber))
  assert.deepEqual(
    numbers,
    calls.map((_, i) => i),
  )
  assert.equal(counting.requested, 3)
})

test('sends single calls to a node that refuses batches', async () => {
  const plain = await node((_, params) => ({ result: `0x${Number(params[0]).toString(16)}` }), false)
  const calls = Array.from({ length: 5 }, (_, i) => ({ method: 'eth_x', params: [i] }))
  const nodes = nodesOf([plain])
  assert.deepEqual(await nodes.askMany(calls, results => results.map(readNumber)), [0, 1, 2, 3, 4])
  assert.equal(plain.requested, 6, 'one refused batch, then single calls')
})

const tooMany = [
  ...[-32_005, -32_097, -32_029, 429].map(
    code => [`error ${code}`, () => ({ error: { code, message: 'slow down' } })] as const,
  ),
  ['HTTP 429', () => new Raw(r => r.writeHead(429).end('{}'))],
  ['HTTP 503 with a time', () => new Raw(r => r.writeHead(503, { 'retry-after': '0' }).end())],
] as const
for (const [what, limited] of tooMany) {
  test(`a node that limits the rate by ${what} gets smaller batches for a while, and full ones again`, async () => {
    let now = 0
    let isLimited = true
    const busy = await node((_, params) => (isLimited ? limited() : { result: `0x${Number(params[0]).toString(16)}` }))
    const sizes: number[] = []
    const nodes = nodesOf([busy], { now: () => now, onBatchSize: (_, size) => sizes.push(size) })
    const calls = Array.from({ length: 50 }, (_, i) => ({ method: 'eth_x', params: [i] }))
    const requestsFor = async () => {
      const before = busy.requested
      await nodes.askMany(calls, results => results.map(readNumber))
      return busy.requested - before
    }
    await assert.rejects(requestsFor(), ChainUnavailable)
    isLimited = false
    now += 1_000
    assert.equal(await requestsFor(), 2)
    now += 20_000
    assert.equal(await requestsFor(), 2)
    assert.equal(await requestsFor(), 1)
    assert.deepEqual(sizes, [25, 50])
  })
}

test('a node that limits the rate is sent nothing before the time that it says', async () => {
  let now = 0
  const busy = await node(() => new Raw(r => r.writeHead(429, { 'retry-after': '7' }).end()))
  const nodes = nodesOf([busy], { now: () => now })
  const call = { method: 'eth_x', params: [] }
  for (const [at, requested] of [
    [0, 1],
    [6_900, 1],
    [7_000, 2],
  ] as const) {
    now = at
    await assert.rejects(ask(nodes), ChainUnavailable)
    await nodes.askQuorum([call], ([result]) => readNumber(result))
    assert.equal(busy.requested, requested, `${at}`)
  }
})

test('halves a batch that is too large for a node, and tries larger ones after ten minutes', async () => {
  let now = 0
  const most = 20
  const small = await node((_, params) => ({ result: `0x${Number(params[0]).toString(16)}` }), most)
  const nodes = nodesOf([small], { now: () => now })
  const calls = Array.from({ length: 50 }, (_, i) => ({ method: 'eth_x', params: [i] }))
  const requestsFor = async () => {
    const before = small.requested
    assert.deepEqual(
      await nodes.askMany(calls, results => results.map(readNumber)),
      calls.map((_, i) => i),
    )
    return small.requested - before
  }
  assert.equal(await requestsFor(), 2 + 5)
  assert.equal(await requestsFor(), 5)
  now += 600_000
  assert.equal(await requestsFor(), 1 + 1 + 4)
})

test('gives up the answers of the node that holds the most memory, not those of others', async () => {
  const large = 'x'.repeat(60_000)
  const space = new AnswerSpace(100_000)
  const open: (() => void)[] = []
  const flooding = await node(
    () =>
      new Raw(r => {
        r.write(`{"jsonrpc":"2.0","id":0,"result":"${large}`)
        open.push(() => r.end('"}'))
      }),
  )
  const honest = await node(() => ({ result: 'y'.repeat(50_000) }))
  const flood = nodesOf([flooding], { space, timeoutMs: 60_000 })
  const asking = flood.ask('eth_x', [], it => it).catch((error: Error) => error)
  await until('the flood has begun', () => open.length > 0)
  const answers = await nodesOf([honest], { space, timeoutMs: 60_000 }).ask('eth_x', [], it => it)
  assert.equal(String(answers).length, 50_000)
  assert.ok((await asking) instanceof ResponseTooLarge)
  assert.equal(String(await nodesOf([honest], { space }).ask('eth_x', [], it => it)).length, 50_000)
})

test('reads a compressed answer, and refuses one whose content is too large', async () => {
  const sent = [sixteen, JSON.stringify({ jsonrpc: '2.0', id: 0, result: 'x'.repeat(200_000) })]
  const zipped = await node(() => new Raw(r => r.writeHead(200, compressed).end(gzipSync(sent.shift()!))))
  const nodes = nodesOf([zipped], { maxBytes: 100_000 })
  assert.equal(await ask(nodes), 16)
  await assert.rejects(ask(nodes), ResponseTooLarge)
})

test('reads a large compressed answer by parts, and refuses one that grows beyond its limit or is not compressed', async () => {
  const large = 'x'.repeat(3_000_000)
  const bodies = [large, 'x'.repeat(6_000_000)].map(result =>
    gzipSync(JSON.stringify({ jsonrpc: '2.0', id: 0, result })),
  )
  const zipped = await node(() => new Raw(r => r.writeHead(200, compressed).end(bodies.shift() ?? 'plain')))
  const limits = { maxBytes: 5_000_000 }
  assert.equal(await nodesOf([zipped], limits).ask('eth_getLogs', [], String), large)
  await assert.rejects(nodesOf([zipped], limits).ask('eth_getLogs', [], String), ResponseTooLarge)
  await assert.rejects(nodesOf([zipped], limits).ask('eth_getLogs', [], String), ChainUnavailable)
})

test('requests one after another use one connection', async () => {
  const sockets = new Set<unknown>()
  const one = await node(() => new Raw(r => sockets.add(r.socket) && r.end(sixteen)))
  const nodes = nodesOf([one])
  for (let i = 0; i < 3; i++) assert.equal(await ask(nodes), 16)
  assert.equal(sockets.size, 1)
})

test('asks all healthy nodes, with a result or an error for each', async () => {
  const a = await good()
  const b = await node(() => ({ error: { code: 3, message: 'no' } }))
  const nodes = nodesOf([a, { url: 'http://127.0.0.1:1' }, b])
  const answers = await nodes.askEach('eth_x', [], readNumber)
  assert.equal(answers[0], 16)
  assert.ok(answers[1] instanceof ChainUnavailable)
  assert.ok(answers[2] instanceof CallRefused)
  assert.equal((await nodes.askEach('eth_x', [], readNumber)).length, 2, 'a node with a penalty is not queried')
})

test('a vote that is not decided waits for slow nodes, and names them', async () => {
  const left: (() => void)[] = []
  const later = () => new Raw(response => left.push(() => response.end('{"jsonrpc":"2.0","id":0,"result":"0x10"}')))
  const urls = [await good(), await node(later), await node(later)]
  const waited: string[] = []
  const onWait = (url: string) => {
    waited.push(url)
    if (waited.length === 2) for (const answer of left) answer()
  }
  const nodes = nodesOf(urls, { timeoutMs: 60_000, onWait })
  const call = { method: 'eth_x', params: [] }
  const most = (found: number[], queried: number) => found.length * 2 > queried
  assert.deepEqual((await nodes.askQuorum([call], ([result]) => readNumber(result), most)).filter(Number), [16, 16])
  assert.deepEqual(
    waited,
    urls.slice(1).map(({ url }) => url),
  )
})

test('uses a node only once it returns the right chain id', async () => {
  let id = '0x1'
  const other = await node(method => ({ result: method === 'eth_chainId' ? id : '0x20' }))
  const right = await node(method => ({ result: method === 'eth_chainId' ? '0x38' : '0x10' }))
  const failures: string[] = []
  const onError = (_: string, error: Error) => void failures.push(error.message)
  const nodes = nodesOf([other, right], { identity: createNodeIdentity(56), onError })
  assert.equal(await ask(nodes), 16)
  assert.equal(await ask(nodes), 16)
  assert.deepEqual([other.requested, right.requested, failures], [1, 3, ['chain id is 0x1, not 56']])
  const alone = nodesOf([other], { identity: createNodeIdentity(56) })
  await assert.rejects(ask(alone), ChainUnavailable)
  assert.deepEqual(await alone.askEach('eth_blockNumber', [], readNumber), [
    new ChainUnavailable('chain id is 0x1, not 56'),
  ])
  id = '0x38'
  assert.equal(await ask(alone), 32)
})

test('asks the next node for a path that one lacks, without penalty', async () => {
  const failures: string[] = []
  const without = await node(() => new Raw(r => r.writeHead(404).end('<html>')))
  const right = await node(() => new Raw(r => r.end('{"balance":5}')))
  const endpoints = [without, right].map(({ url }) => ({ url, urls: { http: url } }))
  const nodes = new Nodes({ endpoints, onError: (_, error) => void failures.push(error.message) })
  for (let i = 0; i < 2; i++)
    assert.deepEqual(await callTronHttpApi(nodes, '/walletsolidity/getaccount', {}, it => it), { balance: 5 })
  assert.deepEqual([without.requested, right.requested, failures], [2, 2, []])
  const alone = new Nodes({ endpoints: endpoints.slice(0, 1) })
  await assert.rejects(
    callTronHttpApi(alone, '/walletsolidity/getaccount', {}, it => it),
    CallRefused,
  )
})
