import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Chain } from '@coffer/chains'
import { errors } from '@coffer/contract'
import { until } from '@coffer/local/testing/until.ts'
import { makeApp } from '../../serve.ts'
import { testApplication } from '../../testing/merchants.ts'
import { outside, withdrawalWorld } from '../../testing/withdrawals.ts'

const world = await withdrawalWorld({ after })
const { deps, owner } = world
const app = await makeApp(deps)
after(() => app.close())
const fees = { baseFee: 2n, maxFeePerGas: 5n, maxPriorityFeePerGas: 1n }
const chain = deps.chains.get('eth') as { -readonly [Key in keyof Chain]: Chain[Key] }

/** A merchant with 1,000 USDT and a shop that calls by its key. */
async function newShop() {
  const merchant = await world.newMerchant()
  const { key, appid } = await testApplication(deps, merchant.id, {
    payouts_allowed: true,
    ip_whitelist_enabled: true,
    ip_whitelist: ['10.1.2.3'],
  })
  const post = async (path: string, payload: object) => {
    const headers = { authorization: `Bearer ${key}` }
    const url = `/api/v1/pay${path}`
    const answer = await app.inject({ method: 'POST', url, remoteAddress: '10.1.2.3', headers, payload })
    return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], ...answer.json() }
  }
  const paidOrder = async () => {
    const order = { out_trade_no: 'order-1', amount: '50', chain: 'eth', token: 'USDT' }
    const { trade_no, address } = (await post('/orders', order)).data
    await world.eth.add([{ to: address.toLowerCase(), amount: 50_000_000n }])
    await world.eth.confirm()
    return trade_no as string
  }
  return { merchant, appid, post, paidOrder }
}
type Shop = Awaited<ReturnType<typeof newShop>>

const refund = async (shop: Shop) => ({
  out_no: 'N-1',
  trade_no: await shop.paidOrder(),
  kind: 'part',
  amount: '10',
  gas_payer: 'merchant',
})
const calls: Record<string, (shop: Shop) => Promise<object>> = {
  '/withdrawals': async () => ({ out_no: 'N-1', chain: 'eth', token: 'USDT', amount: '900', address: outside }),
  '/refunds': async shop => ({ ...(await refund(shop)), address: outside }),
  '/refund-links': refund,
}

for (const [path, bodyOf] of Object.entries(calls)) {
  test(`${path}: of two requests with a number on a slow node both get the one that was made`, async t => {
    const shop = await newShop()
    const body = await bodyOf(shop)
    const asked: PromiseWithResolvers<typeof fees>[] = []
    t.mock.method(chain, 'fees', () => {
      asked.push(Promise.withResolvers())
      return asked.at(-1)!.promise
    })
    const both = [shop.post(path, body), shop.post(path, body)]
    await until('both wait for the node', () => asked.length === 2)
    asked[0]!.resolve(fees)
    const made = await Promise.race(both)
    assert.equal(made.code, 200)
    asked[1]!.reject(new Error('the node does not answer'))
    assert.deepEqual(
      (await Promise.all(both)).map(each => each.data?.id),
      [made.data.id, made.data.id],
    )
  })

  test(`${path}: an outage is 503, and so does not end the number`, async t => {
    const shop = await newShop()
    const body = await bodyOf(shop)
    const node = t.mock.method(chain, 'fees', () => Promise.reject(new Error('the node does not answer')))
    const { status, code, retryAfter } = await shop.post(path, body)
    assert.deepEqual([status, code, retryAfter], [503, errors.chain_unavailable.code, '5'])
    await owner.query(`update chains set halted = 'block 5 left the chain'`)
    const halted = await shop.post(path, body)
    assert.deepEqual([halted.status, halted.code, halted.retryAfter], [503, errors.chain_halted.code, '900'])
    await owner.query('update chains set halted = null')
    node.mock.restore()
    const { data } = await shop.post(path, body)
    assert.equal((await shop.post(path, body)).data?.id, data.id)
    // A key whose scope was taken away reads what it made.
    await owner.query(`update applications set payouts_allowed = false, refunds_allowed = false where appid = $1`, [
      shop.appid,
    ])
    assert.equal((await shop.post(path, body)).code, errors.payouts_not_allowed.code)
  })
}
