import type { CheckoutStage } from '@coffer/contract/payments/stage.ts'
import type { CheckoutMessages } from './checkout-messages.ts'
import type { Checkout } from './follow.ts'

/** Formats seconds as m:ss, or h:mm:ss from one hour; never negative. */
export function formatTimeLeft(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds))
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(left / 3600)
  const minutes = Math.floor(left / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`
}

type Deposit = Checkout['deposits'][number]

/**
 * Whether a deposit counts for a payment: the chosen token does on every network, others only where the merchant takes
 * them.
 */
export const isCountedDeposit = (
  { token, accepted }: Pick<Deposit, 'token' | 'accepted'>,
  chosen: Checkout['chosen'],
): boolean => accepted && (token === chosen?.token || Boolean(chosen?.counted.length))

/** Whether an operator has not decided yet about a token that is not accepted. */
const isUndecided = ({ state, accepted }: Deposit) => state === 'seen' && !accepted

/**
 * The deposits that do not count for the payment: those in time, and of late ones those that are not the merchant's.
 */
export const selectUncountedDeposits = ({ deposits, chosen }: Checkout) =>
  deposits.filter(
    each =>
      ['seen', 'credited'].includes(each.state) &&
      !isCountedDeposit(each, chosen) &&
      (!each.late || each.returned !== 'no' || isUndecided(each)),
  )

/** Deposits in tokens that are not accepted, of which an operator decides. */
export const selectUndecidedDeposits = ({ deposits }: Pick<Checkout, 'deposits'>) => deposits.filter(isUndecided)

/** Deposits that go back to their senders, or have gone. */
export const selectReturnedDeposits = ({ deposits }: Pick<Checkout, 'deposits'>) =>
  deposits.filter(each => each.returned !== 'no')

/** Whether something arrived about which the payer may ask the merchant: what goes back needs nobody. */
export const shouldContactMerchant = (view: Checkout) =>
  selectUncountedDeposits(view).some(each => each.returned === 'no')

/** Deposits that came too late for the payment, and are or will be the merchant's. */
export const selectLateDeposits = ({ deposits }: Pick<Checkout, 'deposits'>) =>
  deposits.filter(each => each.late && each.state !== 'dropped' && each.returned === 'no' && !isUndecided(each))

/** Which text says what became of a payment: one of a stage, or of what came or was decided meanwhile. */
export function chooseOutcomeText(
  stage: CheckoutStage,
  view: Pick<Checkout, 'exception' | 'deposits'>,
): keyof CheckoutMessages['texts'] | null {
  const { exception } = view
  if (stage === 'timed_out' && (exception === 'late' || selectLateDeposits(view).length > 0)) return 'timed_out_late'
  if (stage === 'timed_out' && exception === 'partial') return 'timed_out_partial'
  if (stage === 'paid' && exception === 'marked_paid') return 'marked_paid'
  if (stage === 'closed' && exception === 'marked_invalid') return 'marked_invalid'
  return stage === 'choose' || stage === 'wait' || stage === 'partial' ? null : stage
}

/**
 * Where the outcome leads: to the shop after a payment, else to its cancel URL, if it has one. `auto`: the page goes
 * there by itself, unless it has something to show the payer.
 */
export function resolveReturnLink(view: Checkout, stage: CheckoutStage): { url: string; auto: boolean } | null {
  const { return_url, cancel_url, auto_redirect, chosen } = view
  if (stage === 'confirm') return null
  const unpaid = stage === 'closed' || stage === 'timed_out'
  const url = (unpaid && cancel_url) || return_url
  const quiet =
    (chosen?.surplus ?? '0') === '0' &&
    selectLateDeposits(view).length === 0 &&
    selectUncountedDeposits(view).length === 0
  return url ? { url, auto: auto_redirect && quiet && (stage === 'paid' || stage === 'closed') } : null
}

/**
 * The host to which a URL leads, as it is shown to the payer. Our page that leads back to a shop names that of the
 * shop.
 */
export function formatUrlHost(url: string, own: string | undefined = globalThis.location?.origin): string {
  const { host, origin, pathname, searchParams } = new URL(url)
  return (origin === own && pathname === '/shop-return' && searchParams.get('host')) || host
}
