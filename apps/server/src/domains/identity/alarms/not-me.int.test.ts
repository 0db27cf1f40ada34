import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { breakOnce } from '../../../testing/break.ts'
import { call } from '../../../testing/call.ts'
import { password, testMerchant, visitor } from '../../../testing/merchants.ts'
import { withdrawalWorld } from '../../../testing/withdrawals.ts'
import { merchantById } from '../../merchants/store.ts'
import { readDueWithdrawals } from '../../withdrawals/store.ts'
import { identityHandlers } from '../routes.ts'
import { authenticateSession } from '../sessions/sessions.ts'
import { login } from '../sign-in/login.ts'
import { liftWithdrawalHold, reportUnauthorizedUse } from './not-me.ts'

const world = await withdrawalWorld({ after })
const { deps, merchant, owner } = world
const on = (ip: string, deviceToken: string) => ({ ...visitor, ip, deviceToken })

const types = async (merchantId: string) =>
  (await owner.query('select type from audit_log where merchant_id = $1 order by seq', [merchantId])).rows.map(
    row => row.type,
  )

test('a sign-in from another device and network is reported as a new device; the first one is not', async () => {
  const { id, email } = await testMerchant(deps)
  const signIn = (ip: string, device: string) => login(deps, { email, password, from: on(ip, device) })
  const isNew = async (ip: string, device: string) => {
    deps.mails.length = 0
    await signIn(ip, device)
    await deps.delivered()
    return deps.mails.some(mail => mail.to === email && mail.subject.includes('new device'))
  }
  assert.equal(await isNew('203.0.113.7', 'laptop'), false, 'the first device')
  assert.equal(await isNew('203.0.113.9', 'phone'), false, 'the same network')
  assert.equal(await isNew('198.51.100.7', 'laptop'), false, 'the same device')
  assert.equal(await isNew('192.0.2.7', 'strange'), true)
  assert.equal(await isNew('192.0.2.7', 'strange'), false, 'known by now')
  assert.equal((await types(id)).filter(type => type === 'new_device').length, 1)
  const { rows } = await owner.query(
    `select types, params from notifications where merchant_id = $1 and message = $2`,
    [id, 'account_new_device'],
  )
  assert.deepEqual([rows.length, rows[0].types, rows[0].params.ip], [1, 2, '192.0.2.7'])
})

test('"this was not me" ends every session and holds money until the operator lifts it', async () => {
  const { id, email, token } = merchant
  const queued = await world.withdraw('10')
  const toSend = async () => (await readDueWithdrawals(deps.pool, 'eth', 10)).map(each => each.id)
  assert.deepEqual(await toSend(), [queued])
  const other = (await login(deps, { email, password, from: on('192.0.2.7', 'strange') })).token
  const broken = { ...deps, pool: breakOnce(deps.pool, /audit_append/) }
  await assert.rejects(reportUnauthorizedUse(broken, { personId: id, from: visitor }), /killed here/)
  await authenticateSession(deps, { token: other, pending: false })
  await reportUnauthorizedUse(deps, { personId: id, from: visitor })
  for (const each of [token, other])
    await assert.rejects(authenticateSession(deps, { token: each, pending: false }), { reason: 'login_expired' })
  await assert.rejects(world.withdraw('10'), { reason: 'withdrawal_forbidden' })
  assert.deepEqual(await toSend(), [], 'what was requested before waits, too')
  await deps.delivered()
  assert.match(deps.mails.at(-1)!.text, /withdrawals are on hold/)
  await login(deps, { email, password, from: on('203.0.113.7', 'laptop') })
  await assert.rejects(world.withdraw('10'), { reason: 'withdrawal_forbidden' })
  const hold = async () => (await call(identityHandlers, 'GET /api/v1/user/info', deps, id)).hold
  assert.deepEqual(await hold(), { cause: 'reported', since: (await merchantById(deps.pool, id))?.held_at, until: 0 })
  await liftWithdrawalHold(deps, { merchantId: id })
  await assert.rejects(liftWithdrawalHold(deps, { merchantId: id }), { reason: 'hold_not_exist' })
  assert.equal((await merchantById(deps.pool, id))?.held_at, 0)
  assert.deepEqual(await toSend(), [queued])
  assert.equal(await hold(), null)
  const since = deps.clock()
  await owner.query('update merchants set factor_changed_at = $2 where id = $1', [id, since])
  const until = since + deps.config.withdrawHoldHours * 3_600
  assert.deepEqual(await hold(), deps.config.withdrawHoldHours === 0 ? null : { cause: 'changed', since, until })
  await owner.query('update merchants set factor_changed_at = 0 where id = $1', [id])
  await world.withdraw('10')
  assert.deepEqual(
    (await types(id)).filter(type => type === 'not_me' || type === 'hold_lifted'),
    ['not_me', 'hold_lifted'],
  )
})
