import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeReason, describeReasonInChat } from './describe-reason.ts'

const deps = { config: { publicUrl: 'https://pay.example' } } as Parameters<typeof describeReason>[0]
const reason = (event: string, given: Partial<Parameters<typeof describeReason>[1]> = {}) =>
  describeReason(deps, {
    realm: 'shop',
    shop: 'Corner shop',
    role: 'owner',
    language: 'en',
    events: [{ id: '1', event, params: {}, created_at: 0 }],
    ...given,
  })

test('says why a message came, and where to choose', () => {
  assert.equal(
    reason('payment_paid', { role: 'clerk' }),
    'You get this as clerk of Corner shop. Choose what reaches you: https://pay.example/user/messages',
  )
  assert.equal(
    reason('account_passkey_added', { language: 'zh-CN' }),
    '您作为Corner shop的所有者收到此消息。此类消息始终发送。查看接收设置：https://pay.example/user/messages',
  )
  assert.match(reason('account_passkey_added')!, /always come/)
})

test('who is no member any more is told of the account, operators of nothing', () => {
  assert.equal(reason('account_closed', { role: undefined }), 'You get this because it is about your account.')
  assert.equal(reason('operator_changed', { realm: 'console' }), undefined)
})

test('a chat is not told the role of who added it', () => {
  const given = { realm: 'shop', shop: 'Corner shop', role: 'owner', language: 'en', events: [] } as never
  assert.equal(
    describeReasonInChat(deps, given),
    'A member of Corner shop has this sent here: https://pay.example/user/messages',
  )
})
