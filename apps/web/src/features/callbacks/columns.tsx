import { mask } from '@coffer/contract/kit/texts.ts'
import type { Messages } from '../../i18n/areas.ts'
import { type Callback, formatAttemptResult } from '../../kit/callbacks/looks.ts'
import { amountColumn, TruncatedText } from '../../kit/list/columns.tsx'
import { IconButton } from '../../ui/controls/Button.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { NoValue, Time } from '../../ui/data/Values.tsx'
import { CallbackBadge } from '../../ui/feedback/CallbackBadge.tsx'

interface RowActions {
  onOpen(id: string): void
  onResend(id: string): void
  busyId: string | null
}

/** What was sold, or the number of the merchant's order. */
const nameOf = (row: Callback): string => row.title || row.out_trade_no

export const callbackColumns = (
  t: Messages<'callbacks'>,
  { onOpen, onResend, busyId }: RowActions,
): Column<Callback>[] => [
  {
    title: t.event,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={<OpenButton name={t.events[row.event] ?? row.event} onOpen={() => onOpen(row.id)} />}
        second={<span className="font-mono">{row.event}</span>}
      />
    ),
  },
  {
    title: t.time,
    cell: row => <TwoLines first={<Time seconds={row.time} />} second={t.types[row.type] ?? row.type} />,
  },
  { phone: 'value', title: t.status, cell: row => <CallbackBadge status={row.status} /> },
  {
    title: t.result,
    cell: row => (
      <TwoLines
        first={
          <span className="whitespace-nowrap">
            {row.result === '' ? t.notTried : formatAttemptResult(row.result, t)}
          </span>
        }
        second={<span className="num whitespace-nowrap">{t.tries(row.attempts)}</span>}
      />
    ),
  },
  {
    phone: 'text',
    title: t.order,
    phoneCell: row => nameOf(row) || (row.trade_no === '' ? <NoValue /> : mask(row.trade_no)),
    cell: row => <Order callback={row} label={t.orderNumber} />,
  },
  amountColumn(t.amount, row => ({ value: row.token && row.amount, unit: row.token })),
  {
    title: t.application,
    isWide: true,
    cell: row => (
      <TwoLines
        first={<TruncatedText width="max-w-44">{row.apply_name}</TruncatedText>}
        second={<TruncatedText width="max-w-44">{row.address}</TruncatedText>}
      />
    ),
  },
  {
    title: <span className="sr-only">{t.resend}</span>,
    isActions: true,
    sticky: 'end',
    align: 'end',
    cell: row => (
      <IconButton
        call="POST /api/v1/callback/resend"
        icon="refresh"
        label={t.resendNamed(row.event)}
        disabled={busyId === row.id}
        onClick={() => onResend(row.id)}
      />
    ),
  },
]

const OpenButton = ({ name, onOpen }: { name: string; onOpen(): void }) => (
  <button
    type="button"
    onClick={onOpen}
    className="rounded-sm font-medium whitespace-nowrap text-accent-text hover:underline"
  >
    {name}
  </button>
)

function Order({ callback, label }: { callback: Callback; label: string }) {
  if (callback.trade_no === '') return <NoValue />
  const number = <CopyText value={callback.trade_no} label={label} />
  const name = nameOf(callback)
  return name === '' ? (
    number
  ) : (
    <TwoLines first={<TruncatedText width="max-w-40">{name}</TruncatedText>} second={number} />
  )
}
