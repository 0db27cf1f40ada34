import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors } from '@coffer/contract'
import { makeApp } from '../serve.ts'
import { testApplication } from '../testing/merchants.ts'
import { outside, withdrawalWorld } from '../testing/withdrawals.ts'

const world = await withdrawalWorld({ after })
const { deps, eth } = world
const app = await makeApp(deps)
after(() => app.close())
const merchant = await world.newMerchant()
const payouts = { payouts_allowed: true, ip_whitelist_enabled: true, ip_whitelist: ['127.0.0.1'] }
const shop = await testApplication(deps, merchant.id, { name: 'Shop', ...payouts })
const other = await testApplication(deps, merchant.id, { name: 'Other', ...payouts })
async function call(path: string, payload?: object, key = shop.key) {
  const headers = { authorization: `Bearer ${key}` }
  const method = payload ? 'POST' : 'GET'
  return (await app.inject({ method, url: `/api/v1/pay/${path}`, headers, ...(payload && { payload }) })).json()
}
const made = async (path: string, payload: object) => {
  const { code, data, msg } = await call(path, payload)
  assert.equal(code, 200, msg)
  return data
}

const asset = { chain: 'eth', token: 'USDT' }
const transfer = async (to: string) => {
  await eth.add([{ to: to.toLowerCase(), amount: 10_000_000n }])
  await eth.confirm()
}
const customer = await made('addresses', { reference: 'customer', chain: 'eth' })
const lists: [string, (n: number) => Promise<unknown>][] = [
  ['withdrawals?', n => made('withdrawals', { out_no: `W-${n}`, ...asset, amount: '20', address: outside })],
  [
    'refunds?',
    async n => {
      const { trade_no, address } = await made('orders', { out_trade_no: `O-${n}`, amount: '10', ...asset })
      await transfer(address)
      const kind = { kind: 'all', gas_payer: 'merchant', address: outside }
      await made('refunds', { out_no: `R-${n}`, trade_no, ...kind })
    },
  ],
  ['addresses?', n => made('addresses', { reference: `c-${n}`, chain: 'eth' })],
  ['deposits?reference=customer&', () => transfer(customer.address)],
]

for (const [path, make] of lists)
  test(`new rows do not shift the pages of ${path}`, async () => {
    const before = (await call(path)).data.list.map((row: { id: string }) => row.id)
    for (const n of [1, 2, 3, 4]) {
      await make(n)
      if (n % 2 === 0) deps.pass(1)
    }
    const { list, total, next_cursor: none } = (await call(`${path}pageSize=50`)).data
    assert.deepEqual([total, list.length, none], [before.length + 4, before.length + 4, ''])
    const ids: string[] = []
    let cursor = ''
    do {
      const { data } = await call(`${path}pageSize=2${cursor && `&cursor=${cursor}`}`)
      assert.equal(data.total, total + (cursor ? 1 : 0))
      ids.push(...data.list.map((row: { id: string }) => row.id))
      if (!cursor) await make(5)
      cursor = data.next_cursor
      const foreign = cursor && (await call(`${path}cursor=${cursor}`, undefined, other.key)).data
      if (foreign) assert.deepEqual(foreign, { list: [], total: 0, next_cursor: '' })
    } while (cursor)
    assert.deepEqual(
      ids,
      list.map((row: { id: string }) => row.id),
    )
    for (const bad of ['x', '1', '1-', `${'9'.repeat(11)}-${ids[0]}`, `1-${ids[0]}'`, `-1-${ids[0]}`])
      assert.equal((await call(`${path}cursor=${encodeURIComponent(bad)}`)).code, errors.parameter_error.code, bad)
  })
