import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { untilBlocked } from '@coffer/local/testing/until.ts'
import { tx } from '../../kit/db.ts'
import { testOperator } from '../../testing/operators.ts'
import { testReceiver } from '../../testing/receiver.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import { insertIncidents } from '../chains/store.ts'
import { changeMerchant } from '../merchants/store.ts'
import { makeMessageSender, sendDueMessages } from '../notifications/sender.ts'
import { renewOperatorInvitation } from '../operators/invitations.ts'
import { alertChannels } from './alert-channels.ts'
import { addAlertHook } from './alert-hooks.ts'
import { alertMakers } from './alert-makers.ts'
import { saveAlertSettings } from './alert-settings.ts'
import { queueAlerts } from './alerts.ts'

async function alertWorld(t: TestContext) {
  const w = await withdrawalWorld(t, { config: { operatorUrl: 'https://console.example' } })
  const deps = { ...w.deps, config: { ...w.deps.config, mode: 'sandbox', callbackHttp: 'allow' } as const }
  const finance = await testOperator(deps, 'finance')
  await changeMerchant(deps.pool, w.merchant.id, { risk_level: 'fail' })
  const sender = makeMessageSender(deps, [alertChannels])
  const send = async (seconds = 0) => {
    deps.mails.length = 0
    deps.pass(seconds)
    await sendDueMessages(deps, sender)
    return deps.mails.filter(each => each.to === finance.email)
  }
  const incident = (id: string, kind = 'shortage') =>
    insertIncidents(deps.pool, [
      {
        id,
        kind,
        chain_id: kind === 'shortage' ? 'eth' : null,
        detail: kind === 'shortage' ? { asset_id: 'eth:USDT', ledger: '5000000', held: '0', found: '0' } : {},
        created_at: deps.clock(),
      },
    ])
  const stored = async () =>
    (await deps.owner.query(`select event, channel, tries, result from messages where realm = 'console' order by id`))
      .rows
  return { w, deps, finance, sender, send, incident, stored }
}

test('two servers that look at the same moment tell each once', async t => {
  const { deps, incident, send } = await alertWorld(t)
  await incident('i1')
  let second: Promise<unknown> | undefined
  await tx(deps.pool, async c => {
    await queueAlerts({ ...deps, pool: c as never })
    second = queueAlerts(deps)
    await Promise.race([second, untilBlocked(deps.owner)])
  })
  await second
  assert.equal((await send()).length, 1)
  await queueAlerts(deps)
  assert.deepEqual(await send(3_600), [])
})

test('what is over before it was sent is not told, and what is left of a mail is', async t => {
  const { w, deps, send, incident, stored } = await alertWorld(t)
  const gone = await w.withdraw('20')
  const left = await w.withdraw('30')
  await incident('i1', 'audit_log')
  await queueAlerts(deps)
  await deps.owner.query('update incidents set resolved_at = $1', [deps.clock()])
  assert.deepEqual(await send(), [], 'it was over at once')
  await queueAlerts(deps)
  await deps.owner.query('update withdrawals set status = 3 where id = $1', [gone])
  const [mail, ...more] = await send(60)
  assert.match(mail!.text, new RegExp(`/withdrawals/${left}$`, 'm'))
  assert.doesNotMatch(mail!.text, new RegExp(gone))
  assert.deepEqual(more, [])
  assert.deepEqual(
    (await stored()).map(each => `${each.event} ${each.result}`).toSorted(),
    ['alert_incident unwanted', 'alert_withdrawal accepted', 'alert_withdrawal unwanted'],
    'nobody is told of the end of what nobody was told of',
  )
})

test('quiet hours count no attempt, and what is urgent brings along what waits', async t => {
  const { w, deps, finance, send, incident, stored } = await alertWorld(t)
  const hour = new Date(deps.clock() * 1_000).getUTCHours()
  const quiet = { quiet_from: hour, quiet_until: (hour + 3) % 24, time_zone: 'UTC' }
  await saveAlertSettings(deps, finance.id, { off: ['refund'], ...quiet })
  const id = await w.withdraw('20')
  await queueAlerts(deps)
  assert.deepEqual(await send(60), [])
  assert.equal((await stored())[0]!.tries, 0)
  const [late] = await send(3 * 3_600)
  assert.match(late!.text, new RegExp(`/withdrawals/${id}$`, 'm'))
  await saveAlertSettings(deps, finance.id, { off: ['withdrawal'], ...quiet, quiet_until: (hour + 6) % 24 })
  await w.withdraw('30')
  await incident('i1')
  await queueAlerts(deps)
  const [urgent] = await send(60)
  assert.match(urgent!.subject, /Money is missing/)
  assert.doesNotMatch(urgent!.text, /withdrawals/, 'what is off stays out')
})

test('an alert whose text cannot be made leads to the console, and holds up no other', async t => {
  const { w, deps, send, incident } = await alertWorld(t)
  const { alert_withdrawal } = alertMakers
  t.after(() => Object.assign(alertMakers, { alert_withdrawal }))
  alertMakers.alert_withdrawal = async () => {
    throw new Error('broken')
  }
  await w.withdraw('20')
  await queueAlerts(deps)
  await incident('i1')
  deps.pass(60)
  await queueAlerts(deps)
  const [mail] = await send()
  assert.match(mail!.subject, /Money is missing/)
  assert.match(mail!.text, /Something needs your attention in the console/)
})

test('a system that hangs, a mail server that is away, and a new link hold up nobody else and lose nothing', async t => {
  const { deps, finance, send, incident, sender } = await alertWorld(t)
  const support = await testOperator(deps, 'support')
  const hanging = await testReceiver(t)
  const fine = await testReceiver(t)
  for (const { url } of [hanging, fine]) await addAlertHook(deps, { url, kinds: ['incident'] })
  const unanswered: { end: () => unknown }[] = []
  hanging.answer = (_, response) => unanswered.push(response)
  await incident('i1')
  await queueAlerts(deps)
  const { send: sendMail } = deps.mail
  deps.mail.send = async () => {
    throw Object.assign(new Error('away'), { code: 'ECONNECTION', command: 'CONN' })
  }
  const attempts = (await sender.lease()).map(each => ({ each, done: sender.send(each) }))
  await Promise.all(attempts.flatMap(({ each, done }) => (each.channel === 'mail' ? done : [])))
  deps.mail.send = sendMail
  await renewOperatorInvitation(deps, { id: support.id })
  const [mail] = await send(60)
  assert.equal(mail?.to, finance.email)
  assert.ok(
    !deps.mails.some(each => each.to === support.email),
    'whoever has a new link has no account until it is used',
  )
  assert.equal(fine.received.length, 1)
  for (const response of unanswered) response.end()
  await Promise.all(attempts.map(each => each.done))
})
