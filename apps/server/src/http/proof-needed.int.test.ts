import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { applicationStatus, type RouteKey, routes } from '@coffer/contract'
import { changeApplication } from '../domains/applications/store.ts'
import { makeApp } from '../serve.ts'
import { requestsOf } from '../testing/every-request.ts'
import { moneyWorld } from '../testing/money.ts'
import { createOwned } from '../testing/owned.ts'

/**
 * Every call that a session may make to change something: the changes that need a fresh proof, or why the call needs
 * none. A stolen session alone must not reach keys, factors or money.
 */
const changes: Partial<Record<RouteKey, object | string>> = {
  'PUT /api/v1/user/password': {},
  'POST /api/v1/user/google-auth': {},
  'PUT /api/v1/user/mailbox': {},
  'PUT /api/v1/user/phone': {},
  'POST /api/v1/user/recovery-codes': {},
  'PUT /api/v1/user/security-switch': {},
  'PUT /api/v1/member': {},
  'DELETE /api/v1/member': {},
  'POST /api/v1/member/invitation': {},
  'PUT /api/v1/member/invitation': {},
  'PUT /api/v1/member/second-factor': {},
  'POST /api/v1/member/leave': {},
  'POST /api/v1/user/wallet': {},
  'DELETE /api/v1/user/wallet': {},
  'POST /api/v1/user/passkey': {},
  'DELETE /api/v1/user/passkey': {},
  'DELETE /api/v1/user': {},
  'POST /api/v1/user/secret-key': {},
  'DELETE /api/v1/user/secret-key': {},
  'DELETE /api/v1/user/secret-key/previous': {},
  'PUT /api/v1/user/secret-key/rates': {},
  'PUT /api/v1/user/secret-key/notify-url': { notify_url: '' },
  'PUT /api/v1/user/secret-key/refresh-google-secret': {},
  'PUT /api/v1/user/secret-key': {
    name: 'Taken over',
    logo: '',
    payment_logo: '',
    website: 'https://evil.example',
    tolerance_permille: 50,
    mixed_payment: false,
    payment_mode: 2,
    ip_whitelist_enabled: true,
    ip_whitelist: ['198.51.100.7'],
    callback_events: ['payment.paid'],
    embed_origins: ['https://evil.example'],
    status: applicationStatus.enabled,
  },
  'POST /api/v1/user/shop': {},
  'PUT /api/v1/user/shop/key': {},
  'DELETE /api/v1/user/shop': {},
  'POST /api/v1/user/webhook-endpoint': {},
  'PUT /api/v1/user/webhook-endpoint': {},
  'PUT /api/v1/user/webhook-endpoint/secret': {},
  'DELETE /api/v1/user/webhook-endpoint': {},
  'POST /api/v1/transactions/mark': {},
  'POST /api/v1/address': {},
  'PUT /api/v1/address': {},
  'DELETE /api/v1/address': {},
  'POST /api/v1/address/import': {},
  'POST /api/v1/address/import/check': 'only checks',
  'POST /api/v1/account/internal-transfer': {},
  'POST /api/v1/transactions/refund': {},
  'POST /api/v1/transactions/refund-link': {},
  'POST /api/v1/account/withdrawal': {},
  'POST /api/v1/approval/decide': {},
  'PUT /api/v1/account/withdrawal-policy': {},
  'PUT /api/v1/account/withdraw-setting': {},
  'POST /api/v1/account/withdrawal/approval-link': 'mails a link to the approver of the policy',
  'POST /api/v1/account/sweep': 'moves deposits to the hot wallet only, where they stay the merchant’s',
  'POST /api/v1/account/withdrawal/cancel': 'only returns money to the balance',
  'POST /api/v1/message/push': {},
  'POST /api/v1/message/channel': {},
  'POST /api/v1/message/channel/telegram': {},
  'POST /api/v1/message/channel/test': 'only sends a test',
  'POST /api/v1/user/verification': 'is itself the exchange of a proof for a ticket',
  'POST /api/v1/user/login-out': 'only gives up access',
  'DELETE /api/v1/user/sessions/:id': 'only takes access away',
  'DELETE /api/v1/user/sessions': 'only takes access away',
  'POST /api/v1/user/log/not-me': 'only takes access away, and holds money',
  'PUT /api/v1/user/passkey': 'changes what is shown',
  'POST /api/v1/user/passkey/ask': 'only asks for a signature',
  'PUT /api/v1/user/edit': { name: 'Other shop' },
  'PUT /api/v1/account/billing': 'changes what future invoices show',
  'POST /api/v1/account/invoice/correct': 'prints an invoice again with the present billing details',
  'POST /api/v1/work-order': 'only writes to the operator',
  'POST /api/v1/work-order/picture': 'stores a picture',
  'POST /api/v1/work-order/reply': 'only writes to the operator',
  'POST /api/v1/work-order/close': 'only writes to the operator',
  'POST /api/v1/work-order/reopen': 'only writes to the operator',
  'PUT /api/v1/work-order/read': 'marks as read',
  'POST /api/v1/user/opening': 'is reviewed by the operator',
  'POST /api/v1/user/upload': 'stores a picture',
  'POST /api/v1/transactions/refund/cancel': 'only keeps money here',
  'POST /api/v1/payment-link': 'makes a link by which the merchant is paid',
  'POST /api/v1/payment-link/disable': 'only ends a link',
  'POST /api/v1/collect': 'makes a payment to the merchant',
  'POST /api/v1/collect/cancel': 'only closes an unpaid payment',
  'POST /api/v1/transactions/refund-link/cancel': 'only keeps money here',
  'POST /api/v1/callback/resend': 'repeats a callback to the URL set before',
  'POST /api/v1/user/shop/test': 'makes an order of the sandbox, nowhere else',
  'POST /api/v1/callback/test': 'sends no payment to the URL set before',
  'POST /api/v1/user/webhook-endpoint/test': 'sends no payment to the URL set before',
  'POST /api/v1/account/recharge/funds': 'shows an address of the merchant',
  'POST /api/v1/account/fixed-address': 'makes an address of the merchant',
  'PUT /api/v1/account/fixed-address': 'is a note',
  'DELETE /api/v1/member/invitation': 'only takes access away',
  'POST /api/v1/member/shop': 'works for a shop that the person belongs to',
  'POST /api/v1/member/accept': 'needs the link that was mailed to the person',
  'POST /api/v1/currency/rearrange': 'is a preference',
  'PUT /api/v1/market/follow/token': 'is a preference',
  'PUT /api/v1/message/read': 'is a mark',
  'PUT /api/v1/message/settings': 'is a preference: what may cost money always comes',
  'DELETE /api/v1/message/push': 'only ends messages',
  'DELETE /api/v1/message/channel': 'only ends messages',
}

const world = await moneyWorld({ after })
const { deps, merchant, appid } = world
const app = await makeApp(deps)
after(() => app.close())
const requests = requestsOf(world, await createOwned(world))
await changeApplication(deps.pool, merchant.id, appid, {
  status: applicationStatus.disabled,
  logo: 'x',
  payment_logo: 'x',
})

const send = async (key: string, payload: object) => {
  const [method, url = ''] = key.split(' ')
  const answer = await app.inject({ method: method as 'GET', url, payload, headers: { 'x-token': merchant.token } })
  return answer.json() as { code: number; field?: string }
}

test('lists every call that changes something in a session', () => {
  const changing = (Object.keys(routes) as RouteKey[]).filter(
    key => routes[key].auth === 'token' && !key.startsWith('GET '),
  )
  assert.deepEqual(Object.keys(changes).sort(), changing.sort())
})

for (const [key, guarded] of Object.entries(changes)) {
  if (typeof guarded === 'string') continue
  test(`${key} needs a fresh proof`, async () => {
    const { proof: _, ...body } = requests[key as RouteKey]!.body as { proof?: object }
    const each = Object.entries(guarded)
    const bodies =
      each.length === 0 ? [body] : each.map(([name, value]) => ({ ...('appid' in body && { appid }), [name]: value }))
    // Wrong codes of a session are limited.
    await world.owner.query('delete from throttles')
    for (const payload of bodies) {
      const { code, field } = await send(key, payload)
      // A body whose contract already requires the proof is refused for the missing field.
      assert.ok(code === 10068 || (code === 10002 && field === 'proof'), `${JSON.stringify(payload)}: ${code}`)
      const wrong = await send(key, { ...payload, proof: { method: 'email', code: '000000' } })
      assert.deepEqual([wrong.code, wrong.field], [10027, 'proof.code'], JSON.stringify(payload))
    }
  })
}
