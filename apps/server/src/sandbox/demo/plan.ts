/** Outcome of a planned payment. */
export type PlannedOutcome = 'paid' | 'in two parts' | 'over' | 'late' | 'never' | 'closed'

/** One order of the demo shop. Times are Unix seconds. */
export interface PlannedOrder {
  at: number
  /** Index of the application, 0 or 1. */
  application: number
  currency: 'EUR' | 'USD' | 'USDT'
  amount: string
  subject: string
  /** Index of the sandbox's chain, 0 or 1. */
  chain: number
  /** Whether it is paid in the chain's coin instead of USDT. */
  native: boolean
  /** Seconds between the order and its first payment. */
  paysAfter: number
  outcome: PlannedOutcome
}

const day = 86_400
const goods = [
  ['Ceramic pour-over set', 38],
  ['Single-origin beans, 1 kg', 29],
  ['Linen apron', 45],
  ['Electric kettle, gooseneck', 119],
  ['Hand grinder', 164],
  ['Barista course, one day', 240],
  ['Filter papers, 400', 14],
  ['Gift card', 50],
  ['Espresso machine', 890],
  ['Subscription, three months', 87],
] as const

/** Plans the orders of a growing shop that is quiet at night and busy before the weekend. Deterministic for a seed. */
export function planOrders(from: number, to: number, seed: number): PlannedOrder[] {
  const random = seeded(seed)
  const orders: PlannedOrder[] = []
  for (let hour = Math.ceil(from / 3600) * 3600; hour < to; hour += 3600) {
    const expected = 1.6 * growth((hour - from) / day) * weekday(hour) * timeOfDay(hour)
    for (let n = poisson(expected, random); n > 0; n--) orders.push(order(hour + Math.floor(random() * 3600), random))
  }
  return orders.sort((a, b) => a.at - b.at).filter(each => each.at < to)
}

function order(at: number, random: () => number): PlannedOrder {
  const application = random() < 0.7 ? 0 : 1
  const [subject, price] = goods[Math.floor(random() ** 1.6 * goods.length)] ?? goods[0]
  const pieces = random() < 0.8 ? 1 : 2
  const cents = Math.round(price * pieces * 100 + (random() < 0.5 ? 490 : 0))
  return {
    at,
    application,
    currency: application === 1 ? 'USDT' : random() < 0.75 ? 'EUR' : 'USD',
    amount: (cents / 100).toFixed(2),
    subject,
    chain: random() < 0.58 ? 0 : 1,
    paysAfter: 40 + Math.floor(random() ** 2 * 900),
    outcome: pick(random()),
    native: random() < 0.22,
  }
}

function pick(dice: number): PlannedOutcome {
  if (dice < 0.83) return 'paid'
  if (dice < 0.86) return 'in two parts'
  if (dice < 0.875) return 'over'
  if (dice < 0.89) return 'late'
  if (dice < 0.91) return 'closed'
  return 'never'
}

const growth = (days: number) => 0.6 + Math.min(days, 120) / 100
const weekday = (at: number) => [0.8, 0.9, 0.95, 1, 1.15, 1.35, 1.1][new Date(at * 1000).getUTCDay()] ?? 1
const timeOfDay = (at: number) => {
  const hour = new Date(at * 1000).getUTCHours()
  return hour < 5 ? 0.15 : hour < 8 ? 0.6 : hour < 21 ? 1.4 : 0.7
}

/** A Poisson random number by Knuth's method, for small means. */
function poisson(mean: number, random: () => number): number {
  const limit = Math.exp(-mean)
  let n = 0
  for (let product = random(); product > limit; product *= random()) n++
  return n
}

/** The mulberry32 generator. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
