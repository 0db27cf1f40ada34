import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Checkout, type CheckoutState, followPayment } from './follow.ts'

test('a stream that breaks shows at once, and what comes back hides it', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const told: CheckoutState[] = []
  let away = false
  let events = {} as Pick<EventSource, 'onmessage' | 'onerror'>
  const payment = followPayment('1', known => told.push(known), {
    fetch: async () => {
      if (away) throw new TypeError('fetch failed')
      return Response.json({ code: 200, data: {} as Checkout })
    },
    openEvents: (_, on) => {
      events = on
      return () => {}
    },
    now: () => 1_000,
    language: () => 'en-US',
  })
  const online = async () => {
    await new Promise(resolve => setImmediate(resolve))
    const known = told.at(-1)
    return known?.state === 'here' && known.online
  }
  events.onmessage?.call({} as EventSource, { data: '{}' } as MessageEvent)
  assert.equal(await online(), true)
  away = true
  events.onerror?.call({} as EventSource, {} as Event)
  assert.equal(await online(), false)
  away = false
  events.onmessage?.call({} as EventSource, { data: '{}' } as MessageEvent)
  assert.equal(await online(), true)
  payment.stop()
})
