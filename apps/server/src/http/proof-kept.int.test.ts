import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type ErrorName, errors, type RouteKey, routes } from '@coffer/contract'
import type pg from 'pg'
import type { z } from 'zod'
import { newId } from '../kit/ids.ts'
import { makeApp } from '../serve.ts'
import { requestsOf } from '../testing/every-request.ts'
import { newSession, testAuthenticator } from '../testing/merchants.ts'
import { moneyWorld } from '../testing/money.ts'
import { createOwned, createPaid } from '../testing/owned.ts'
import { validParts } from '../testing/valid-parts.ts'

/**
 * Every call of a session that a code confirms, from the contract: whatever refuses a field or what it names leaves the
 * code as it was, and the same code then confirms the right call.
 */
const world = await moneyWorld({ after }, { config: { publicUrl: 'https://pay.example' } })
const { deps, owner, merchant } = world
const owned = await createOwned(world)
const requests = requestsOf(world, owned)
const valid = validParts(world, owned)
const { code } = await testAuthenticator(deps, merchant.id)

/**
 * Whether transactions are undone: the right call shows that the code confirms it, and later tests find everything as
 * it was.
 */
let undone = false
const pool = new Proxy(deps.pool, {
  get(target, name) {
    if (name === 'connect')
      return async () => {
        const client = await target.connect()
        return new Proxy(client, {
          get(of, property) {
            if (property === 'query')
              return (query: string | pg.QueryConfig, values?: unknown[]) =>
                of.query(undone && query === 'commit' ? 'rollback' : (query as string), values)
            const value = Reflect.get(of, property)
            return typeof value === 'function' ? value.bind(of) : value
          },
        })
      }
    const value = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  },
})
const app = await makeApp({ ...deps, pool })
after(() => app.close())

/** Values that a field takes by its form, and that are refused by what is stored or outside. */
const refusedByState: Record<string, unknown> = {
  appid: '00000000',
  id: newId(),
  trade_no: '2026010100000000000000',
  token_id: 'none:NONE',
  currency_id: 'none',
  address: `0x${'0'.repeat(40)}`,
  account: 'nobody@example.com',
  amount: '999999999',
  notify_url: 'https://127.0.0.1/',
  url: 'https://127.0.0.1/',
  endpoint: 'https://127.0.0.1/',
  password: Buffer.from('Another2Horse').toString('base64'),
  confirm_password: Buffer.from('Another2Horse').toString('base64'),
  old_password: Buffer.from('Another2Horse').toString('base64'),
  offer: 'none',
  message: 'none',
  signature: '0x00',
  method: 'phone',
  logo: '/none',
  embed_origins: ['http://elsewhere.example'],
  fixed: [{ currency: 'USDT', rate: '1' }],
  rows: [{ network: 'none', address: 'none', label: 'None' }],
  rules: [{ kind: 'approval', limit: '1', approver: merchant.email }],
}

/** The owner has a passkey and no phone. What a refund link promises to give back cannot be marked any more. */
const rightParts: Partial<Record<RouteKey, object>> = {
  'PUT /api/v1/user/security-switch': { method: 'passkey' },
  'POST /api/v1/transactions/refund-link': { trade_no: (await createPaid(world, 'given-back-by-link')).trade_no },
}
/** Calls that are refused as the account is: it has funds, one owner, and no withdrawal that waits. */
const refusedNow: Partial<Record<RouteKey, ErrorName>> = {
  'DELETE /api/v1/user': 'account_not_empty',
  'POST /api/v1/member/leave': 'last_owner_of_shop',
  'POST /api/v1/approval/decide': 'withdrawal_cannot_change',
}
/** Calls whose answer is read after their transaction, which is therefore committed. */
const answersLater = new Set<RouteKey>(['POST /api/v1/transactions/refund-link', 'POST /api/v1/account/withdrawal'])

const fieldsOf = (key: RouteKey): Record<string, z.ZodType> => {
  const { body } = routes[key] as { body?: { shape?: Record<string, z.ZodType> } }
  return body?.shape ?? {}
}
const proven = (Object.keys(routes) as RouteKey[]).filter(key => 'proof' in fieldsOf(key))

const post = async (key: RouteKey, payload: object) => {
  const [method, url = ''] = key.split(' ')
  const answer = await app.inject({ method: method as 'POST', url, payload, headers: { 'x-token': merchant.token } })
  return answer.json() as { code: number; field?: string; data: { token: string } }
}

for (const key of proven)
  test(`${key} keeps the code when a field or the account is refused`, async () => {
    deps.pass(60)
    await owner.query('delete from throttles')
    undone = false
    const google = () => ({ method: 'google', code: code() })
    if (key === 'DELETE /api/v1/user/wallet') {
      const link = 'POST /api/v1/user/wallet'
      merchant.token = (await post(link, { ...(await valid[link]?.()), proof: google() })).data.token
      deps.pass(60)
    }
    const body = { ...requests[key]?.body, ...(await valid[key]?.()), ...rightParts[key] }
    const confirmed = { ...body, proof: google() }
    for (const field of Object.keys(fieldsOf(key)).filter(each => each !== 'proof'))
      for (const value of [{ bad: true }, ...(field in refusedByState ? [refusedByState[field]] : [])]) {
        const answer = await post(key, { ...confirmed, [field]: value })
        assert.notEqual(answer.code, 200, `${field} ${JSON.stringify(value)}`)
        assert.ok(!answer.field?.startsWith('proof'), `${field}: ${JSON.stringify(answer)}`)
        assert.notEqual(answer.code, errors.proof_needed.code, `${field}: ${JSON.stringify(answer)}`)
      }
    const refused = refusedNow[key]
    if (refused) {
      assert.equal((await post(key, confirmed)).code, errors[refused].code)
      const exchange = { action: 'close-account', proof: confirmed.proof }
      assert.equal((await post('POST /api/v1/user/verification', exchange)).code, 200)
      return
    }
    // The wallet was linked for this call alone.
    undone = !answersLater.has(key) && key !== 'DELETE /api/v1/user/wallet'
    const right = await post(key, confirmed)
    assert.equal(right.code, 200, JSON.stringify(right))
    // A removed wallet ends sessions.
    if (key === 'DELETE /api/v1/user/wallet') merchant.token = await newSession(deps, merchant.id)
  })
