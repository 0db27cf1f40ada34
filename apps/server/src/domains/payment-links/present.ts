import { isPayableStatus, type RouteData } from '@coffer/contract'
import type { PaymentLinkState } from '@coffer/contract/payment-links/routes.ts'
import type { LinkRow } from './store.ts'

/** Whether the last payment of a link can still be paid, or has received money. */
export const isLinkTaken = ({ status, paid_amount, pending_amount }: LinkRow): boolean =>
  status !== null && (isPayableStatus(status) || paid_amount !== 0n || pending_amount !== 0n)

/** `now` is in Unix seconds. */
export function computeLinkState(row: LinkRow, now: number): PaymentLinkState {
  if (row.once && isLinkTaken(row) && !isPayableStatus(row.status!)) return 'used'
  if (row.disabled_at !== null) return 'disabled'
  if (row.expires_at !== 0 && row.expires_at <= now) return 'expired'
  return row.active ? 'open' : 'unavailable'
}

/** A link as its merchant sees it. `paid` is the number of its paid payments. */
export const presentLink = (
  row: LinkRow,
  publicUrl: string,
  paid: number,
  now: number,
): RouteData<'POST /api/v1/payment-link'> => ({
  id: row.id,
  url: new URL(`/l/${row.token}`, publicUrl).href,
  title: row.title,
  appid: row.appid,
  apply_name: row.name,
  currency: row.currency,
  amount: row.amount,
  min_amount: row.min_amount,
  max_amount: row.max_amount,
  once: row.once,
  state: computeLinkState(row, now),
  paid,
  expire_time: row.expires_at,
  created_time: row.created_at,
})
