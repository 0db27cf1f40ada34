import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { merchantStatus } from '@coffer/contract/codes.ts'
import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { Webhook } from 'standardwebhooks'
import { tx } from '../../kit/db.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { TestDeps } from '../../testing/deps.ts'
import { testAuthenticator, testMerchant } from '../../testing/merchants.ts'
import { atShell, testOperator } from '../../testing/operators.ts'
import { type Received, testReceiver } from '../../testing/receiver.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import { insertIncidents } from '../chains/store.ts'
import { requestAuthenticatorRemoval } from '../identity/factors/remove-authenticator.ts'
import { endUnseenPushDevices } from '../identity/push/push-devices.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { changeMerchant } from '../merchants/store.ts'
import { computePushDeviceId, ensurePushKeys } from '../notifications/push-keys.ts'
import { makeMessageSender, sendDueMessages } from '../notifications/sender.ts'
import { changeRole } from '../operators/change-operator.ts'
import { createDualApprovalCheck } from '../operators/decide-together.ts'
import { renewOperatorInvitation } from '../operators/invitations.ts'
import type { OperatorSession } from '../operators/sessions.ts'
import { alertChannels } from './alert-channels.ts'
import { addAlertDevice, listAlertDevices, removeAlertDevice, testAlertDevice } from './alert-devices.ts'
import {
  addAlertHook,
  changeAlertHook,
  listAlertHooks,
  removeAlertHook,
  rotateAlertHookSecret,
  testAlertHook,
} from './alert-hooks.ts'
import { saveAlertSettings } from './alert-settings.ts'
import { queueAlerts } from './alerts.ts'
import { addIncidentEntry } from './incident-store.ts'

const alertAll = async (deps: TestDeps) => {
  await queueAlerts(deps)
  await sendDueMessages(deps, makeMessageSender(deps, [alertChannels]))
}

test('an incident is mailed once to each operator who can act, and not for its parts', async t => {
  const w = await withdrawalWorld(t, { config: { operatorUrl: 'https://console.example' } })
  const finance = await testOperator(w.deps, 'finance')
  const support = await testOperator(w.deps, 'support')
  const viewer = await testOperator(w.deps, 'viewer')
  const everybody = [finance.email, support.email, viewer.email]
  const alert = async () => {
    w.deps.mails.length = 0
    await alertAll(w.deps)
    return w.deps.mails.filter(each => everybody.includes(each.to))
  }
  const found = { asset_id: 'eth:USDT', block: { number: 9, hash: '0x' }, unseen: [] }
  const shortage = { ...found, ledger: '5000000', held: '1000000', found: '1500000' }
  const at = { chain_id: 'eth', created_at: w.deps.clock() }
  await insertIncidents(w.deps.pool, [{ ...at, id: 'i1', kind: 'shortage', detail: shortage }])
  await insertIncidents(w.deps.pool, [{ ...at, id: 'i2', kind: 'wallet_halted', detail: {} }])
  const { send } = w.deps.mail
  w.deps.mail.send = async mail => {
    if (mail.to === support.email) throw new Error('no mail')
    await send(mail)
  }
  const [mail, ...more] = await alert()
  assert.deepEqual([mail?.to, more], [finance.email, []])
  assert.match(mail!.subject, /Money is missing \(.+, 2\.5 USDT\).*资金短缺/)
  assert.match(mail!.text, /Missing: 2\.5 USDT/)
  assert.match(mail!.text, /^https:\/\/console\.example\/incidents\/i1$/m)
  w.deps.mail.send = send
  const { id, email } = await testOperator(w.deps, 'owner')
  everybody.push(email)
  await w.owner.query('update members set since = $2 where person_id = $1', [id, w.deps.clock() + 1])
  assert.deepEqual(await alert(), [], 'a failed mail waits, and who is new reads what is older in the console')
  w.deps.pass(30)
  assert.deepEqual(
    (await alert()).map(each => each.to),
    [support.email],
    'only what was not sent is tried again',
  )
  await insertIncidents(w.deps.pool, [{ ...at, id: 'i3', kind: 'surplus', detail: shortage }])
  await changeRole(w.deps, { id: support.id, role: 'viewer' })
  assert.deepEqual(
    (await alert()).map(each => [each.to, /incidents\/(.+)/.exec(each.text)?.[1]]),
    [[finance.email, 'i3']],
  )
  await addIncidentEntry(w.deps.pool, 'i1', 'closed', 'root', 'it came back', w.deps.clock())
  await w.owner.query('update incidents set resolved_at = $1', [w.deps.clock()])
  const [ends, ...others] = await alert()
  assert.deepEqual([ends?.to, others], [finance.email, []], 'who was told, and can still act')
  assert.match(ends!.subject, /^Coffer: Closed: Money is missing \(.+, 2\.5 USDT\) and 1 more .*已关闭：资金短缺/)
  assert.match(ends!.text, /Closed by: root\nReason: it came back/)
  w.deps.pass(3_600)
  assert.deepEqual(await alert(), [])
})

test('what waits for a person is mailed together, by role, with quiet hours and kinds that each chose', async t => {
  const w = await withdrawalWorld(t, { config: { operatorUrl: 'https://console.example' } })
  const finance = await testOperator(w.deps, 'finance')
  const support = await testOperator(w.deps, 'support')
  const alert = async (...seconds: number[]) => {
    w.deps.mails.length = 0
    for (const each of [0, ...seconds]) {
      w.deps.pass(each)
      await alertAll(w.deps)
    }
    const to = ({ email }: { email: string }) => w.deps.mails.filter(each => each.to === email)
    return [to(finance), to(support)] as const
  }
  await changeMerchant(w.deps.pool, w.merchant.id, { risk_level: 'fail', name: 'Tea shop' })
  const ids = [await w.withdraw('20'), await w.withdraw('30')]
  const shop = await testMerchant(w.deps)
  await testAuthenticator(w.deps, shop.id)
  await tx(w.deps.pool, (_, uow) => {
    recordEvent(w.deps, uow, { merchantId: shop.id, type: 'opening_requested', from: null })
    return changeMerchant(uow.c, shop.id, {
      status: merchantStatus.primary_audit,
      name: 'Book shop\r\n\r\n---\n\nhttps://evil.example/x',
    })
  })
  const by = { operatorId: support.id, email: support.email }
  await requestAuthenticatorRemoval(w.deps, { merchantId: shop.id, by })
  const call = 'POST /api/operator/v1/wallets/:id/resume'
  const value = parseDecimal('20000', 18)!
  const request = { object: 'eth', reason: 'seen it all', by: atShell('root'), value }
  const agree = createDualApprovalCheck(w.deps, { ...request, call })
  assert.equal(await tx(w.deps.pool, agree), 'waits')
  assert.deepEqual(await alert(), [[], []], 'more may come')
  const [[ofFinance, ...more], [ofSupport, ...others]] = await alert(60)
  assert.deepEqual([more, others], [[], []], 'one mail to each')
  assert.equal(ofFinance!.subject, 'Coffer: 3 items need your attention / 3 项待处理')
  for (const id of ids) assert.match(ofFinance!.text, new RegExp(`^https://console.example/withdrawals/${id}$`, 'm'))
  assert.match(ofFinance!.text, /Amount: 20 USDT, .+\nMerchant: “Tea shop” \(/)
  assert.match(
    ofFinance!.text,
    /Resume the hot wallet of Ethereum: needs a second person\nAt stake: 20000 USDT\nRequested by: root/,
  )
  assert.match(
    ofSupport!.subject,
    /^Coffer: A merchant has requested permission \(“Book shop --- https evil example x”\) \/ /,
    'no own request',
  )
  assert.doesNotMatch(ofSupport!.text, /evil\.example|^---/m)
  assert.match(ofSupport!.text, new RegExp(`^https://console.example/merchants/${shop.mchid}$`, 'm'))
  assert.deepEqual(await alert(3_600), [[], []], 'each once')

  const hour = new Date(w.deps.clock() * 1_000).getUTCHours()
  const quiet = { quiet_from: hour, quiet_until: (hour + 2) % 24, time_zone: 'UTC' }
  await saveAlertSettings(w.deps, finance.id, { off: ['refund'], ...quiet })
  const late = await w.withdraw('40')
  assert.deepEqual(await alert(60), [[], []], 'quiet hours')
  const detail = { asset_id: 'eth:USDT', ledger: '5000000', held: '0', found: '0' }
  await insertIncidents(w.deps.pool, [
    { id: 'i1', chain_id: 'eth', created_at: w.deps.clock(), kind: 'shortage', detail },
  ])
  const [[urgent]] = await alert()
  assert.match(urgent!.subject, /Money is missing/)
  const [[later]] = await alert(7_200, 60)
  assert.match(later!.text, new RegExp(`/withdrawals/${late}$`, 'm'))

  await saveAlertSettings(w.deps, finance.id, { off: ['withdrawal'], ...quiet, quiet_until: hour })
  await w.withdraw('50')
  assert.deepEqual(await alert(60), [[], []], 'a kind that is off')
})

/** The signature that a receiver computes of what it got. */
const signature = (secret: string, { id, headers, body }: Received) =>
  new Webhook(secret).sign(id, new Date(Number(headers['webhook-timestamp']) * 1_000), body)

test('a system gets each alert as JSON with a signature of the current and of the replaced secret, until it answers', async t => {
  const w = await withdrawalWorld(t, { config: { operatorUrl: 'https://console.example' } })
  const deps = { ...w.deps, config: { ...w.deps.config, mode: 'sandbox', callbackHttp: 'allow' } as const }
  const receiver = await testReceiver(t)
  const url = `${receiver.url}?token=t`
  const hook = await addAlertHook(deps, { url, kinds: ['incident', 'decision'] })
  const sent = () =>
    receiver.received.splice(0).map(({ id, headers, body }) => ({ id, headers, body, data: JSON.parse(body).data }))
  const alert = async (seconds = 0) => {
    deps.pass(seconds)
    await alertAll(deps)
    return sent()
  }
  assert.deepEqual(await testAlertHook(deps, hook), { ok: true, result: 'HTTP 204' })
  assert.deepEqual(
    sent().map(each => each.data.kind),
    ['test'],
  )

  const detail = { asset_id: 'eth:USDT', ledger: '5000000', held: '0', found: '1500000' }
  const at = { chain_id: 'eth', kind: 'shortage', detail }
  await insertIncidents(deps.pool, [{ ...at, id: 'i1', created_at: deps.clock() }])
  await changeMerchant(deps.pool, w.merchant.id, { risk_level: 'fail' })
  await w.withdraw('20')
  receiver.answer = (_, response) => response.writeHead(500).end()
  const [first, ...others] = await alert()
  assert.deepEqual(others, [], 'a kind that it did not want')
  const { kind, object, urgent, link, title, text } = first!.data
  assert.deepEqual([kind, object, urgent, link], ['incident', 'i1', true, 'https://console.example/incidents/i1'])
  assert.match(title.en, /^Money is missing \(.+, 3\.5 USDT\)$/)
  assert.match(text['zh-CN'], /短缺: 3\.5 USDT/)
  assert.deepEqual(await alert(29), [], 'waits between attempts')
  const renewed = await rotateAlertHookSecret(deps, hook)
  receiver.answer = (_, response) => response.writeHead(200).end()
  const [again] = await alert(1)
  assert.deepEqual([again!.id, again!.body], [first!.id, first!.body], 'is known by its id')
  assert.deepEqual(
    again!.headers['webhook-signature'],
    [renewed.secret, hook.secret].map(secret => signature(secret, again!)).join(' '),
  )
  const [listed] = (await listAlertHooks(deps)).list
  assert.deepEqual([listed!.last[0]!.tries, listed!.last[0]!.result], [2, 'HTTP 200'])
  assert.equal(JSON.stringify(listed).includes('whsec_'), false)
  assert.deepEqual(await alert(3_600), [], 'once')
  await deps.owner.query('update incidents set resolved_at = $1', [deps.clock()])
  const [over, ...rest] = await alert()
  assert.deepEqual([over!.data.object, over!.data.ended, first!.data.ended, rest], ['i1', true, false, []])
  assert.notEqual(over!.id, first!.id)

  deps.pass(86_400)
  await insertIncidents(deps.pool, [{ ...at, id: 'i2', chain_id: 'bsc', created_at: deps.clock() }])
  const [later] = await alert()
  assert.equal(later!.headers['webhook-signature'], signature(renewed.secret, later!), 'the overlap is over')

  await removeAlertHook(deps, hook)
  await insertIncidents(deps.pool, [
    { id: 'i3', kind: 'audit_log', chain_id: null, detail: {}, created_at: deps.clock() },
  ])
  assert.deepEqual(await alert(), [], 'a hook that was removed')
})

test('a system at an internal address gets nothing, whether it was there from the start or moved', async t => {
  const { deps } = await withdrawalWorld(t)
  for (const url of [
    'https://127.0.0.1/x',
    'https://10.0.0.8/x',
    'https://[::1]/x',
    'https://169.254.169.254/x',
    'https://localhost/x',
  ])
    await assert.rejects(addAlertHook(deps, { url, kinds: ['incident'] }), { reason: 'url_forbidden' }, url)
  await assert.rejects(addAlertHook(deps, { url: 'http://8.8.8.8/x', kinds: ['incident'] }), { reason: 'https_needed' })
  const { id } = await addAlertHook(deps, { url: 'https://8.8.8.8/x', kinds: ['incident'] })
  await assert.rejects(changeAlertHook(deps, { id, url: 'https://127.0.0.1/x', kinds: ['incident'] }), {
    reason: 'url_forbidden',
  })
  await deps.owner.query('update alert_hooks set url = $1', ['https://127.0.0.1/x'])
  assert.deepEqual(await testAlertHook(deps, { id }), { ok: false, result: 'address_forbidden' })
  await assert.rejects(removeAlertHook(deps, { id: 'none' }), { reason: 'operation_failed' })
  for (let n = 1; n < 10; n++) await addAlertHook(deps, { url: `https://8.8.8.8/${n}`, kinds: ['incident'] })
  await assert.rejects(addAlertHook(deps, { url: 'https://8.8.8.8/10', kinds: ['incident'] }), {
    reason: 'operation_failed',
  })
})

/** Operators with devices: two of a finance operator, in two languages, and one of a viewer. */
async function deviceWorld(t: TestContext) {
  const w = await withdrawalWorld(t, { config: { operatorUrl: 'https://console.example' } })
  const { deps } = w
  await ensurePushKeys(deps)
  const finance = await testOperator(deps, 'finance')
  const viewer = await testOperator(deps, 'viewer')
  const as = (operator: { id: string }) => ({ operatorId: operator.id }) as OperatorSession
  const device = (name: string, host = 'push.example') => ({
    endpoint: `https://${host}/${name}`,
    p256dh: 'B'.repeat(87),
    auth: 'a'.repeat(22),
  })
  const from = (language: string) =>
    ({ ip: '203.0.113.7', device: 'Mozilla/5.0 (X11; Linux) Firefox/140.0', language }) as Visitor
  await addAlertDevice(deps, as(finance), device('desk'), from('en'))
  await addAlertDevice(deps, as(finance), device('phone'), from('zh-CN'))
  await addAlertDevice(deps, as(viewer), device('viewer'), from('en'))
  await assert.rejects(addAlertDevice(deps, as(finance), device('x', '127.0.0.1'), from('en')), {
    reason: 'push_endpoint',
  })

  const shown = async () => {
    deps.pushes.length = 0
    await alertAll(deps)
    return deps.pushes
      .map(({ device: { endpoint }, payload }) => [endpoint.split('/').at(-1), JSON.parse(payload)] as const)
      .toSorted(([a], [b]) => a!.localeCompare(b!))
  }
  return { w, deps, finance, viewer, as, device, from, shown }
}

test('devices of an operator show what the operator can act on, in their language, until they end', async t => {
  const { w, deps, finance, viewer, as, device, from, shown } = await deviceWorld(t)
  const at = { chain_id: 'eth', created_at: deps.clock(), kind: 'wallet_halted', detail: {} } as const
  const { send } = deps.push
  const failed = { result: 'later', error: 'HTTP 500' } as const
  deps.push.send = async push => (push.device.endpoint.endsWith('phone') ? failed : send(push))
  await insertIncidents(deps.pool, [{ ...at, id: 'i1' }])
  const [[who, { title, link, tag }], ...more] = (await shown()) as [[string, Record<string, string>]]
  assert.deepEqual([who, link, more], ['desk', 'https://console.example/incidents/i1', []])
  deps.push.send = send
  assert.deepEqual(await shown(), [], 'what failed waits')
  deps.pass(30)
  const again = await shown()
  assert.deepEqual(
    again.map(([name, each]) => [name, each.tag]),
    [['phone', tag]],
    'only what was not shown is tried again',
  )
  assert.notEqual(again[0]![1].title, title, 'in its own language')
  await deps.owner.query('update incidents set resolved_at = $1', [deps.clock()])
  assert.deepEqual(
    (await shown()).map(([name, each]) => [name, each.tag]),
    [
      ['desk', tag],
      ['phone', tag],
    ],
    'its end takes the place of it',
  )

  await saveAlertSettings(deps, finance.id, {
    off: ['withdrawal'],
    quiet_from: 0,
    quiet_until: 0,
    time_zone: 'UTC',
  })
  await changeMerchant(deps.pool, w.merchant.id, { risk_level: 'fail' })
  await w.withdraw('20')
  deps.pass(60)
  assert.deepEqual(await shown(), [], 'switched off')

  const { list } = await listAlertDevices(deps, as(finance))
  assert.deepEqual(
    list.map(each => each.device),
    ['Firefox, Linux', 'Firefox, Linux'],
  )
  const [desk, phone] = ['desk', 'phone'].map(name => computePushDeviceId(device(name).endpoint))
  await assert.rejects(testAlertDevice(deps, as(viewer), desk!), { reason: 'operation_failed' }, 'somebody else’s')
  await removeAlertDevice(deps, as(viewer), desk!)
  assert.deepEqual(await testAlertDevice(deps, as(finance), desk!), { ok: true })
  await removeAlertDevice(deps, as(finance), desk!)
  deps.push.send = async () => ({ result: 'refused', error: 'HTTP 410' })
  assert.deepEqual(await testAlertDevice(deps, as(finance), phone!), { ok: false })
  assert.deepEqual((await listAlertDevices(deps, as(finance))).list, [], 'one was removed, one ended by its browser')
  await addAlertDevice(deps, as(finance), device('viewer'), from('en'))
  assert.deepEqual((await listAlertDevices(deps, as(viewer))).list, [], 'a device belongs to who subscribed it last')
  deps.pass(91 * 86_400)
  await endUnseenPushDevices(deps)
  assert.equal((await listAlertDevices(deps, as(finance))).list.length, 1, 'it needs no sign-in')
  await addAlertDevice(deps, as(viewer), device('thief'), from('en'))
  await renewOperatorInvitation(deps, { id: viewer.id })
  assert.deepEqual((await listAlertDevices(deps, as(viewer))).list, [], 'a new one-time link ends all devices')
  await changeRole(deps, { id: finance.id, role: 'viewer' })
  deps.push.send = send
  await insertIncidents(deps.pool, [{ ...at, chain_id: 'bsc', id: 'i2' }])
  assert.deepEqual(await shown(), [], 'a viewer cannot act')
})
