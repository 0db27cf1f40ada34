import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tx } from '../../kit/db.ts'
import { office } from '../../testing/office.ts'
import { testOperator } from '../../testing/operators.ts'
import { payoutWorld } from '../../testing/payout-world.ts'
import { enqueueCallbacks } from '../callbacks/enqueue.ts'
import { lateCallbackSeconds, watchLateCallbacks } from '../callbacks/watch-late-callbacks.ts'
import { readChainAssets } from '../chains/assets.ts'
import { unseenIncidentSeconds } from '../chains/lasting-incidents.ts'
import { pauseQueue, resumeQueue } from '../chains/pause-queue.ts'
import { makeMessageSender, sendDueMessages } from '../notifications/sender.ts'
import { stuckTransactionSeconds, watchStuckTransactions } from '../outgoing/watch-stuck-transactions.ts'
import { alertChannels } from './alert-channels.ts'
import { queueAlerts } from './alerts.ts'
import { readIncidentFacts } from './incident-facts.ts'
import { readIncidentParts } from './incident-store.ts'
import { readNewestOpenIncidents } from './open-incidents.ts'

test('a full queue is an incident that says how many callbacks wait, on Today and by mail, until they are sent', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const { token, email } = await testOperator(w.deps, 'finance')
  await w.owner.query('delete from callbacks')
  const { id: merchant_id, appid, trade_no } = { ...w.merchant, ...(await w.pay()) }
  const began = w.deps.clock()
  const body = { merchant_id, appid, trade_no, event: 'payment.paid', url: 'http://127.0.0.1:1', body: '{}' }
  const queued = { ...body, amount: '1', token: 'USDT', created_at: began }
  await tx(w.deps.pool, async (_, uow) =>
    enqueueCallbacks(
      uow,
      Array.from({ length: 40 }, (_, seq) => ({ ...queued, seq })),
    ),
  )
  const open = async () => {
    await watchLateCallbacks(w.deps)
    return (await w.ask(token, 'GET today')).data.open
  }
  w.deps.pass(lateCallbackSeconds - 1)
  assert.deepEqual(await open(), [], 'they may be on their way')
  w.deps.pass(1)
  const [alarm, ...more] = await open()
  assert.deepEqual([alarm.kind, alarm.since, more], ['callbacks_late', w.deps.clock(), []])
  assert.equal((await open()).length, 1, 'reported once')
  const { parts, closes } = (await w.ask(token, 'GET incidents/:id', alarm.id)).data
  assert.deepEqual([parts[0].facts, closes], [[{ name: 'callbacks', value: '40', unit: '' }], false])
  const { queues } = (await w.ask(token, 'GET queues')).data
  const { waiting, oldest_time } = queues.find((each: { queue: string }) => each.queue === 'callbacks')
  assert.deepEqual([waiting, oldest_time], [40, began])
  await queueAlerts(w.deps)
  await sendDueMessages(w.deps, makeMessageSender(w.deps, [alertChannels]))
  const mails = w.deps.mails.filter(each => each.to === email)
  assert.match(mails[0]!.subject, /Callbacks are late.*回调延迟/)
  assert.match(mails[0]!.text, /Waiting callbacks: 40\n/)

  await pauseQueue(w.deps, { queue: 'callbacks', reason: 'the network is being repaired' })
  w.deps.pass(unseenIncidentSeconds + 1)
  assert.deepEqual(await open(), [], 'who paused it knows')
  await resumeQueue(w.deps, { queue: 'callbacks' })
  assert.equal((await open()).length, 1)
  await w.owner.query('update callbacks set next_at = null')
  w.deps.pass(unseenIncidentSeconds + 1)
  assert.deepEqual(await open(), [], 'it ends with its cause')
})

test('a payout in no block is named with its amount and number', async t => {
  const w = await payoutWorld(t)
  const { id } = await w.ask()
  await w.pass()
  w.deps.pass(stuckTransactionSeconds)
  await watchStuckTransactions(w.deps)
  const [named] = await readNewestOpenIncidents(w.deps)
  assert.deepEqual([named?.kind, named?.fact, named?.token], ['payout_stuck', 'amount', 'USDT'])
  assert.ok(Number(named!.amount) > 0)
  const [part] = await readIncidentParts(w.deps.pool, named!.id)
  const facts = await readIncidentFacts(w.deps, part!, await readChainAssets(w.deps.pool, 'eth'))
  assert.ok(facts.some(each => each.name === 'payout' && each.value === id))
})
