import type { Messages } from '../../i18n/areas.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, CopyText, None, Time } from '../../ui/data/Values.tsx'
import { CallbackBadge } from '../../ui/feedback/StateBadge.tsx'
import { type Callback, resultText } from './looks.ts'

interface RowActions {
  onOpen(id: string): void
  onResend(id: string): void
  busyId: string | null
}

export const callbackColumns = (
  t: Messages<'callbacks'>,
  { onOpen, onResend, busyId }: RowActions,
): Column<Callback>[] => [
  {
    key: 'event',
    title: t.event,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={
          <button
            type="button"
            onClick={() => onOpen(row.id)}
            className="rounded-sm font-medium whitespace-nowrap text-accent-text hover:underline"
          >
            {t.events[row.event] ?? row.event}
          </button>
        }
        second={<span className="font-mono">{row.event}</span>}
      />
    ),
  },
  {
    key: 'time',
    phone: 'note',
    title: t.time,
    cell: row => <TwoLines first={<Time seconds={row.time} />} second={t.types[row.type] ?? row.type} />,
  },
  {
    key: 'status',
    phone: 'value',
    title: t.status,
    cell: row => <CallbackBadge status={row.status} />,
  },
  {
    key: 'result',
    title: t.result,
    cell: row => (
      <TwoLines
        first={<span className="whitespace-nowrap">{row.result === '' ? t.notTried : resultText(row.result, t)}</span>}
        second={<span className="num whitespace-nowrap">{t.tries(row.attempts)}</span>}
      />
    ),
  },
  {
    key: 'order',
    title: t.order,
    cell: row =>
      row.trade_no === '' ? (
        <None />
      ) : (
        <TwoLines
          first={<CopyText value={row.trade_no} label={t.orderNumber} />}
          second={
            <span title={row.out_trade_no} className="block max-w-40 truncate">
              {row.out_trade_no}
            </span>
          }
        />
      ),
  },
  {
    key: 'amount',
    title: t.amount,
    align: 'end',
    amount: row => ({ value: row.token && row.amount, unit: row.token }),
    cell: row => (row.token === '' ? <None /> : <Amount column value={row.amount} unit={row.token} />),
  },
  {
    key: 'application',
    title: t.application,
    cell: row => (
      <TwoLines
        first={
          <span title={row.apply_name} className="block max-w-44 truncate">
            {row.apply_name}
          </span>
        }
        second={
          <span title={row.address} className="block max-w-44 truncate">
            {row.address}
          </span>
        }
      />
    ),
  },
  {
    key: 'actions',
    title: <span className="sr-only">{t.resend}</span>,
    sticky: 'end',
    align: 'end',
    cell: row => (
      <IconButton
        icon="send"
        label={t.resendNamed(row.event)}
        disabled={busyId === row.id}
        onClick={() => onResend(row.id)}
      />
    ),
  },
]
