import type { Data } from '@coffer/contract'
import { nameOf, type WithdrawalState, withdrawalStatus } from '@coffer/contract/codes.ts'
import { mask } from '@coffer/contract/validators.ts'
import type { Messages } from '../../i18n/areas.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { DayAndClock, TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, CopyText } from '../../ui/data/Values.tsx'
import { Badge, type BadgeKind } from '../../ui/feedback/Badge.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'

export type Refund = Data<'GET /api/v1/transactions/refund-list'>['list'][number]

const kinds: Record<WithdrawalState, BadgeKind> = {
  auditing: 'processing',
  audit_rejected: 'error',
  transferring: 'processing',
  confirming: 'processing',
  accomplished: 'success',
  canceled: 'closed',
  abnormal: 'error',
}

export const refundColumns = (
  t: Messages<'refunds'>,
  { onCancel, busy }: { onCancel(refund: Refund): void; busy: boolean },
): Column<Refund>[] => [
  {
    key: 'order',
    title: t.order,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={
          <Link to="/record" search={{ trade_no: row.trade_no }} title={row.trade_no}>
            {row.out_trade_no}
          </Link>
        }
        second={<span title={row.trade_no}>{mask(row.trade_no)}</span>}
      />
    ),
  },
  {
    key: 'status',
    phone: 'note',
    title: t.status,
    cell: row => {
      const state = nameOf(withdrawalStatus, row.status)
      return <Badge kind={state ? kinds[state] : 'closed'}>{state ? t.states[state] : row.status}</Badge>
    },
  },
  {
    key: 'token',
    title: t.token,
    cell: row => (
      <span className="inline-flex items-center gap-2.5 align-middle whitespace-nowrap">
        <TokenLogo token={row.token} size={20} />
        <span>
          <TwoLines first={row.token} second={row.chain} />
        </span>
      </span>
    ),
  },
  {
    key: 'receives',
    phone: 'value',
    title: t.receives,
    align: 'end',
    amount: row => ({ value: row.receives }),
    cell: row => <Amount column value={row.receives} className="font-medium" />,
  },
  {
    key: 'total',
    title: t.taken,
    align: 'end',
    amount: row => ({ value: row.total }),
    cell: row => <Amount column value={row.total} />,
  },
  {
    key: 'address',
    title: `${t.address} / ${t.txid}`,
    cell: row => (
      <TwoLines
        first={<CopyText value={row.address} label={t.address} />}
        second={<CopyText value={row.txid} label={t.txid} />}
      />
    ),
  },
  {
    key: 'reason',
    title: t.reason,
    className: 'max-w-60',
    cell: row => {
      const failure = t.failures[row.failure] ?? row.failure
      return row.reason && failure ? <TwoLines first={row.reason} second={failure} /> : row.reason || failure
    },
  },
  { key: 'time', title: t.time, cell: row => <DayAndClock seconds={row.created_time} /> },
  {
    key: 'actions',
    title: <span className="sr-only">{t.actions}</span>,
    sticky: 'end',
    align: 'end',
    cell: row =>
      row.can_cancel && (
        <Button size="small" busy={busy} aria-label={t.cancelNamed(row.out_trade_no)} onClick={() => onCancel(row)}>
          {t.cancel}
        </Button>
      ),
  },
]
