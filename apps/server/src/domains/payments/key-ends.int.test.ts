import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { applicationStatus, type ErrorName, errors, merchantStatus } from '@coffer/contract'
import { makeApp } from '../../serve.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { eth, moneyWorld, rowsOf } from '../../testing/money.ts'

const { deps, owner } = await moneyWorld({ after })
const app = await makeApp(deps)
after(() => app.close())

/** What ends a key's right, of an application or of its merchant, and how it is said. */
const ends: [change: string, of: 'applications' | 'merchants', refusal: ErrorName][] = [
  ['key_hash = sha256(appid::bytea)', 'applications', 'bad_key'],
  ['deleted_at = 1', 'applications', 'bad_key'],
  [`status = ${applicationStatus.disabled}`, 'applications', 'application_disabled'],
  [`ip_whitelist_enabled = true, ip_whitelist = '["203.0.113.7"]'`, 'applications', 'ip_not_allowed'],
  ['frozen = true', 'merchants', 'account_frozen'],
  [`status = ${merchantStatus.failed_audit}`, 'merchants', 'merchant_not_open'],
  ['deleted_at = 1', 'merchants', 'bad_key'],
]

for (const more of [{}, { chain: eth.id, token: 'USDT' }])
  test(`an order${'chain' in more ? ' with chain and token' : ''} checks a key that was valid in the same second`, async () => {
    for (const [change, of, refusal] of ends) {
      const { id } = await testMerchant(deps)
      const { key, appid } = await testApplication(deps, id)
      const order = async (out_trade_no: string, amount = '10', headers = {}) => {
        const payload = { out_trade_no, amount, currency: 'USDT', ...more }
        const request = { method: 'POST', url: '/api/v1/pay/orders', payload } as const
        return (await app.inject({ ...request, headers: { authorization: `Bearer ${key}`, ...headers } })).json().code
      }
      assert.deepEqual([await order('first'), await order('second')], [200, 200])
      await owner.query(`update ${of} set ${change} where ${of === 'merchants' ? 'id' : 'appid'} = $1`, [
        of === 'merchants' ? id : appid,
      ])
      // A new one, one that exists, one that differs from it, one that cannot be, and one with a key of its own.
      const codes = [
        await order('third'),
        await order('first'),
        await order('first', '11'),
        await order('fourth', '0.001'),
      ]
      codes.push(await order('fifth', '10', { 'idempotency-key': appid }))
      assert.deepEqual(new Set(codes), new Set([errors[refusal].code]), `${change}: ${codes}`)
      const made = await rowsOf(owner, 'select out_trade_no from payments where appid = $1 order by 1', [appid])
      assert.deepEqual(
        made.map(each => each.out_trade_no),
        ['first', 'second'],
      )
    }
  })

test('a replaced key creates orders until its time ends', async () => {
  const { id } = await testMerchant(deps)
  const { key, appid } = await testApplication(deps, id)
  const order = async (out_trade_no: string) => {
    const payload = { out_trade_no, amount: '10', currency: 'USDT' }
    const headers = { authorization: `Bearer ${key}` }
    return (await app.inject({ method: 'POST', url: '/api/v1/pay/orders', payload, headers })).json().code
  }
  assert.equal(await order('1'), 200)
  const replace = (until: number) =>
    owner.query(
      `update applications set previous_key_hash = coalesce(previous_key_hash, key_hash), previous_key_until = $2,
         key_hash = sha256(appid::bytea) where appid = $1`,
      [appid, until],
    )
  await replace(deps.clock() + 1)
  assert.equal(await order('2'), 200)
  await replace(deps.clock())
  assert.equal(await order('3'), errors.bad_key.code)
})
