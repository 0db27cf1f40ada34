import type { RouteData } from '@coffer/contract'
import { compareDecimals, formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'

export type PaymentDetail = RouteData<'GET /api/v1/transactions/detail'>

/** More digits than any token has. */
const digits = 30

/** The difference between amount due and amount received; null when equal or no token is chosen yet. */
export function computePaidDifference(
  requested: string,
  paid: string,
): { kind: 'missing' | 'surplus'; amount: string } | null {
  if (requested === '' || paid === '') return null
  const order = compareDecimals(paid, requested)
  if (order === 0) return null
  const [less, more] = order < 0 ? [paid, requested] : [requested, paid]
  const amount = formatDecimal((parseDecimal(more, digits) ?? 0n) - (parseDecimal(less, digits) ?? 0n), digits)
  return { kind: order < 0 ? 'missing' : 'surplus', amount }
}

/** Confirmation progress of a deposit, between 0 and 1. */
export const computeConfirmationProgress = ({
  confirmations,
  required_confirmations,
}: {
  confirmations: number
  required_confirmations: number
}): number => (required_confirmations === 0 ? 1 : Math.min(1, confirmations / required_confirmations))
