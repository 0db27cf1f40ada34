import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { paymentStatus } from '@coffer/contract'
import { until } from '@coffer/local/testing/until.ts'
import { catchUp } from '../../testing/followed.ts'
import { testApplication } from '../../testing/merchants.ts'
import { payments } from '../../testing/money.ts'
import { CONFIRMATIONS, payoutWorld, tronPayoutWorld } from '../../testing/payout-world.ts'
import { merchantById } from '../merchants/store.ts'
import { readMerchantPayment } from '../payments/store.ts'
import { checkRefund, quoteRefund } from './eligibility.ts'

const nodes = 3
const liar = 'ab'.repeat(20)

/**
 * A chain whose blocks cannot be verified, and what has its first node report the liar as sender of all that the payer
 * sent.
 */
const worlds = {
  'without roots': async (t: TestContext) => {
    const w = await payoutWorld(t, { nodes, roots: false })
    const lie = (told: (answer: unknown) => unknown) => {
      w.proxies[0]!.intercept = async ({ method, params }, ask) => ({ result: told(await ask(method, ...params)) })
    }
    return { w, lie }
  },
  TRON: async (t: TestContext) => {
    const w = await tronPayoutWorld(t, { nodes })
    const lie = (told: (answer: unknown) => unknown) => {
      w.proxies[0]!.alter = (_, answer) => told(answer)
    }
    return { w, lie }
  },
}

for (const [name, open] of Object.entries(worlds))
  test(`${name}: a sender that most nodes deny exempts no refund from the merchant’s rule`, async t => {
    const { w, lie } = await open(t)
    const { deps, merchant, definition } = w
    const payer = w.payer.slice(2).toLowerCase()
    const told = (answer: unknown) =>
      answer === undefined ? answer : JSON.parse(JSON.stringify(answer).replaceAll(payer, liar))
    lie(told)
    deps.pass(Math.max(0, (await w.chain.head()).time - deps.clock()))
    const { appid } = await testApplication(deps, merchant.id, { notify_url: 'https://shop.example/notify' })
    const create = payments(deps, { merchantId: merchant.id, appid })
    const order = await create({ chain: definition.id, token: 'USDT', amount: '100' })
    const to = chainAdapters[definition.kind].address.parse(order.address)!
    await w.mine()
    await w.pay([[{ token: w.token, to, amount: 100_000_000n }]])
    await w.mine(CONFIRMATIONS)
    await deps.owner.query(
      `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, 'x', $2, 0, 0)`,
      [merchant.id, JSON.stringify([{ kind: 'destination', cool_down: 0 }])],
    )
    // A node that was the first to answer may have been behind.
    const read = () => catchUp(deps, w.chain).then(() => readMerchantPayment(deps.pool, merchant.id, order.trade_no))
    const payment = (await until('the payment is paid', read, each => each?.status === paymentStatus.paid))!
    const quote = await quoteRefund(deps, payment)
    const owned = (await merchantById(deps.pool, merchant.id))!
    const request = { kind: 'all', basis: 'token', gasPayer: 'payer' } as const
    // The balance has nothing for the gas beside the amount.
    const of = { merchant: owned, payment, request, quote, personId: owned.id, fromBalance: false }
    const refusedTo = async (to: string) =>
      (await checkRefund(deps, deps.pool, { ...of, to: `0x${to}` })).refusal?.reason
    assert.deepEqual([await refusedTo(liar), await refusedTo(payer)], ['policy_refused', undefined])
  })
