import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ChainUnavailable } from '../errors.ts'
import { readNumber } from '../evm/responses.ts'
import { Nodes } from './nodes.ts'
import { nodeTransport } from './transport.ts'

type Sent = Awaited<ReturnType<typeof nodeTransport.send>>

const call = { method: 'eth_x', params: [] }
const good = (body: string): Sent => ({
  status: 200,
  text: `{"jsonrpc":"2.0","id":${JSON.parse(body).id},"result":"0x10"}`,
})

/** Nodes in memory by a clock that only `pass` moves, each answering by its function. Counts the queries of each. */
function watched(t: TestContext, answers: ((body: string) => Sent | Promise<Sent>)[]) {
  let now = 0
  const requested = answers.map(() => 0)
  const urls = answers.map((_, i) => `http://node${i}.invalid/`)
  t.mock.method(nodeTransport, 'send', async (url: string, _to: object, body: string) => {
    const i = urls.indexOf(url)
    requested[i]! += 1
    return answers[i]!(body)
  })
  const nodes = new Nodes({ endpoints: urls.map(url => ({ url })), now: () => now })
  const requestedBy = async (ask: () => Promise<unknown>) => {
    const before = [...requested]
    await ask().catch(() => {})
    return requested.map((count, i) => count - before[i]!)
  }
  const pass = (ms: number) => {
    now += ms
  }
  const one = () => nodes.ask('eth_x', [], readNumber)
  return { nodes, pass, requestedBy, one, vote: () => nodes.askQuorum([call], ([result]) => readNumber(result)) }
}

/** Answers that come when they are let. */
function held() {
  const waiting: PromiseWithResolvers<Sent>[] = []
  const answer = () => {
    waiting.push(Promise.withResolvers<Sent>())
    return waiting.at(-1)!.promise
  }
  return { answer, waiting }
}

const failures = {
  'fail to answer': (each: PromiseWithResolvers<Sent>) => each.reject(new ChainUnavailable('ECONNRESET')),
  'are refused for their rate': (each: PromiseWithResolvers<Sent>) => each.resolve({ status: 429, text: '' }),
  'are answered wrongly': (each: PromiseWithResolvers<Sent>) =>
    each.resolve({ status: 200, text: '{"jsonrpc":"2.0","id":0,"result":"x"}' }),
}
for (const [what, fail] of Object.entries(failures))
  test(`requests in flight that ${what} together are one failure: the node is asked again after half a second`, async t => {
    const { answer, waiting } = held()
    let isDown = true
    const { pass, requestedBy, one } = watched(t, [body => (isDown ? answer() : good(body)), good])
    const asking = Array.from({ length: 8 }, one)
    pass(5)
    for (const each of waiting) fail(each)
    assert.deepEqual(await Promise.all(asking), Array(8).fill(16))
    isDown = false
    pass(499)
    assert.deepEqual(await requestedBy(one), [0, 1])
    pass(1)
    assert.deepEqual(await requestedBy(one), [1, 0])
  })

test('an answer to what was asked during a penalty ends it', async t => {
  let isDown = true
  const { pass, requestedBy, one, vote } = watched(t, [
    body => {
      if (isDown) throw new ChainUnavailable('ECONNREFUSED')
      return good(body)
    },
    good,
  ])
  for (let i = 0; i < 7; i++) {
    await one()
    pass(500 * 2 ** i)
  }
  pass(-1)
  assert.deepEqual(await requestedBy(one), [0, 1])
  isDown = false
  // Votes are requested of it until it has failed for a minute.
  pass(-30_000)
  await vote()
  assert.deepEqual(await requestedBy(one), [1, 0])
})

test('nodes that all failed for minutes decide again as soon as they answer', async t => {
  let isDown = true
  const answer = (body: string) => {
    if (isDown) throw new ChainUnavailable('ECONNREFUSED')
    return good(body)
  }
  const { pass, vote, requestedBy } = watched(t, [answer, answer, answer])
  for (let i = 0; i < 200; i++) {
    await vote()
    pass(1_000)
  }
  isDown = false
  assert.deepEqual((await vote()).filter(Number), [16, 16, 16])
  assert.deepEqual(await requestedBy(vote), [1, 1, 1])
})

test('a node of three that has failed for a minute is not asked for votes while two others answer', async t => {
  const { pass, vote, requestedBy } = watched(t, [
    () => Promise.reject(new ChainUnavailable('ECONNREFUSED')),
    good,
    good,
  ])
  for (let i = 0; i < 70; i++) {
    await vote()
    pass(1_000)
  }
  const counts = []
  for (let i = 0; i < 10; i++) {
    counts.push((await requestedBy(vote))[0]!)
    pass(1_000)
  }
  assert.ok(counts.filter(Boolean).length <= 1, counts.join())
})

/** Refuses the first request for its rate. */
const limitedOnce = () => {
  let isLimited = true
  return (body: string): Sent => {
    const sent = isLimited ? { status: 429, text: '' } : good(body)
    isLimited = false
    return sent
  }
}
const settle = () => new Promise(resolve => setImmediate(resolve))

test('a vote that is not decided waits for a node that limits the rate for half a second', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const dead = () => Promise.reject(new ChainUnavailable('ECONNREFUSED'))
  const { pass, nodes } = watched(t, [limitedOnce(), dead, good])
  const most = (found: number[], queried: number) => found.length * 2 > queried
  const vote = () => nodes.askQuorum([call], ([result]) => readNumber(result), most)
  assert.deepEqual((await vote()).filter(Number), [16])
  const voting = vote()
  await settle()
  pass(500)
  t.mock.timers.tick(500)
  assert.deepEqual((await voting).filter(Number), [16, 16])
})

test('a limit of the only node is waited for', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { pass, one } = watched(t, [limitedOnce()])
  await assert.rejects(one(), ChainUnavailable)
  const asking = one()
  await settle()
  pass(500)
  t.mock.timers.tick(500)
  assert.equal(await asking, 16)
})

test('a node that limits the rate for minutes and says no time is asked every 15 seconds', async t => {
  const { pass, requestedBy, one } = watched(t, [() => ({ status: 429, text: '' })])
  for (let i = 0; i < 20; i++) {
    await one().catch(() => {})
    pass(15_000)
  }
  assert.deepEqual(await requestedBy(one), [1])
  pass(13_999)
  assert.deepEqual(await requestedBy(one), [0])
  pass(1_001)
  assert.deepEqual(await requestedBy(one), [1])
})

test('two nodes of three that ask for a minute are asked again after 15 seconds, and a vote is decided then', async t => {
  let limited = true
  const busy = (body: string): Sent => (limited ? { status: 429, retryAfter: '60', text: '' } : good(body))
  const { pass, nodes, requestedBy } = watched(t, [busy, busy, good])
  const vote = () => nodes.askQuorum([call], ([result]) => readNumber(result))
  assert.deepEqual((await requestedBy(vote)).slice(0, 2), [1, 1])
  pass(5_000)
  assert.deepEqual((await requestedBy(vote)).slice(0, 2), [0, 0], 'politely')
  limited = false
  pass(10_000)
  assert.deepEqual((await vote()).filter(Number), [16, 16, 16])
})
