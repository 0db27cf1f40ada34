import type { ParsedBody } from '@coffer/contract'
import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import { leaseCallbacks } from '../../domains/callbacks/callback-lease.ts'
import { deliverCallback } from '../../domains/callbacks/deliver-callback.ts'
import { chooseAsset } from '../../domains/payments/choose-asset.ts'
import { closePayment } from '../../domains/payments/close-payment.ts'
import { createPayment } from '../../domains/payments/create-payment.ts'
import { expirePayments } from '../../domains/payments/expire-payments.ts'
import { readMerchantOrder } from '../../domains/payments/present-order.ts'
import { foldStatistics } from '../../domains/statistics/fold-statistics.ts'
import { first } from '../../kit/db.ts'
import type { SandboxInbox } from '../inbox.ts'
import type { SandboxTransfer, SandboxWallet } from '../wallet.ts'
import { makeDailyPayouts } from './make-daily-payouts.ts'
import type { PlannedOrder } from './plan.ts'
import { openChainReader } from './read-chain.ts'
import type { DemoShop } from './shop.ts'

/** An event scheduled at a time (Unix seconds). */
interface Event {
  at: number
  run: () => Promise<void>
}

const hour = 3_600
/** Hour of the day (UTC) whose last minutes have the day's payouts, and how many seconds these take. */
const payOutHour = 8
const payOutTime = 150
/** First order number of the shop. */
const firstNumber = 10_001
/** Lifetime of a payment (s). */
const expiresIn = 1_800

/**
 * Plays the planned orders hour by hour: customers order and pay on the local chains; what was paid in an hour is read
 * together, deposits credited, callbacks sent, money withdrawn. `setClock` sets the only clock. `onProgress` receives
 * the part done (0 to 1).
 * @returns the number of payments created
 */
export async function playOrders(
  deps: Deps,
  given: {
    shop: DemoShop
    inbox: SandboxInbox
    wallet: SandboxWallet
    orders: PlannedOrder[]
    from: number
    to: number
    setClock: (time: number) => void
    onProgress: (done: number) => void
  },
): Promise<number> {
  const { shop, inbox, wallet, orders, from, to, setClock, onProgress } = given
  const chains = await openChains(deps, wallet, setClock)
  setClock(from)
  await chains.confirm()

  const payOutOfDay = makeDailyPayouts(deps, { shop, inbox, setClock, confirm: chains.confirm })
  const events: Event[] = []
  const schedule = (at: number, run: Event['run']) => events.push({ at, run })
  let made = 0
  for (let start = from; start < to; start += hour) {
    const end = Math.min(start + hour, to)
    setClock(start)
    while (orders[made] && orders[made]!.at < end) {
      const order = orders[made]!
      const number = firstNumber + made
      schedule(order.at, () => place(deps, { ...chains, shop, order, number, schedule }))
      made++
    }
    const paysOut = end < to && new Date(start * 1_000).getUTCHours() === payOutHour
    // What falls into the time of the payouts happens after them, so that the books and prices are in order of time.
    const until = paysOut ? end - payOutTime : end
    await runEvents(deps, events, { from: start, until, setClock })
    await chains.read()
    if (paysOut) await payOutOfDay(Math.floor((start - from) / (24 * hour)), until)
    setClock(end)
    while ((await expirePayments(deps)) > 0);
    await deliverDue(deps, setClock, end)
    setClock(end)
    if ((start - from) % (24 * hour) === 0) {
      while (await foldStatistics(deps));
      onProgress((end - from) / (to - from))
    }
  }
  while (await foldStatistics(deps));
  await chains.bury()
  return made
}

/** Opens the local chains: what customers pay on them, and reading it. */
async function openChains(deps: Deps, wallet: SandboxWallet, setClock: (time: number) => void) {
  const chains = [...deps.chains.values()]
  const readers = await Promise.all(chains.map(chain => openChainReader(deps, chain, setClock)))
  /** When each chain last had a payment that is not read. */
  const paidAt = new Map<string, number>()
  return {
    spend: async (sent: SandboxTransfer) => {
      await wallet.spend(sent)
      paidAt.set(sent.chainId, deps.clock())
    },
    /** Reads what was paid. */
    read: async () => {
      // Sequentially, because they share the clock.
      for (const [index, { definition }] of chains.entries()) {
        const at = paidAt.get(definition.id)
        if (at === undefined) continue
        setClock(at)
        await readers[index]!.catchUp()
        paidAt.delete(definition.id)
      }
    },
    /** Confirms and reads all that the chains have. */
    confirm: async () => {
      for (const [index, { definition }] of chains.entries()) {
        await wallet.mine(definition.id, definition.confirmations - 1)
        await readers[index]!.catchUp()
        paidAt.delete(definition.id)
      }
    },
    /** Mines deeper than the server's follower looks for reorganisations. */
    bury: async () => {
      for (const { definition } of chains) await wallet.mine(definition.id, definition.confirmations)
    },
  }
}

interface Span {
  from: number
  until: number
  setClock: (time: number) => void
}

/** Runs the events due before `until` in order of time, those left from before at `from`, and those they schedule. */
async function runEvents(deps: Deps, events: Event[], { from, until, setClock }: Span): Promise<void> {
  for (;;) {
    events.sort((a, b) => a.at - b.at)
    const next = events[0]
    if (!next || next.at >= until) return
    events.shift()
    setClock(Math.max(next.at, from))
    // Each entry of the books has a price of its time, as on a server that runs.
    await deps.prices.refresh()
    await next.run()
  }
}

interface Placing {
  shop: DemoShop
  spend: (sent: SandboxTransfer) => Promise<void>
  read: () => Promise<void>
  order: PlannedOrder
  number: number
  schedule: (at: number, run: Event['run']) => void
}

/** Transfers of each outcome, in percent of the amount due; `rest` is what is still missing. */
const parts = { paid: [100], over: [105], late: [100], 'in two parts': [60, 'rest'], never: [], closed: [] } as const

async function place(deps: Deps, { shop, spend, read, order, number, schedule }: Placing): Promise<void> {
  const { id, tokens, native } = [...deps.chains.values()][order.chain]!.definition
  const token = order.native ? { ...native, contract: null } : tokens[0]!
  const { appid } = shop.applications[order.application]!
  const { merchantId } = shop.account
  await deps.prices.refresh()
  const { trade_no: tradeNo } = await createPayment(deps, { merchantId, appid, order: bodyOf(order, number) })
  const pay = async (part: number | 'rest') => {
    if (part === 'rest') await read()
    const { amount, paid_amount, address } = (await readMerchantOrder(deps.pool, '', { merchantId, tradeNo }))!
    const [due, paid] = [amount, paid_amount].map(text => parseDecimal(text, token.decimals)!) as [bigint, bigint]
    // Wallets send at most six decimal places.
    const step = 10n ** BigInt(token.decimals - 6)
    const units = part === 'rest' ? due - paid : part === 100 ? due : ((due * BigInt(part)) / 100n / step) * step
    await spend({ chainId: id, tokenContract: token.contract, to: address, amount: units })
  }
  schedule(order.at + 15, () => chooseAsset(deps, { tradeNo, assetId: `${id}:${token.symbol}` }))
  const first = order.outcome === 'late' ? order.at + expiresIn + hour : order.at + 15 + order.paysAfter
  for (const [index, part] of parts[order.outcome].entries()) schedule(first + index * hour * 0.1, () => pay(part))
  if (order.outcome === 'closed')
    schedule(order.at + 600, async () => void (await closePayment(deps, { merchantId, appid, tradeNo })))
}

const bodyOf = ({ amount, currency, subject, application }: PlannedOrder, number: number) =>
  ({
    out_trade_no: `${application === 0 ? 'AC' : 'WS'}-${number}`,
    amount,
    currency,
    subject,
    attach: '',
    return_url: '',
    expires_in: expiresIn,
  }) satisfies ParsedBody<'POST /api/v1/pay/orders'>

/** Callbacks sent concurrently. */
const batchSize = 8

const firstDue = first('demo-next-callback', 'select min(next_at) as at from callbacks where next_at < $1')

/** Sends every callback due before `end` (Unix seconds), with the clock at the time each was due. */
async function deliverDue(deps: Deps, setClock: (time: number) => void, end: number): Promise<void> {
  for (;;) {
    const due = await firstDue(deps.pool, end)
    if (!due?.at) return
    const now = due.at + 1
    setClock(now)
    const leased = await leaseCallbacks(deps.pool, {
      now,
      until: now + 60,
      limit: batchSize,
      free: {},
      perKey: batchSize,
    })
    if (leased.length === 0) return
    await Promise.all(leased.map(callback => deliverCallback(deps, callback)))
  }
}
