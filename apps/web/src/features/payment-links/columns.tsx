import type { RouteData } from '@coffer/contract'
import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import type { PaymentLinkState } from '@coffer/contract/payment-links/routes.ts'
import type { Messages } from '../../i18n/areas.ts'
import { language } from '../../i18n/language.ts'
import { timeColumn } from '../../kit/list/columns.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Badge, type BadgeKind } from '../../ui/feedback/Badge.tsx'

export type PaymentLink = RouteData<'GET /api/v1/payment-link'>['list'][number]

const kinds: Record<PaymentLinkState, BadgeKind> = {
  open: 'success',
  used: 'closed',
  expired: 'closed',
  disabled: 'closed',
  unavailable: 'error',
}

export const LinkBadge = ({ t, state }: { t: Messages<'payment-links'>; state: PaymentLinkState }) => (
  <Badge kind={kinds[state]}>{t.states[state]}</Badge>
)

/** What a link asks for, in words. */
export function formatRequestedAmount(
  t: Messages<'payment-links'>,
  { amount, min_amount, max_amount, currency }: PaymentLink,
): string {
  const exact = (value: string) => `${formatExactAmount(value, language.get())} ${currency}`
  if (amount) return exact(amount)
  if (min_amount && max_amount) return t.between(formatExactAmount(min_amount, language.get()), exact(max_amount))
  return min_amount
    ? t.atLeast(exact(min_amount))
    : max_amount
      ? t.atMost(exact(max_amount))
      : `${t.open} · ${currency}`
}

export const paymentLinkColumns = (
  t: Messages<'payment-links'>,
  open: (link: PaymentLink) => void,
): Column<PaymentLink>[] => [
  {
    title: t.name,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={
          <button type="button" className="max-w-64 truncate font-medium" title={row.title} onClick={() => open(row)}>
            {row.title}
          </button>
        }
        second={row.apply_name}
      />
    ),
  },
  {
    phone: 'value',
    title: t.amount,
    cell: row => <span className="num whitespace-nowrap">{formatRequestedAmount(t, row)}</span>,
  },
  { title: t.kind, cell: row => (row.once ? t.kinds.one : t.kinds.many) },
  { title: t.paid, align: 'end', cell: row => t.paidTimes(row.paid) },
  { phone: 'note', title: t.state, cell: row => <LinkBadge t={t} state={row.state} /> },
  timeColumn(t.time, row => row.created_time, { sticky: 'end' }),
]
