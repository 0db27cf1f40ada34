import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type ErrorName, errors, type RouteDefinition, type RouteKey, routes } from '@coffer/contract'
import type pg from 'pg'
import { changeApplication } from '../domains/applications/store.ts'
import { insertTicket } from '../domains/identity/store.ts'
import { startSession } from '../domains/people/sessions.ts'
import { hashSecret, newSecret } from '../kit/secrets.ts'
import { makeApp } from '../serve.ts'
import { requestsOf } from '../testing/every-request.ts'
import { moneyWorld } from '../testing/money.ts'
import { createOwned } from '../testing/owned.ts'
import { validParts } from '../testing/valid-parts.ts'

/**
 * Calls that are still answered when the account is frozen or closed after their authentication, and why that does no
 * harm. Later calls fail to authenticate.
 */
const harmless: Partial<Record<RouteKey, string>> = {
  'POST /api/v1/user/login-out': 'only gives up access',
  'DELETE /api/v1/user/sessions': 'only takes access away',
  'DELETE /api/v1/user/sessions/:id': 'only takes access away',
  'PUT /api/v1/user/passkey': 'is a note',
  'POST /api/v1/user/passkey/ask': 'only asks for a signature',
  'POST /api/v1/currency/rearrange': 'is a preference',
  'PUT /api/v1/market/follow/token': 'is a preference',
  'PUT /api/v1/account/fixed-address': 'is a note',
  'POST /api/v1/account/recharge/funds': 'shows an address that the merchant has',
  'POST /api/v1/address/import/check': 'only checks',
  'POST /api/v1/collect/cancel': 'only closes an unpaid payment',
  'POST /api/v1/pay/orders/:trade_no/close': 'only closes an unpaid payment',
  'POST /api/v1/payment-link/disable': 'only ends a link',
  'POST /api/v1/pay/links/:id/close': 'only ends a link',
  'POST /api/v1/transactions/refund/cancel': 'only returns money to the balance',
  'POST /api/v1/pay/refunds/:id/cancel': 'only returns money to the balance',
  'POST /api/v1/transactions/refund-link/cancel': 'only returns money to the balance',
  'POST /api/v1/pay/refund-links/:id/cancel': 'only returns money to the balance',
  'POST /api/v1/account/withdrawal/cancel': 'only returns money to the balance',
  'POST /api/v1/pay/withdrawals/:id/cancel': 'only returns money to the balance',
  'POST /api/v1/callback/resend': 'repeats a callback to the URL set before',
  'POST /api/v1/pay/callbacks/:id/resend': 'repeats a callback to the URL set before',
  'POST /api/v1/pay/webhook-endpoints/:id/test': 'sends no payment to the URL set before',
  'POST /api/v1/callback/test': 'sends no payment to the URL set before',
  'POST /api/v1/user/webhook-endpoint/test': 'sends no payment to the URL set before',
  'POST /api/v1/work-order': 'only writes to the operator',
  'POST /api/v1/work-order/reply': 'only writes to the operator',
  'POST /api/v1/work-order/close': 'only writes to the operator',
  'POST /api/v1/work-order/reopen': 'only writes to the operator',
  'PUT /api/v1/work-order/read': 'is a mark',
  'PUT /api/v1/message/read': 'is a mark',
  'PUT /api/v1/message/settings': 'is a preference',
  'DELETE /api/v1/message/push': 'only ends messages',
  'DELETE /api/v1/message/channel': 'only ends messages',
  'POST /api/v1/collect':
    'creates its payment before its first transaction, by a statement that requires an open account',
  'POST /api/v1/pay/orders':
    'creates its payment before its first transaction, by a statement that requires an open account',
}
/** Calls that need more than a request to reach the check. */
const elsewhere: Partial<Record<RouteKey, string>> = {
  'POST /api/v1/user/verification': 'gives a ticket, which counts only for another call',
  'POST /api/v1/user/upload': 'stores a picture, which only another call shows',
  'POST /api/v1/work-order/picture': 'stores a picture, which only another call shows',
  'POST /api/v1/user/shop/test': 'exists in the sandbox only: domains/shop-protocols/protocols.int.test.ts',
  'POST /api/v1/message/channel/test': 'needs a chat: domains/identity/channels/channels.int.test.ts',
  'POST /api/v1/account/sweep': 'needs a chain with a sweeper: domains/sweeps/sweeps.int.test.ts',
}
const refusals: ErrorName[] = [
  'account_frozen',
  'withdrawal_forbidden',
  'application_not_exist',
  'login_expired',
  'session_frozen',
  'member_not_exist',
  'invitation_ended',
]

const world = await moneyWorld({ after }, { config: { publicUrl: 'https://pay.example' } })
const { deps, owner, merchant, appid } = world
const key = `sk_live_${newSecret()}`
const rights = {
  payouts_allowed: true,
  refunds_allowed: true,
  marks_allowed: true,
  settings_allowed: true,
  members_allowed: true,
  ip_whitelist_enabled: true,
  ip_whitelist: ['127.0.0.1'],
}
await changeApplication(deps.pool, merchant.id, appid, { key_hash: hashSecret(key), ...rights })
const owned = await createOwned(world)
const requests = requestsOf(world, owned)

const valid = validParts(world, owned)

/** Called where the account changes: after the caller is known, or before the first transaction. */
let change: Partial<Record<'known' | 'connect', () => Promise<unknown>>> = {}
const pool = new Proxy(deps.pool, {
  get(target, name) {
    if (name === 'query')
      return async (query: pg.QueryConfig) => {
        // The ticket of the test confirms whatever is requested.
        if (query.name === 'ticket-check') await owner.query('update tickets set action = $1', [query.values?.[2]])
        const result = await target.query(query)
        if (['session-by-token', 'application-by-key'].includes(query.name ?? '')) await change.known?.()
        return result
      }
    if (name === 'connect')
      return async () => {
        await change.connect?.()
        return target.connect()
      }
    const value = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  },
})
const app = await makeApp({ ...deps, pool })
after(() => app.close())

/** Sends a valid request of the merchant, whose account changes meanwhile. Returns the code of the answer. */
async function send(route: RouteKey, moment: keyof typeof change, set: string): Promise<number> {
  change = {}
  deps.pass(1)
  await owner.query('update merchants set frozen = false, deleted_at = null')
  await owner.query('update persons set phone_verified = false')
  await owner.query('delete from throttles')
  await owner.query('delete from tickets')
  const [method = '', path = ''] = route.split(' ')
  const { params = {}, query = {}, body } = requests[route] ?? {}
  const ticket = newSecret()
  await insertTicket(deps.pool, hashSecret(ticket), merchant.id, '', deps.clock() + 60)
  const own = { personId: merchant.id, merchantId: merchant.id, from: { ip: '', device: '' } }
  const { token } = await startSession(deps, deps.pool, own)
  const more = await valid[route]?.()
  change = { [moment]: () => owner.query(`update merchants set ${set} where id = $1`, [merchant.id]) }
  const post = async (given: object) => {
    const answer = await app.inject({
      method: method as 'POST',
      url: `${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')}?${new URLSearchParams(query as Record<string, string>)}`,
      headers: routes[route].auth === 'key' ? { authorization: `Bearer ${key}` } : { 'x-token': token },
      ...(body && { payload: { ...body, ...more, ...given } }),
    })
    return answer.json() as { code: number; field?: string }
  }
  const proof = { proof: { method: 'ticket', code: ticket } }
  const answer = await post(body && 'proof' in body ? proof : {})
  if (answer.code !== errors.proof_needed.code) return answer.code
  change = { [moment]: () => owner.query(`update merchants set ${set} where id = $1`, [merchant.id]) }
  return (await post(proof)).code
}

const standings = { frozen: 'frozen = true', closed: 'deleted_at = 1' }
const changing = (Object.entries(routes) as [RouteKey, RouteDefinition][]).flatMap(([route, { auth }]) =>
  route.startsWith('GET ') || !['token', 'key'].includes(auth) ? [] : [route],
)

for (const route of changing.filter(each => !(each in elsewhere)))
  test(`${route} ${harmless[route] ?? 'refuses an account that becomes frozen or closed'}`, async () => {
    const codes: [string, number][] = []
    for (const moment of ['known', 'connect'] as const)
      for (const [standing, set] of Object.entries(standings))
        codes.push([`${standing}, ${moment}`, await send(route, moment, set)])
    const refused = refusals.map(name => errors[name].code as number)
    const answered = codes.filter(([, code]) => !refused.includes(code))
    if (route in harmless)
      assert.ok(
        answered.some(([, code]) => code === 200),
        `refused, so not listed: ${codes}`,
      )
    else assert.deepEqual(answered, [])
  })

test('lists only calls that change something', () => {
  const listed = Object.keys({ ...harmless, ...elsewhere })
  assert.deepEqual(
    listed.filter(route => !changing.includes(route as RouteKey)),
    [],
  )
})
