import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import { paymentStatus } from '@coffer/sdk'
import { call, newShop, pay } from './merchants.ts'
import { paidCallbacks, withReceiver } from './receiver.ts'
import { withSandbox } from './sandbox.ts'

test('pays and credits once when killed between deposit and confirmation', async t => {
  const sandbox = await withSandbox(t, { COFFER_SANDBOX_MINE: 'manual' })
  const receiver = await withReceiver(t)
  const shop = await newShop(sandbox.url, 'Florist', receiver.url)
  const order = await shop.coffer.createOrder({
    out_trade_no: 'roses-1',
    amount: '40',
    currency: 'USDT',
    chain: 'eth',
    token: 'USDT',
  })
  await pay(sandbox.url, order.trade_no)
  await until('the deposit is seen', async () => (await shop.coffer.getOrder(order.trade_no)).deposits.length)

  await sandbox.end('SIGKILL')
  await sandbox.startAgain()
  await call(sandbox.url, '/sandbox/mine', { blocks: 12 })

  const paid = await until(
    'the payment is paid',
    () => shop.coffer.getOrder(order.trade_no),
    ({ status }) => status === paymentStatus.paid,
  )
  assert.equal(paid.paid_amount, '40')
  assert.equal(paid.deposits.length, 1)
  assert.equal(paid.deposits[0]?.state, 'credited')
  const { list } = await shop.coffer.balances()
  assert.deepEqual(
    list.filter(({ available }) => available !== '0').map(({ chain, available }) => ({ chain, available })),
    [{ chain: 'Ethereum', available: '39.84' }],
  )
  const events = await paidCallbacks(receiver.received, shop.webhookSecret, order.trade_no)
  assert.equal(new Set(events.map(event => event.id)).size, 1)
})
