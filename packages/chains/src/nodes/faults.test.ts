import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, test } from 'node:test'
import { readNumber } from '../evm/responses.ts'
import { Nodes, type NodesOptions } from './nodes.ts'

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
  /** Whether it is asked when penalties of these lengths end, and not before. */
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
