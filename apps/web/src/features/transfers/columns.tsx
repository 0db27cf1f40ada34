import type { Data } from '@coffer/contract'
import type { Messages } from '../../i18n/areas.ts'
import type { Column } from '../../ui/data/Table.tsx'
import { DayAndClock, TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, CopyText } from '../../ui/data/Values.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'

type Transfer = Data<'GET /api/v1/account/internal-transfer'>['list'][number]

export const transferColumns = (t: Messages<'transfers'>): Column<Transfer>[] => [
  {
    key: 'direction',
    title: t.direction,
    sticky: 'start',
    cell: row => <span className="font-medium">{t.directions[row.direction]}</span>,
  },
  {
    key: 'token',
    phone: 'text',
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
    key: 'amount',
    phone: 'value',
    title: t.amount,
    align: 'end',
    amount: row => ({ value: row.amount }),
    cell: row => <Amount column flow={row.direction} value={row.amount} className="font-medium" />,
  },
  { key: 'merchant', title: t.merchant, cell: row => <TwoLines first={row.name} second={row.mchid} /> },
  { key: 'note', title: t.note, cell: row => row.note },
  {
    key: 'serial',
    title: t.serialNumber,
    cell: row => <CopyText value={row.id} label={t.serialNumber} />,
  },
  { key: 'time', phone: 'note', title: t.time, sticky: 'end', cell: row => <DayAndClock seconds={row.created_time} /> },
]
