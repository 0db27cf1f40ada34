import type { DepositState } from '@coffer/contract/codes.ts'
import type { Data } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { OutsideLink } from '../../ui/controls/Link.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { DayAndClock, TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, CopyText, None } from '../../ui/data/Values.tsx'
import { Badge, type BadgeKind } from '../../ui/feedback/Badge.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'

type Recharge = Data<'GET /api/v1/account/recharge'>['list'][number]

const looks: Record<DepositState, BadgeKind> = {
  seen: 'processing',
  credited: 'success',
  dropped: 'error',
  undone: 'error',
}

export const useStates = (): Record<DepositState, string> => useMessages('ledger').depositStates

export const rechargeColumns = (t: Messages<'ledger'>, states: Record<DepositState, string>): Column<Recharge>[] => [
  {
    key: 'amount',
    title: t.amount,
    sticky: 'start',
    align: 'end',
    amount: row => ({ value: row.amount, unit: row.token }),
    cell: row => (
      <TwoLines
        end
        first={
          <span className="inline-flex items-center gap-1.5">
            <TokenLogo token={row.token} size={16} />
            <Amount column value={row.amount} unit={row.token} className="font-medium" />
          </span>
        }
        second={row.chain}
      />
    ),
  },
  {
    key: 'status',
    phone: 'value',
    title: t.status,
    cell: row => (
      <TwoLines
        first={<Badge kind={looks[row.state]}>{states[row.state]}</Badge>}
        second={row.state === 'seen' ? t.confirmedOf(row.confirmations, row.required_confirmations) : null}
      />
    ),
  },
  { key: 'time', phone: 'note', title: t.time, cell: row => <DayAndClock seconds={row.seen_time} /> },
  {
    key: 'address',
    title: t.addressOrLabel,
    cell: row => (
      <TwoLines
        first={<CopyText value={row.to_address} label={t.address} />}
        second={
          <span className="block max-w-48 truncate">
            {[row.apply_name, row.label || row.reference].filter(Boolean).join(' · ') || t.own}
          </span>
        }
      />
    ),
  },
  {
    key: 'sender',
    title: t.sender,
    cell: row => (row.from_address === '' ? <None /> : <CopyText value={row.from_address} label={t.sender} />),
  },
  {
    key: 'transaction',
    title: t.transaction,
    sticky: 'end',
    cell: row =>
      row.browser_url === '' ? (
        <CopyText value={row.txid} label={t.transaction} />
      ) : (
        <OutsideLink href={row.browser_url}>{t.transaction}</OutsideLink>
      ),
  },
]
