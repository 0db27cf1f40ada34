import { setTimeout as sleep } from 'node:timers/promises'
import { parseDecimal } from '@coffer/contract'
import { type Coffer, CofferError, errorCodes, type Order } from '@coffer/sdk'
import type { PayersChain } from './payer.ts'

/** How a payment is paid. `closed` is paid after the merchant has closed it. */
type Way = 'once' | 'in parts' | 'twice' | 'closed'

/** A payment with the total that the payer sends, despite reorgs. */
export interface Planned {
  tradeNo: string
  address: string
  on: TokenOn
  way: Way
  total: bigint
}

export interface TokenOn {
  chain: PayersChain
  decimals: number
}

/**
 * Creates the payment number `index`, retrying with the same idempotency key, and pays it. A share of them is called
 * `again` after the answer.
 */
export async function createAndPay(
  coffer: Coffer,
  tokens: TokenOn[],
  index: number,
  { random, again: share }: { random: () => number; again: number },
): Promise<Planned> {
  const token = tokens[Math.floor(random() * tokens.length)] as TokenOn
  const roll = random()
  const way: Way = roll < 0.8 ? 'once' : roll < 0.9 ? 'in parts' : roll < 0.95 ? 'twice' : 'closed'
  const order = {
    out_trade_no: `torture-${index}`,
    amount: (1 + Math.floor(random() * 9_000_000) / 1e6).toFixed(6),
    currency: 'USDT',
    chain: token.chain.id,
    token: 'USDT',
    expires_in: 86_400,
  }
  const made = await untilAnswered(() => coffer.createOrder(order, { idempotencyKey: `create-${index}` }))
  // A retry after the answer must give the same payment.
  if (random() < share) {
    const again = await untilAnswered(() => coffer.createOrder(order, { idempotencyKey: `create-${index}` }))
    if (again.trade_no !== made.trade_no)
      throw new Error(`payment ${index} was created twice, as ${made.trade_no} and ${again.trade_no}`)
  }
  if (way === 'closed') await closeIfOpen(coffer, made)
  const due = parseDecimal(made.amount, token.decimals)
  if (!due) throw new Error(`the amount of payment ${index} is ${made.amount}`)
  const parts = way === 'in parts' ? [due / 3n, due - due / 3n] : way === 'twice' ? [due, due] : [due]
  for (const part of parts) {
    await token.chain.send(made.address, part)
    if (parts.length > 1) await sleep(random() * 3_000)
  }
  const total = parts.reduce((sum, part) => sum + part, 0n)
  return { tradeNo: made.trade_no, address: made.address.toLowerCase(), on: token, way, total }
}

async function closeIfOpen(coffer: Coffer, { trade_no }: Order): Promise<void> {
  await untilAnswered(() => coffer.closeOrder(trade_no, { idempotencyKey: `close-${trade_no}` }))
}

export const retryStatuses = new Set([0, 408, 409, 429, 500, 502, 503, 504])

/** After a start no addresses are available until the chain has been read. */
const isUnread = (error: CofferError) => error.code === errorCodes.chain_unavailable

/** How long there may be no answer (ms). */
const patienceMs = 180_000

/** Retries while there is no answer or a temporary error. */
export async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + patienceMs; ; ) {
    try {
      return await ask()
    } catch (error) {
      const isTemporary = error instanceof CofferError && (retryStatuses.has(error.status) || isUnread(error))
      if (!isTemporary || performance.now() > end) throw error
      await sleep(500)
    }
  }
}

/** Sends transfers again that reorgs have dropped. Returns whether there were any. */
export async function resendLost(planned: Planned[]): Promise<boolean> {
  let missing = false
  for (const chain of new Set(planned.map(each => each.on.chain))) {
    const there = new Map<string, bigint>()
    for (const { to, amount } of await chain.transfers()) there.set(to, (there.get(to) ?? 0n) + amount)
    for (const { address, total } of planned.filter(each => each.on.chain === chain)) {
      const rest = total - (there.get(address) ?? 0n)
      if (rest <= 0n) continue
      missing = true
      await chain.send(address, rest)
    }
  }
  return missing
}
