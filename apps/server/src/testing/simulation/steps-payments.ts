import assert from 'node:assert/strict'
import type { Random } from '@coffer/chains/fake/random.ts'
import { paymentStatus } from '@coffer/contract'
import { insertTicket } from '../../domains/identity/store.ts'
import { chooseAsset } from '../../domains/payments/choose-asset.ts'
import { closePayment } from '../../domains/payments/close-payment.ts'
import { createPayment } from '../../domains/payments/create-payment.ts'
import { expirePayments } from '../../domains/payments/expire-payments.ts'
import { markPayment } from '../../domains/payments/mark-payment.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { visitor } from '../merchants.ts'
import { rowsOf } from '../money.ts'
import { Killed } from './crash.ts'
import { moods } from './feeds.ts'
import { priceOf } from './siblings.ts'
import { oneOf, type Steps } from './steps.ts'
import { enoughInTime } from './truth.ts'
import type { OrderBody, Place, World } from './world.ts'

const { open, timed_out, dropped, in_doubt } = paymentStatus

/** Draws an order in USDT or a fiat currency, with or without a fixed token. Sometimes repeats the previous order. */
function someOrder(world: World, dice: Random): OrderBody {
  const { lastOrder: last } = world
  const isOffered =
    last && (!last.chain || world.accepted(world.place(last.chain)).some(each => each.symbol === last.token))
  const order = dice.chance(0.25) && isOffered ? last : newOrder(world, dice)
  world.lastOrder = { ...order, out_trade_no: `order-${++world.orders}` }
  return world.lastOrder
}

function newOrder(world: World, dice: Random): OrderBody {
  const place = oneOf(dice, world.places)
  const fixed = dice.chance(0.6)
    ? { chain: place.definition.id, token: oneOf(dice, world.accepted(place)).symbol }
    : { chain: undefined, token: undefined }
  const currency = oneOf(dice, ['USDT', 'USDT', 'EUR', 'CNY'])
  return {
    out_trade_no: '',
    amount: `${1 + dice.below(40)}${oneOf(dice, ['', '.5', '.000001', '.37'])}`,
    currency,
    ...fixed,
    subject: '',
    attach: '',
    return_url: '',
    expires_in: oneOf(dice, [300, 600, 1800]),
  }
}

/** Reports whether the order can be priced now. */
function isPriced({ feeds }: World, { currency, token }: OrderBody): boolean {
  const needed = [currency, token].filter(each => each !== undefined && each !== 'USDT')
  return needed.length === 0 || ['USDT', ...needed].every(each => feeds.isGood(priceOf(each!)))
}

function promise({ feeds, promised }: World, order: OrderBody): void {
  const rates = new Map(feeds.symbols.map(symbol => [symbol, symbol === 'USDT' ? 1 : feeds.inUsdt(symbol)]))
  promised.set(order.out_trade_no, { rates, usdt: Number(order.amount) * rates.get(order.currency)! })
}

async function create(world: World, appid: string, order: OrderBody): Promise<string | null> {
  const { merchantId } = world
  const rows = await world.turns.take(
    () => rowsOf(world.owner, 'select id from chains where halted is not null'),
    () => null,
  )
  const halted = rows.map(row => row.id)
  try {
    return (await createPayment(world.server.deps, { merchantId, appid, order })).trade_no
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.reason === 'price_unavailable') {
      assert(!isPriced(world, order), 'a quote was refused although its prices are fresh and agree')
    } else assert(order.chain !== undefined && halted.includes(order.chain), `an order was refused: ${error.reason}`)
    return null
  }
}

/** Creates an order. Asserts that it was priced by what may be used. */
async function createPriced(world: World, dice: Random, order: OrderBody): Promise<void> {
  await world.publishPrices()
  promise(world, order)
  const made = await create(world, oneOf(dice, world.appids), order)
  if (made) assert(isPriced(world, order), 'a payment was quoted by prices that are stale or disagree')
  await assertApart(world)
}

/** An order that needs the price of a symbol. */
function orderBy(world: World, dice: Random, symbol: string): OrderBody {
  const place = world.places.find(each => world.accepted(each).some(asset => asset.symbol === symbol))
  const fixed = place && symbol !== 'USDT' ? { chain: place.definition.id, token: symbol } : {}
  const currency = ['EUR', 'CNY'].includes(symbol) ? symbol : symbol === 'USDT' ? 'EUR' : 'USDT'
  return { ...newOrder(world, dice), chain: undefined, token: undefined, ...fixed, currency }
}

/** Creates an order in one token, or in the coin of the chain, at an address of its own. */
export async function createLeased(
  world: World,
  dice: Random,
  { definition }: Place = oneOf(dice, world.places),
  token = 'USDT',
): Promise<void> {
  await world.publishPrices()
  const out_trade_no = `order-${++world.orders}`
  const order = { ...newOrder(world, dice), out_trade_no, currency: 'USDT', chain: definition.id, token }
  promise(world, order)
  await create(world, world.appids[0]!, order)
}

/**
 * Asserts that no two open payments share an address, or an amount at a fixed address. One that a deep reorg put in
 * doubt after its address was leased again is open for a moment, and gets no more money there.
 */
async function assertApart({ owner }: World): Promise<void> {
  const twice = await rowsOf(
    owner,
    `select a.address, p.trade_no, q.trade_no as other from address_leases a
     join address_leases b on b.chain_kind = a.chain_kind and b.address = a.address and b.trade_no > a.trade_no
     join payments p on p.trade_no = a.trade_no join payments q on q.trade_no = b.trade_no
     where p.status in (${open}, ${dropped}) and q.status in (${open}, ${dropped}) and not exists (
       select from payment_history h where h.trade_no = p.trade_no and h.status = ${in_doubt} and h.created_at >= b.since)`,
  )
  assert.deepEqual(twice, [], 'two open payments have one address')
  const same = await rowsOf(
    owner,
    `select a.amount, a.trade_no, b.trade_no as other from address_amounts a
     join address_amounts b using (chain_kind, address, asset_id, amount)
     where a.trade_no < b.trade_no and a.since <= b.until and b.since <= a.until`,
  )
  assert.deepEqual(same, [], 'two payments at a fixed address ask for the same amount')
}

/** Expires due payments and asserts that none of them was paid in time on the canonical chain. */
export async function expire(world: World): Promise<void> {
  const before = new Set((await world.payments()).filter(each => each.status === timed_out).map(each => each.trade_no))
  let killed: Killed | null = null
  await expirePayments(world.server.deps).catch(error => {
    if (!(error instanceof Killed)) throw error
    killed = error
  })
  for (const payment of await world.payments()) {
    if (payment.status !== timed_out || before.has(payment.trade_no)) continue
    const missed = await enoughInTime(world, payment)
    assert(!missed, `payment ${payment.out_trade_no} timed out while the chain has its money in time`)
  }
  if (killed) throw killed
}

export const paymentSteps: Steps = {
  create: [8, (world, dice) => createPriced(world, dice, someOrder(world, dice))],
  'create twice at once': [
    1,
    async (world, dice) => {
      await world.publishPrices()
      const order = someOrder(world, dice)
      const appid = oneOf(dice, world.appids)
      promise(world, order)
      const both = await Promise.allSettled([create(world, appid, order), create(world, appid, order)])
      const failed = both.find(each => each.status === 'rejected')
      if (failed) throw failed.reason
      const [one, other] = both.map(each => (each as { value: string | null }).value)
      assert.equal(one, other, 'one order became two payments')
    },
  ],
  'several at once': [
    1,
    async (world, dice) => {
      await world.publishPrices()
      const orders = Array.from({ length: 3 }, () => ({
        order: someOrder(world, dice),
        appid: oneOf(dice, world.appids),
      }))
      for (const { order } of orders) promise(world, order)
      const all = await Promise.allSettled(orders.map(({ order, appid }) => create(world, appid, order)))
      const failed = all.find(each => each.status === 'rejected')
      if (failed) throw failed.reason
      await assertApart(world)
    },
  ],
  choose: [
    4,
    async (world, dice) => {
      // Current prices must not affect an existing payment.
      await world.publishPrices()
      const payments = await world.payments()
      if (payments.length === 0) return
      const { trade_no: tradeNo } = oneOf(dice, payments.slice(-6))
      const assetId = oneOf(dice, world.accepted(oneOf(dice, world.places))).id
      await chooseAsset(world.server.deps, { tradeNo, assetId })
    },
  ],
  close: [
    2,
    async (world, dice) => {
      const payments = await world.payments()
      if (payments.length === 0) return
      const { trade_no: tradeNo, appid } = oneOf(dice, payments.slice(-6))
      await closePayment(world.server.deps, { merchantId: world.merchantId, appid, tradeNo })
    },
  ],
  'read and close at once': [
    2,
    async (world, dice) => {
      const payments = await world.payments()
      if (payments.length === 0) return
      const { deps } = world.server
      const { trade_no: tradeNo, appid, chain_id } = oneOf(dice, payments.slice(-4))
      const closing = async () => {
        await closePayment(deps, { merchantId: world.merchantId, appid, tradeNo })
      }
      const following = world.server.follow(chain_id ?? world.places[0]!.definition.id)
      const results = await Promise.allSettled([closing(), following, expirePayments(deps)])
      for (const each of results) if (each.status === 'rejected' && !(each.reason instanceof Refusal)) throw each.reason
    },
  ],
  expire: [5, expire],
  mark: [
    2,
    async (world, dice) => {
      const payments = await world.payments()
      if (payments.length === 0) return
      const { deps } = world.server
      const { trade_no: tradeNo } = oneOf(dice, payments.slice(-10))
      const { merchantId } = world
      const code = `ticket ${dice.below(2 ** 31)}`
      await insertTicket(deps.pool, hashSecret(code), merchantId, 'mark-payment', deps.clock() + 300)
      const proof = { method: 'ticket', code } as const
      const as = dice.chance(0.5) ? 'paid' : 'invalid'
      await markPayment(deps, { merchantId, tradeNo, as, reason: 'by phone', proof, from: visitor })
    },
  ],
  prices: [
    2,
    async (world, dice) => {
      const { feeds } = world
      const symbol = oneOf(dice, feeds.symbols)
      const price = feeds.prices.get(symbol)! * (0.9 + 0.2 * dice.next())
      const mood = dice.chance(0.6) ? 'agree' : oneOf(dice, moods)
      feeds.set(symbol, symbol === 'USDT' ? 0.99 + 0.02 * dice.next() : price, mood)
      if (mood === 'agree') return
      await createPriced(world, dice, { ...orderBy(world, dice, symbol), out_trade_no: `order-${++world.orders}` })
    },
  ],
}
