import { paymentStatus } from '@coffer/contract'
import type { PaymentFilter } from '@coffer/server/domains/payments/payment-list.ts'
import { testStart } from '@coffer/server/testing/deps.ts'
import type { Records } from './data.ts'

const day = 86_400

/** The filters that pages are measured with, by name. Those by a number find one payment. */
export async function listFilters({ deps, busy }: Records): Promise<[string, PaymentFilter][]> {
  const range = { start_time: testStart - 400 * day - 1_234, end_time: testStart - 40 * day + 777 }
  const app = { appid: busy.appids[1]! }
  const { rows } = await deps.pool.query(
    'select trade_no, out_trade_no from payments where merchant_id = $1 and created_at >= $2 order by created_at limit 1',
    [busy.id, range.start_time],
  )
  const { trade_no, out_trade_no } = rows[0]
  return [
    ['no filter', {}],
    ['paid', { status: paymentStatus.paid }],
    ['one status in a thousand', { status: paymentStatus.dropped }],
    ['an application', app],
    ['an application, paid', { ...app, status: paymentStatus.paid }],
    ['an odd range of 360 days', range],
    ['range, application and status', { ...range, ...app, status: paymentStatus.timed_out }],
    ['a trade number', { trade_no }],
    ["the merchant's trade number", { out_trade_no }],
  ]
}

export const places = ['first', 'deepest', 'any'] as const

/** A page (from 0) of a list of `total` rows. */
export function pageAt(place: (typeof places)[number], total: number, size: number): number {
  const pages = Math.max(1, Math.ceil(total / size))
  return { first: 0, deepest: pages - 1, any: Math.floor(Math.random() * pages) }[place]
}
