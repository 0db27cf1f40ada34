import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type EventName, events } from '@coffer/contract/events.ts'
import { type MerchantRole, merchantRoleNames } from '@coffer/contract/kit/merchant-roles.ts'
import { insertEvents } from '../../kit/outbox.ts'
import { withDeps } from '../../testing/deps.ts'
import { setTestRole, testMember } from '../../testing/members.ts'
import { testMerchant } from '../../testing/merchants.ts'

const deps = await withDeps({ after })

/** Events that are mailed to the members of a shop whom they concern by their roles. */
const mailed = (Object.keys(events) as EventName[]).filter(
  name => events[name].to !== 'self' && events[name].channels.some(channel => channel !== 'push'),
)
/** The mails that each role gets, beside the owner, who gets all. */
const of: Record<MerchantRole, RegExp> = {
  owner: /./,
  finance:
    /^(account_(hold_lifted|withdrawal_requested|address_added|transfer_receiver_added|refund_.*|fees_changed)|work_order_message)$/,
  developer:
    /^(account_(payouts_allowed|.*secret.*|notify_url_changed|rates_changed|webhook_.*|shop_.*)|work_order_message)$/,
  support: /^(account_refund_.*|work_order_message)$/,
  clerk: /^$/,
  viewer: /^account_fees_changed$/,
}

/** Reports an event, and returns the mails about it. */
async function receivers(merchant_id: string, name: EventName) {
  deps.mails.length = 0
  const params = {
    appid: 'app',
    change: 'joined',
    role: 'viewer',
    shop: 'Shop',
    by: 'a',
    email: 'b',
    trade_no: 'T',
    to: 'detail',
  }
  await insertEvents(deps.pool, [{ merchant_id, name, params, created_at: deps.clock() }])
  await deps.delivered()
  return deps.mails
}

test('a mail about an event of a shop goes to the members whose role it concerns', async () => {
  const { id: merchantId, email: opened } = await testMerchant(deps)
  const members = await Promise.all(
    merchantRoleNames.map(async role => ({ role, ...(await testMember(deps, deps.owner, { merchantId, role })) })),
  )
  assert.ok(mailed.length > 20)
  for (const event of mailed) {
    const expected = members.filter(({ role }) => of[role].test(event)).map(({ email }) => email)
    const mails = await receivers(merchantId, event)
    assert.deepEqual(mails.map(mail => mail.to).sort(), [opened, ...expected].sort(), event)
  }
})

test('who opened a shop and works alone gets the mail that there was', async () => {
  const { id, email } = await testMerchant(deps)
  for (const event of mailed) {
    const [mail, ...more] = await receivers(id, event)
    assert.deepEqual([mail?.to, more], [email, []], event)
  }
})

test('each reads it in the own language, with a link that ends the own sessions', async () => {
  const { id: merchantId, email } = await testMerchant(deps)
  const { personId } = await testMember(deps, deps.owner, { merchantId, role: 'finance' })
  await deps.owner.query(`update persons set language = 'zh-CN' where id = $1`, [personId])
  const mails = await receivers(merchantId, 'account_refund_requested')
  const [first, second] = mails.toSorted((one, other) => Number(other.to === email) - Number(one.to === email))
  assert.match(first!.text, /A refund was requested.*detail/s)
  assert.match(second!.text, /您的账号发起了一笔退款.*detail/s)
  const linkIn = (text: string) => /#not-me=(\S+)/.exec(text)?.[1]
  assert.ok(linkIn(first!.text) && linkIn(second!.text))
  assert.notEqual(linkIn(first!.text), linkIn(second!.text))
})

test('who left, was invited only, or is something unknown gets none', async () => {
  const { id: merchantId, email } = await testMerchant(deps)
  const set = async (column: string) => {
    const { personId } = await testMember(deps, deps.owner, { merchantId, role: 'owner' })
    const sql = `update members set ${column} where merchant_id = $1 and person_id = $2`
    await deps.owner.query(sql, [merchantId, personId])
  }
  await set('removed_at = 1')
  await set(`invitation_hash = '\\x02', invitation_until = 1`)
  const { personId } = await testMember(deps, deps.owner, { merchantId, role: 'owner' })
  await setTestRole(deps.owner, { merchantId, personId, role: 'from_tomorrow', now: 1 })
  assert.deepEqual(
    (await receivers(merchantId, 'account_policy_loosened')).map(mail => mail.to),
    [email],
  )
})
