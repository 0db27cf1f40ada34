// second-server: delivers notifications, in order and without duplicates
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import { pino } from 'pino'
import { testDatabase } from '../testing/deps.ts'
import { sendHints } from './hints.ts'
import { type LiveHint, startLive } from './live.ts'

test('a hint reaches only the listeners of its merchant, its payment and its type', { timeout: 180_000 }, async t => {
  const { url, pool, owner } = await testDatabase(t)
  const live = startLive(url, pino({ level: 'silent' }))
  t.after(() => live.stop())
  const heard: Record<string, LiveHint[]> = { ann: [], bob: [], payment: [], other: [], callbacks: [] }
  live.onMerchant('ann', hint => void heard.ann?.push(hint))
  live.onMerchant('bob', hint => void heard.bob?.push(hint))
  live.onPayment('1', hint => void heard.payment?.push(hint))
  live.onPayment('2', hint => void heard.other?.push(hint))
  live.onType('callback', hint => void heard.callbacks?.push(hint))
  // LISTEN starts asynchronously: repeat the hint until it arrives.
  await until('a hint arrives', () => {
    sendHints(pool, [{ merchant_id: 'bob', type: 'notification', id: '' }])
    return heard.bob?.length
  })
  const before = performance.now()
  for (const other of ['no hint', 'null', '{"merchant_id":"bob","type":"deposit"}'])
    await owner.query(`notify coffer, '${other}'`)
  sendHints(pool, [
    { merchant_id: 'ann', type: 'payment', id: '1' },
    { merchant_id: 'ann', type: 'callback', id: '2' },
    { merchant_id: 'bob', type: 'deposit', id: '1' },
  ])
  await until(
    'the last hint arrives',
    () => heard.bob?.at(-1),
    hint => hint?.type === 'deposit',
  )
  const recent = (merchantId: string, ms: number) => live.recent(merchantId, ms).map(({ type, id }) => `${type} ${id}`)
  const sinceHints = performance.now() - before
  assert.deepEqual(recent('ann', sinceHints), ['payment 1', 'callback 2'])
  assert.deepEqual(recent('eve', sinceHints), [])
  assert.equal(recent('eve', performance.now()).length, 8, 'it did not listen yet: anything may have changed')
  const of = (who: string) => heard[who]?.map(({ merchant_id, type, id }) => [merchant_id, type, id].join(' '))
  assert.deepEqual(of('ann'), ['ann payment 1', 'ann callback 2'])
  assert.deepEqual(new Set(of('bob')), new Set(['bob notification ', 'bob deposit 1']))
  assert.deepEqual(of('payment'), ['ann payment 1'])
  assert.deepEqual(of('callbacks'), ['ann callback 2'])
  assert.deepEqual(heard.other, [])

  const many = Array.from({ length: 1_001 }, (_, i) => ({
    merchant_id: 'ann',
    type: 'deposit' as const,
    id: `many ${i}`,
  }))
  sendHints(pool, [...many, ...many])
  await until(
    'the last of many hints arrives',
    () => heard.ann?.at(-1),
    hint => hint?.id === 'many 1000',
  )
  assert.deepEqual(heard.ann?.slice(2), many)
})
