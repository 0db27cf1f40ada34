import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { accountEventAudiences, type ShopEvent } from '@coffer/contract/audiences.ts'
import { type MerchantRole, merchantRoleNames } from '@coffer/contract/kit/merchant-roles.ts'
import { withDeps } from '../../testing/deps.ts'
import { setTestRole, testMember } from '../../testing/members.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { eventMail, sendEventMailToMembers } from './mails.ts'

const deps = await withDeps({ after })

const events = Object.entries(accountEventAudiences).flatMap(([event, audience]) =>
  audience !== 'self' && eventMail('en', event as ShopEvent, '', '') ? [event as ShopEvent] : [],
)
/** The mails that each role gets, beside the owner, who gets all. */
const of: Record<MerchantRole, RegExp> = {
  owner: /./,
  finance: /^(not_me|hold_lifted|withdrawal_requested|address_added|transfer_receiver_added|refund_.*|fees_changed)$/,
  developer: /^(payouts_allowed|.*secret.*|notify_url_changed|rates_changed|webhook_.*|shop_.*)$/,
  support: /^refund_/,
  clerk: /^$/,
  viewer: /^fees_changed$/,
}

async function receivers(merchantId: string, event: ShopEvent) {
  deps.mails.length = 0
  await sendEventMailToMembers(deps, { id: merchantId }, event, { en: 'detail', 'zh-CN': '详情' })
  return deps.mails
}

test('a mail about an event of a shop goes to the members whose role it concerns', async () => {
  const { id: merchantId, email: opened } = await testMerchant(deps)
  const members = await Promise.all(
    merchantRoleNames.map(async role => ({ role, ...(await testMember(deps, deps.owner, { merchantId, role })) })),
  )
  assert.ok(events.length > 20)
  for (const event of events) {
    const expected = members.filter(({ role }) => of[role].test(event)).map(({ email }) => email)
    const mails = await receivers(merchantId, event)
    assert.deepEqual(mails.map(mail => mail.to).sort(), [opened, ...expected].sort(), event)
  }
})

test('who opened a shop and works alone gets the mail that there was', async () => {
  const { id, email } = await testMerchant(deps)
  for (const event of events) {
    const [mail, ...more] = await receivers(id, event)
    assert.deepEqual([mail?.to, more], [email, []])
    assert.equal(mail?.subject, eventMail('en', event, '', '')?.subject)
  }
})

test('each reads it in the own language, with a link that ends the own sessions', async () => {
  const { id: merchantId } = await testMerchant(deps)
  const { personId } = await testMember(deps, deps.owner, { merchantId, role: 'finance' })
  await deps.owner.query(`update persons set language = 'zh-CN' where id = $1`, [personId])
  const [first, second] = await receivers(merchantId, 'withdrawal_requested')
  assert.match(first!.text, /detail/)
  assert.match(second!.text, /详情/)
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
    (await receivers(merchantId, 'policy_loosened')).map(mail => mail.to),
    [email],
  )
})
