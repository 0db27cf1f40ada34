import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { answerError } from '../http/errors.ts'
import { eth, moneyWorld } from '../testing/money.ts'
import { makeInbox } from './inbox.ts'
import { mountPage } from './page.ts'
import { mountWallet, type Spend } from './wallet.ts'

test('lists unpaid orders with the subject, network and token their payer sees', async t => {
  const { deps, pay } = await moneyWorld(t)
  const app = fastify()
  t.after(() => app.close())
  mountPage(app, deps, makeInbox())
  await pay({ amount: '3', chain: undefined, token: undefined })
  const { trade_no } = await pay({ amount: '10', subject: 'Bread' })
  const { data } = (await app.inject({ url: '/sandbox/payments' })).json()
  const row = { trade_no, subject: 'Bread', chain: eth.name, token: 'USDT', amount: '10' }
  assert.deepEqual(data, { list: [row], total: 1 })
})

test('pays an order once its token is chosen, and says so before', async t => {
  const { deps, pay } = await moneyWorld(t)
  const spent: Spend[] = []
  const app = fastify()
  t.after(() => app.close())
  app.setErrorHandler(answerError)
  mountWallet(app, deps, {
    spend: async spend => ({ txid: `0x${spent.push(spend)}` }),
    mine: async () => {},
    reorg: async () => {},
    chainIds: [],
  })
  const send = async (trade_no: string) =>
    (await app.inject({ method: 'POST', url: '/sandbox/pay', payload: { trade_no } })).json()
  const open = await pay({ amount: '10', chain: undefined, token: undefined })
  const { code, msg } = await send(open.trade_no)
  assert.deepEqual([code, msg], [10079, 'Choose a network and a token first'])
  const chosen = await pay({ amount: '10' })
  assert.deepEqual(await send(chosen.trade_no), { code: 200, data: { txid: '0x1' } })
  assert.deepEqual(
    spent.map(({ chainId, amount }) => [chainId, amount]),
    [[chosen.chain_id, 10_000_000n]],
  )
})
