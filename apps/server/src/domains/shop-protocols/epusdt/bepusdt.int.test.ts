import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { firstRow } from '../../../testing/money.ts'
import { shopWorld, signJson } from '../../../testing/shop-world.ts'
import { applicationKeyRateLimit } from '../../applications/authenticate-key.ts'

const world = await shopWorld({ after })
const { deps, owner, app, receiver, next, connect, deliver, payOrder: pay } = world

type Texts = Record<string, string>
const askJson = (path: string, payload: string) =>
  app.inject({ method: 'POST', url: path, payload, headers: { 'content-type': 'application/json' } })

test('BEpusdt: a payer chooses, a shop asks for the state, and cancels what is not paid', async () => {
  const { id, key, url } = await connect('bepusdt')
  const other = await connect('epusdt')
  const start = url.replace(deps.config.publicUrl, '')
  const send = async (path: string, fields: Record<string, string | number>, by = key) =>
    (await askJson(start + path, JSON.stringify({ ...fields, signature: signJson(fields, by) }))).json()
  const order = () => ({ order_id: next(), amount: 10, fiat: 'CNY', notify_url: receiver.url, redirect_url: '' })
  const check = async (trade: string, path = `${start}/pay/check-status/`) => (await app.inject(path + trade)).json()
  const { data } = await send('/api/v1/order/create-order', order())
  assert.deepEqual([data.token, (await check(data.trade_id)).status], ['', 1])
  await pay(data.trade_id)
  const [callback] = await deliver()
  const body = JSON.parse(callback!.body)
  assert.ok(body.signature === signJson(body, key) && body.status === 2 && /^0x/.test(body.token), callback!.body)
  const paid = await check(data.trade_id, `${start}/api/v1/order/check-status/`)
  assert.deepEqual([paid.status_code, paid.data.status, paid.trade_hash], [200, 2, body.block_transaction_id])

  const second = (await send('/api/v1/order/create-order', order())).data.trade_id
  const cancel = (trade_id: string, by = key) => send('/api/v1/order/cancel-transaction', { trade_id }, by)
  assert.equal((await cancel(second, other.key)).status_code, 401)
  assert.equal((await cancel(data.trade_id)).status_code, 422, 'a paid order stays')
  assert.deepEqual((await cancel(second)).data, { trade_id: second })
  assert.deepEqual([(await check(second)).status, (await cancel(second)).status_code], [3, 200])
  for (const path of [`/shop/${other.id}/pay/check-status/`, '/shop/1/pay/check-status/'])
    assert.ok([401, 404].includes((await check(second, path)).status_code), path)
  assert.equal((await check('x')).status_code, 404)
  let last = 0
  for (let n = 0; n <= applicationKeyRateLimit.burst && last !== 429; n++) last = (await check('x')).status_code
  assert.equal(last, 429)
  assert.equal((await send('/api/v1/order/create-order', order())).status_code, 200, 'the shop is not held up')
  deps.pass(60)

  const shop = await connect('gmpay')
  const fields = { pid: shop.id, ...order(), currency: 'cny' }
  const payload = JSON.stringify({ ...fields, signature: signJson(fields, shop.key) })
  const made = (await askJson('/payments/gmpay/v1/order/create-transaction', payload)).json()
  assert.deepEqual([made.status_code, made.data.token], [200, ''], 'without a network the payer chooses')
  for (const before of ['', start])
    for (const number of [made.data.trade_id, '%2F%2Fevil.example']) {
      const { statusCode, headers } = await app.inject(`${before}/pay/checkout-counter/${number}`)
      assert.deepEqual([statusCode, headers.location], [302, `/pay/${number}`])
    }
  const same = await send('/payments/epusdt/v1/order/create-transaction', { ...order(), trade_type: 'usdt.erc20' })
  assert.match(same.data.token, /^0x/)
  assert.ok(id)
})

test('BEpusdt: a shop lets its payer choose, and gives the order what was chosen', async () => {
  const { key, url } = await connect('bepusdt')
  const start = url.replace(deps.config.publicUrl, '')
  const fields = { order_id: next(), amount: 19.9, fiat: 'CNY', notify_url: receiver.url, redirect_url: '' }
  const create = async (more: object, written: Record<string, string | number>) => {
    const payload = JSON.stringify({ ...fields, ...more, signature: signJson({ ...fields, ...written }, key) })
    return (await askJson(`${start}/api/v1/order/create-order`, payload)).json()
  }
  const ask = async (path: string, body: object, from = start) =>
    (await askJson(`${from}/api/v1/pay/${path}`, JSON.stringify(body))).json()
  // Go signs true as a word, PHP as 1.
  const made = await create({ reselect: true }, { reselect: 'true' })
  assert.equal((await create({ reselect: true }, { reselect: '1' })).data.trade_id, made.data.trade_id)
  assert.equal((await create({ reselect: false }, { reselect: 'true' })).status_code, 401)
  const { trade_id, network } = made.data
  assert.deepEqual([made.data.amount, made.data.fiat, made.data.status, made.data.token], ['19.9', 'CNY', 1, ''])
  const method = network.find((each: Texts) => each.currency === 'USDT' && each.network === 'bsc')
  assert.ok(Math.abs(Number(method.exchange_rate) * Number(method.actual_amount) - 19.9) < 1e-4, method.exchange_rate)
  assert.deepEqual((await ask('methods', { trade_id })).data.methods, network)
  const usdt = network.filter((each: Texts) => each.currency === 'USDT')
  assert.deepEqual((await ask('methods', { trade_id, currency: 'usdt' })).data.methods, usdt)

  const chosen = (await ask('update-order', { trade_id, currency: 'USDT', network: 'bsc' })).data
  assert.match(chosen.token, /^0x[0-9a-fA-F]{40}$/)
  assert.deepEqual([chosen.trade_type, chosen.actual_amount], ['usdt.bep20', method.actual_amount])
  assert.equal(
    (await ask('update-order', { trade_id, currency: 'ETH', network: 'ethereum' })).data.trade_type,
    'ethereum.eth',
  )
  const { address, amount } = await firstRow(owner, 'select address, amount from payments where trade_no = $1', [
    trade_id,
  ])
  await world.eth.add([{ to: address, amount: BigInt(amount) }])
  await world.eth.confirm()
  assert.equal((await deliver()).length, 1)
  assert.deepEqual((await ask('methods', { trade_id })).data.methods, [], 'nothing to choose once it is paid')
  for (const body of [
    { trade_id, currency: 'USDT', network: 'bsc' },
    { trade_id: 'x', currency: 'USDT', network: 'bsc' },
    { trade_id, currency: 'USDT', network: 'nowhere' },
    { trade_id },
  ])
    assert.ok((await ask('update-order', body)).status_code >= 400, JSON.stringify(body))
  const other = await connect('bepusdt')
  const foreign = { trade_id, currency: 'USDT', network: 'bsc' }
  assert.equal((await ask('update-order', foreign, `/shop/${other.id}`)).status_code, 404)

  fields.order_id = next()
  const named = async (currencies: string) => {
    fields.order_id = next()
    const { data } = await create({ currencies }, { currencies })
    return [...new Set(data.network.map((each: Texts) => each.currency))]
  }
  assert.deepEqual(await named('usdt'), ['USDT'])
  const others = await named('-USDT')
  assert.ok(others.length > 0 && !others.includes('USDT'))
})
