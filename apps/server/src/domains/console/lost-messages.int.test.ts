import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertEvents, type NewEvent } from '../../kit/outbox.ts'
import { testMember } from '../../testing/members.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { office } from '../../testing/office.ts'
import { testOperator } from '../../testing/operators.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import { readOptionalChainAssets } from '../chains/assets.ts'
import { unseenIncidentSeconds } from '../chains/lasting-incidents.ts'
import { readIncidentFacts } from './incident-facts.ts'
import { readIncidentParts } from './incident-store.ts'
import { watchLostMessages } from './lost-messages.ts'
import { readNewestOpenIncidents } from './open-incidents.ts'

test('security messages that reached nobody are one incident, until somebody closes it or a later one arrives', async t => {
  const w = await office(t)
  t.after(() => w.app.close())
  const { deps } = w
  const { token } = await testOperator(deps, 'owner')
  const shop = await testMerchant(deps)
  const member = await testMember(deps, deps.owner, { merchantId: shop.id, role: 'viewer' })
  await deps.owner.query(`insert into former_emails values ($1, 'former@example.com', 1)`, [shop.id])
  const refusing = new Set<string>()
  const { send } = deps.mail
  deps.mail.send = async mail => {
    if (!refusing.has(mail.to)) return send(mail)
    throw Object.assign(new Error('550 5.1.1 no such user'), { command: 'RCPT TO', responseCode: 550 })
  }
  const report = async (name: NewEvent['name'], person_id: string = shop.id) => {
    deps.pass(1)
    await insertEvents(deps.pool, [{ merchant_id: shop.id, name, person_id, params: {}, created_at: deps.clock() }])
    await deps.delivered()
  }
  const open = async () => {
    await watchLostMessages(deps)
    return (await w.ask(token, 'GET today')).data.open
  }

  refusing.add(shop.email)
  await report('account_authenticator_removed')
  await report('account_fees_changed')
  assert.deepEqual(await open(), [], 'the former mailbox took it, and fees are no matter of security')
  refusing.add('former@example.com').add(member.email)
  await report('account_authenticator_removed')
  const [incident, ...more] = await open()
  assert.deepEqual([incident.kind, more], ['messages_lost', []])
  await report('account_passkey_added')
  await report('account_password_changed', member.personId)
  assert.equal((await open()).length, 1)
  const { parts, closes, steps } = (await w.ask(token, 'GET incidents/:id', incident.id)).data
  const { mchid } = shop
  assert.deepEqual(
    parts[0].facts.map(({ name, value }: { name: string; value: string }) => [name, value]),
    [
      ['receiver', `${member.email} (${mchid})`],
      ['receiver', `${shop.email} (${mchid})`],
      ['messages', '3'],
      ['reason', parts[0].facts[3].value],
    ],
  )
  assert.match(parts[0].facts[3].value, /550 5\.1\.1 no such user/)
  assert.deepEqual([closes, steps.length], [true, 3])

  const closing = await w.ask(token, 'POST incidents/:id/close', incident.id, { reason: 'called the shop' })
  assert.equal(closing.code, 200, JSON.stringify(closing))
  assert.deepEqual(await open(), [], 'whoever closed it knows of them')
  await report('account_wallet_linked')
  assert.equal((await open())[0].kind, 'messages_lost')
  refusing.clear()
  await report('account_fees_changed')
  deps.pass(unseenIncidentSeconds + 1)
  assert.deepEqual(await open(), [], 'the shop is reached again')
})

test('a message that is still tried, or was for somebody who is gone, is no incident', async t => {
  const { deps } = await withdrawalWorld(t)
  const shop = await testMerchant(deps)
  const { personId } = await testMember(deps, deps.owner, { merchantId: shop.id, role: 'viewer' })
  const open = async () => {
    await watchLostMessages(deps)
    return readNewestOpenIncidents(deps)
  }
  deps.mail.send = async () => {
    throw Object.assign(new Error('450 later'), { command: 'RCPT TO', responseCode: 450 })
  }
  for (const person_id of [shop.id, personId])
    await insertEvents(deps.pool, [
      { merchant_id: shop.id, name: 'account_password_changed', person_id, params: {}, created_at: deps.clock() },
    ])
  await deps.delivered()
  assert.deepEqual(await open(), [])
  await deps.owner.query('update persons set deleted_at = 1 where id = $1', [personId])
  for (let hours = 0; hours < 73; hours++) {
    deps.pass(3_600)
    await deps.delivered()
  }
  const [incident] = await open()
  const [part] = await readIncidentParts(deps.pool, incident!.id)
  const facts = await readIncidentFacts(deps, part!, await readOptionalChainAssets(deps.pool, null))
  assert.deepEqual(
    facts.filter(each => each.name === 'receiver').map(each => each.value),
    [`${shop.email} (${shop.mchid})`],
    'who still has an account',
  )
})
