import { codeNameOf, type PaymentException, type PaymentState, paymentStatus } from '@coffer/contract/codes.ts'
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
export function formatPaymentStatus(t: Messages<'shell'>, status: number): string {
  const state = codeNameOf(paymentStatus, status)
  return state ? t.paymentStates[state] : `${t.unknown} ${status}`
}

export const PaymentBadge = memo(({ status }: { status: number }) => {
  const t = useMessages('shell')
  const state = codeNameOf(paymentStatus, status)
  return <Badge kind={state ? paymentKinds[state] : 'closed'}>{formatPaymentStatus(t, status)}</Badge>
})

export function PaymentStatusText({ status }: { status: number }) {
  const t = useMessages('shell')
  const state = codeNameOf(paymentStatus, status)
  return <StateText kind={state ? paymentKinds[state] : 'closed'}>{formatPaymentStatus(t, status)}</StateText>
}

/** The label of a payment exception; nothing for `none`. */
export function PaymentExceptionText({ exception, className }: { exception: PaymentException; className?: string }) {
  const t = useMessages('shell')
  return exception !== 'none' && <span className={cx('text-xs text-ink-2', className)}>{t.exceptions[exception]}</span>
}
