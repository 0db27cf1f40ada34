import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { insertEvents } from '../../kit/outbox.ts'
import { withDeps } from '../../testing/deps.ts'
import { ownerOf, testMember } from '../../testing/members.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { listSentMessages } from './list-sent.ts'
import { sendDueMessages } from './sender.ts'

const made = await withDeps({ after })
/** The mail server, which refuses while `refusal` is set. */
let refusal: object | undefined
const deps = {
  ...made,
  mail: {
    ...made.mail,
    send: async () => {
      if (refusal) throw Object.assign(new Error('550 5.1.1 no such user'), refusal)
    },
  },
}

test('people see what was sent to them, whether it arrived, and nothing of others', async () => {
  const { id: merchantId, email } = await testMerchant(deps)
  const { session: member } = await (await testMember(deps, deps.owner, { merchantId, role: 'finance' })).signIn()
  const owner = ownerOf(merchantId)
  const params = { amount: '5', token: 'USDT', to: '0xabc' }
  const tell = () =>
    insertEvents(deps.pool, [
      { merchant_id: merchantId, name: 'account_withdrawal_requested', params, created_at: deps.clock() },
      { merchant_id: merchantId, name: 'account_policy_tightened', params: {}, created_at: deps.clock() },
    ])
  await tell()
  const titles = async (of: typeof owner | typeof member) =>
    (await listSentMessages(deps, of, 'en')).list.map(({ title, state, error }) => [title, state, error])
  const policy = 'Your withdrawal policy is stricter now'
  const withdrawal = 'A withdrawal was requested from your account'
  assert.deepEqual((await titles(owner)).sort(), [
    [withdrawal, 'waiting', ''],
    [policy, 'waiting', ''],
  ])
  assert.deepEqual(await titles(member), [[withdrawal, 'waiting', '']], 'the policy is the owner’s')
  await sendDueMessages(deps)
  refusal = { command: 'RCPT TO', responseCode: 550, response: '550 5.1.1 no such user' }
  deps.pass(1)
  await tell()
  await sendDueMessages(deps)
  const [last, ...before] = (await listSentMessages(deps, member, 'en')).list
  assert.deepEqual(
    [last?.state, last?.error, last?.channel, before.map(({ state }) => state)],
    ['refused', '550 5.1.1 no such user', 'mail', ['accepted']],
  )
  assert.equal((await listSentMessages(deps, owner, 'zh-CN')).list[0]?.to, email)
  const { id: other } = await testMerchant(deps)
  assert.deepEqual((await listSentMessages(deps, ownerOf(other), 'en')).list, [])
})

test('what went to a former mailbox or phone is listed without it', async () => {
  const { id: merchantId, email } = await testMerchant(deps)
  const former = `former-${email}`
  await deps.owner.query('insert into former_emails (person_id, email, until) values ($1, $2, $3)', [
    merchantId,
    former,
    deps.clock(),
  ])
  await deps.owner.query(
    `update persons set area_code = '+86', phone = '13800000000', phone_verified = true where id = $1`,
    [merchantId],
  )
  const name = 'account_phone_bound'
  const more = { merchant_id: merchantId, params: {}, created_at: deps.clock() }
  await insertEvents(deps.pool, [{ ...more, name, formerPhone: '+8613900000000' }])
  await insertEvents(deps.pool, [{ ...more, name: 'account_passkey_added' }])
  refusal = undefined
  await sendDueMessages(deps)
  const { list } = await listSentMessages(deps, ownerOf(merchantId), 'en')
  assert.deepEqual(list.map(({ channel, to }) => [channel, to]).sort(), [
    ['mail', ''],
    ['mail', ''],
    ['mail', email],
    ['mail', email],
    ['text', ''],
    ['text', '+8613800000000'],
  ])
  assert.ok(!JSON.stringify(list).includes(former))
})
