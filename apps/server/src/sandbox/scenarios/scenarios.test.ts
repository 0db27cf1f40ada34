import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CallbackRelayKind, createCallbackRelay } from './relay.ts'
import { describeScenarioFault, parseStatusResponse } from './report.ts'
import { type ScenarioActions, scenarios } from './scenarios.ts'

const exchange = (event: string, status: number, forged = false) => ({ event, status, duration_ms: 1, forged })
const reading = (expected: boolean, paid: boolean | null, times: number | null = null) => ({ expected, paid, times })

test('an endpoint handles a scenario by its last responses and by what its status URL says', () => {
  const fault = (exchanges: object[], readings: object[] = [], problem: string | null = null) =>
    describeScenarioFault({ exchanges, readings, problem } as Parameters<typeof describeScenarioFault>[0], 'en')
  const seen = exchange('payment.seen', 200)
  const paid = exchange('payment.paid', 204)
  assert.equal(fault([seen, paid]), '')
  assert.equal(fault([exchange('payment.paid', 500), paid], [reading(true, true, 1)]), '', 'a retry is accepted')
  assert.match(fault([seen, paid, exchange('payment.paid', 500)]), /did not accept payment.paid \(500\)/)
  assert.match(fault([exchange('payment.seen', 0)]), /did not respond to payment.seen/)
  assert.match(fault([seen], [], 'never'), /no callback in time/)
  assert.match(fault([paid], [reading(true, false)]), /is to be delivered and is not/)
  assert.match(fault([paid], [reading(false, true), reading(true, true)]), /must not be/)
  assert.match(fault([paid], [reading(true, true, 2)]), /more than once/)
  assert.match(fault([paid], [reading(true, null)]), /gave no \{"paid"/)
  assert.equal(fault([exchange('payment.paid', 401, true)], [reading(false, false)]), '')
  assert.match(fault([exchange('payment.paid', 200, true)]), /accepted a forged callback/)
  assert.match(fault([exchange('payment.paid', 0, true)]), /did not respond to payment.paid/)
  assert.match(fault([exchange('payment.paid', 401, true)], [reading(false, true)]), /must not be/)
})

test('reads a status that says whether the order is paid, and nothing else', () => {
  assert.deepEqual(parseStatusResponse('{"paid":true,"delivered":2}', true), reading(true, true, 2))
  for (const text of ['', 'paid', 'null', '[]', '{"paid":"yes"}', '{"paid":1}', '<html>'])
    assert.deepEqual(parseStatusResponse(text, false), reading(false, null), text)
})

test('relays hand on callbacks as the network of their scenario does', async () => {
  const play = async (kind: CallbackRelayKind, events: string[]) => {
    const wait = async (ms: number) => void handed.push(`${ms} ms`)
    const relay = createCallbackRelay(kind, wait)
    const handed = [] as string[]
    const before = new Map<string, number>()
    const statuses: number[] = []
    for (const event of events) {
      const hand = async () => {
        handed.push(event)
        return 200
      }
      statuses.push(await relay(event, hand, before.get(event) ?? 0))
      before.set(event, (before.get(event) ?? 0) + 1)
    }
    return { handed, statuses }
  }
  const life = ['payment.seen', 'payment.paid']
  assert.deepEqual(await play('plain', life), { handed: life, statuses: [200, 200] })
  assert.deepEqual((await play('twice', life)).handed, ['payment.seen', 'payment.paid', 'payment.paid'])
  assert.deepEqual(await play('disorder', life), { handed: ['payment.paid', 'payment.seen'], statuses: [204, 200] })
  const lost = await play('lost', [...life, 'payment.paid'])
  assert.deepEqual(lost, { handed: [...life, 'payment.paid'], statuses: [200, 500, 200] })
  const slow = await play('slow', [...life, 'payment.paid'])
  assert.deepEqual(
    slow.handed,
    ['payment.seen', '20000 ms', 'payment.paid', 'payment.paid'],
    'once, before it is handed on',
  )
})

test('each scenario does to its order what its name says, and reads the status URL after it', async () => {
  const told = async (name: string) => {
    const steps: string[] = []
    const step = (verb: string) => async (value?: unknown) =>
      void steps.push(value === undefined ? verb : `${verb} ${value}`)
    const verbs = ['pay', 'seen', 'expire', 'reverse', 'forge', 'until', 'delivers'] as const
    await scenarios[name]!.live(Object.fromEntries(verbs.map(verb => [verb, step(verb)])) as unknown as ScenarioActions)
    return steps.join(', ').replaceAll('until payment.', 'until ')
  }
  const paid = 'pay, until paid, delivers true'
  const all = await Promise.all(Object.keys(scenarios).map(async name => [name, await told(name)]))
  assert.deepEqual(Object.fromEntries(all), {
    paid,
    parts: `pay 0.5, until partial, delivers false, ${paid}`,
    over: 'pay 2, until paid, until over, delivers true',
    late: 'pay, seen, expire, until paid, delivers true',
    expired: 'expire, until timeout, delivers false, pay, until late',
    reversed: `${paid}, reverse, until error, delivers false`,
    twice: paid,
    disorder: paid,
    lost: paid,
    slow: paid,
    forged: 'forge, delivers false',
  })
})
