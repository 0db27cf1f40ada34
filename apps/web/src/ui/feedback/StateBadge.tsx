import { nameOf, type PaymentException, type PaymentState, paymentStatus } from '@coffer/contract/codes.ts'
import { memo } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { cx } from '../classes.ts'
import { Badge, type BadgeKind, StateText } from './Badge.tsx'

const paymentKinds: Record<PaymentState, BadgeKind> = {
  open: 'processing',
  paid: 'success',
  timed_out: 'error',
  closed: 'closed',
  refunding: 'processing',
  refunded: 'closed',
  in_doubt: 'error',
  dropped: 'error',
}

/** The label of a payment status; unknown codes of a newer server are shown as numbers. */
export function paymentText(t: Messages<'shell'>, status: number): string {
  const state = nameOf(paymentStatus, status)
  return state ? t.paymentStates[state] : `${t.unknown} ${status}`
}

export const PaymentBadge = memo(({ status }: { status: number }) => {
  const t = useMessages('shell')
  const state = nameOf(paymentStatus, status)
  return <Badge kind={state ? paymentKinds[state] : 'closed'}>{paymentText(t, status)}</Badge>
})

export function PaymentText({ status }: { status: number }) {
  const t = useMessages('shell')
  const state = nameOf(paymentStatus, status)
  return <StateText kind={state ? paymentKinds[state] : 'closed'}>{paymentText(t, status)}</StateText>
}

/** The label of a payment exception; nothing for `none`. */
export function ExceptionText({ exception, className }: { exception: PaymentException; className?: string }) {
  const t = useMessages('shell')
  return exception !== 'none' && <span className={cx('text-xs text-ink-2', className)}>{t.exceptions[exception]}</span>
}
