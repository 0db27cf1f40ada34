import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RouteBody, RouteData, RouteKey, RouteQuery } from '@coffer/contract'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { foldLists } from '../../kit/counted-list.ts'
import { makeApp } from '../../serve.ts'
import { call as callHandler } from '../../testing/call.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { outside, withdrawalWorld } from '../../testing/withdrawals.ts'
import { withdrawalHandlers } from './routes.ts'

const world = await withdrawalWorld({ after }, { config: { withdrawDayMax: 2_000 } })
const { deps } = world
const app = await makeApp(deps)
after(() => app.close())
type Key = keyof typeof withdrawalHandlers & RouteKey
const callOf =
  (merchantId: string) =>
  <K extends Key>(key: K, given: { query?: RouteQuery<K>; body?: RouteBody<K> } = {}): Promise<RouteData<K>> =>
    callHandler(withdrawalHandlers as never, key, deps, merchantId, given)

/** Two merchants, of which the second one is a stranger to the first. */
async function merchants() {
  const merchant = await world.newMerchant()
  const stranger = await testMerchant(deps)
  return { merchant, call: callOf(merchant.id), other: callOf(stranger.id) }
}

const token_id = 'eth:USDT'

test('quotes rate, fee, gas and what arrives, with the limits and the answer of the policy', async () => {
  const { call, other } = await merchants()
  const data = await call('GET /api/v1/account/cost', { query: { token_id, amount: '100', address: outside } })
  const { rate, fee, gas, receives, usdt_value, minimum, maximum, balance, refused, outcome, policy, methods } = data
  assert.deepEqual(
    { rate: rate.price, fee, gas, receives, usdt_value, minimum, maximum, balance, refused, outcome, methods },
    {
      rate: '1',
      fee: '0.1',
      gas: '0.4875',
      receives: '99.4125',
      usdt_value: '100',
      minimum: '1',
      maximum: '999.999999',
      balance: '1000',
      refused: '',
      outcome: 'allowed',
      methods: ['email'],
    },
  )
  assert.deepEqual(
    policy.map(each => [each.rule, each.limit, each.left]),
    [
      ['single', '10000', '10000'],
      ['window', '2000', '2000'],
    ],
  )
  const requested = async (amount: string) =>
    (await call('GET /api/v1/account/cost', { query: { token_id, amount } })).refused
  assert.deepEqual(
    [await requested('0.5'), await requested('1000'), await requested('10001')],
    ['amount_too_small', 'insufficient_balance', 'insufficient_balance'],
    'what the balance does not cover comes before every rule',
  )
  const none = await other('GET /api/v1/account/cost', { query: { token_id } })
  assert.deepEqual([none.maximum, none.balance, none.refused, none.quote], ['0', '0', '', ''])
})

test('a quote is honoured for two minutes, by its merchant and asset only', async t => {
  const { merchant, call } = await merchants()
  const { quote } = await call('GET /api/v1/account/cost', { query: { token_id, amount: '10' } })
  const request = async (quote: string, asset = token_id) =>
    call('POST /api/v1/account/withdrawal', {
      body: { token_id: asset, address: outside, amount: '10', quote, proof: await world.proof(merchant.id) },
    })
  const chain = deps.chains.get('eth') as unknown as { fees: () => Promise<object> }
  const { fees } = chain
  t.after(() => {
    chain.fees = fees
  })
  const gwei = 1_000_000_000n
  chain.fees = async () => ({ baseFee: 200n * gwei, maxFeePerGas: 500n * gwei, maxPriorityFeePerGas: 100n * gwei })
  const dear = await call('GET /api/v1/account/cost', { query: { token_id, amount: '10' } })
  assert.equal(dear.gas, '48.75')
  const { id, gas } = await request(quote)
  assert.equal(gas, '0.4875')
  const expired = { reason: 'quote_expired' }
  await assert.rejects(request(`${quote}AA`), expired)
  await assert.rejects(request(quote, 'eth:USDC'), expired)
  deps.pass(121)
  await assert.rejects(request(quote), expired)
  await call('POST /api/v1/account/withdrawal/cancel', { body: { id } })
})

test('a second click with the same key requests once', async () => {
  const { merchant } = await merchants()
  const body = { token_id, address: outside, amount: '10', proof: await world.proof(merchant.id) }
  const click = () =>
    app.inject({
      method: 'POST',
      url: '/api/v1/account/withdrawal',
      payload: body,
      headers: { 'x-token': merchant.token, 'idempotency-key': 'once' },
    })
  const answers = [(await click()).json(), (await click()).json()]
  assert.deepEqual(answers[0], answers[1])
  assert.equal(answers[0].code, 200)
  assert.equal(answers[0].data.can_cancel, true)
})

test('lists by every filter, and shows strangers nothing', async () => {
  const { merchant, call, other } = await merchants()
  const by = { merchantId: merchant.id }
  await call('POST /api/v1/account/withdrawal/cancel', { body: { id: await world.withdraw('10', by) } })
  await world.withdraw('10', by)
  await world.grant(10n ** 9n, 'eth:USDC', merchant.id)
  const id = await world.withdraw('20', { ...by, assetId: 'eth:USDC', remark: 'in USDC' })
  const txid = `0x${'cd'.repeat(32)}`
  await world.owner.query('update withdrawals set txid = $1 where id = $2', [txid, id])
  await foldLists(deps)
  const list = async (query: RouteQuery<'GET /api/v1/account/withdrawal-list'>, send = call) => {
    const data = await send('GET /api/v1/account/withdrawal-list', { query })
    assert.equal(data.total, data.list.length)
    return data.list.map(row => [row.token_id, row.amount, row.status])
  }
  const inUsdc = [['eth:USDC', '20', withdrawalStatus.transferring]]
  assert.equal((await list({})).length, 3)
  assert.equal((await list({ network_id: 'eth' })).length, 3)
  assert.deepEqual(await list({ network_id: 'bsc' }), [])
  assert.deepEqual(await list({ token_id: 'eth:USDC', status: withdrawalStatus.transferring }), inUsdc)
  assert.deepEqual(await list({ txid: txid.slice(2).toUpperCase() }), inUsdc)
  assert.deepEqual(await list({ id, address: outside }), inUsdc)
  assert.equal((await list({ address: outside })).length, 3)
  assert.deepEqual(await list({ status: withdrawalStatus.canceled }), [['eth:USDT', '10', withdrawalStatus.canceled]])
  assert.deepEqual(await list({ end_time: deps.clock() - 100_000 }), [])
  assert.deepEqual(await list({}, other), [])
  assert.deepEqual(await list({ id }, other), [])

  const data = await call('GET /api/v1/account/withdrawal', { query: { id } })
  assert.deepEqual(
    [data.remark, data.network_id, data.address, data.history.map(each => each.event)],
    ['in USDC', 'eth', outside, ['requested']],
  )
  const unknown = { reason: 'withdrawal_not_exist' }
  await assert.rejects(other('GET /api/v1/account/withdrawal', { query: { id } }), unknown)
  await assert.rejects(other('POST /api/v1/account/withdrawal/cancel', { body: { id } }), unknown)
})
