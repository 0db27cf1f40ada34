import { paymentStatus } from '@coffer/contract'
import type { PaymentFilter } from '@coffer/server/domains/payments/records/payment-list.ts'
import { testStart } from '@coffer/server/testing/deps.ts'
import { busyHourOf } from '@coffer/server/testing/life.ts'
import type { Records } from './data.ts'

const day = 86_400

/** The filters to measure, by name. Those by order number match one payment. */
export async function listFilters({ deps, busy, payments }: Records): Promise<[string, PaymentFilter][]> {
  const range = { start_time: testStart - 400 * day - 1_234, end_time: testStart - 40 * day + 777 }
  const app = { appid: busy.appids[1]! }
  const { start } = busyHourOf(payments)
  const sale = { start_time: start + 60, end_time: start + 3_590 }
  const { rows } = await deps.pool.query(
    'select trade_no, out_trade_no from payments where merchant_id = $1 and created_at >= $2 order by created_at limit 1',
    [busy.id, range.start_time],
  )
  const { trade_no, out_trade_no } = rows[0]
  return [
    ['no filter', {}],
    ['paid', { status: paymentStatus.paid }],
    ['a status of one payment in a thousand', { status: paymentStatus.in_doubt }],
    ['an application', app],
    ['an application, paid', { ...app, status: paymentStatus.paid }],
    ['an unaligned range of 360 days', range],
    ['range, application and status', { ...range, ...app, status: paymentStatus.timed_out }],
    ['the busiest hour', sale],
    ['the busiest hour, paid', { ...sale, status: paymentStatus.paid }],
    ['the busiest hour, an application', { ...sale, ...app }],
    ['an order number', { trade_no }],
    ["a merchant's order number", { out_trade_no }],
    ['numbers that begin with a year', { text: trade_no.slice(0, 4) }],
    ['numbers that begin with a day', { text: trade_no.slice(0, 8) }],
  ]
}

export const places = ['first', 'deepest', 'any'] as const

/** Returns a page number (from 0) of a list of `total` rows. */
export function pageAt(place: (typeof places)[number], total: number, size: number): number {
  const pages = Math.max(1, Math.ceil(total / size))
  return { first: 0, deepest: pages - 1, any: Math.floor(Math.random() * pages) }[place]
}
