import { mask } from '@coffer/contract/validators.ts'
import type { Data } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'
import { linkClass } from '../../ui/classes.ts'
import type { Column } from '../../ui/data/Table.tsx'
import { DayAndClock, TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, CopyButton, CopyText, None } from '../../ui/data/Values.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import { WithdrawalBadge } from './WithdrawalBadge.tsx'

export type Withdrawal = Data<'GET /api/v1/account/withdrawal-list'>['list'][number]

export const withdrawalColumns = (t: Messages<'withdrawals'>, open: (id: string) => void): Column<Withdrawal>[] => [
  {
    key: 'number',
    title: t.number,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={
          <span className="inline-flex items-center gap-0.5">
            <button
              type="button"
              title={row.id}
              className={`${linkClass} num font-medium whitespace-nowrap`}
              onClick={() => open(row.id)}
            >
              <span className="sr-only">{t.openRow} </span>
              {mask(row.id)}
            </button>
            <CopyButton value={row.id} label={t.number} masked />
          </span>
        }
        second={
          <span className="block max-w-44 truncate" title={row.apply_name}>
            {row.appid === '' ? t.thisAccount : row.apply_name}
          </span>
        }
      />
    ),
  },
  {
    key: 'amount',
    title: t.amount,
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
        second={row.token === 'USDT' ? null : <Amount value={row.usdt_value} unit="USDT" />}
      />
    ),
  },
  {
    key: 'receives',
    title: t.receives,
    align: 'end',
    amount: row => ({ value: row.receives, unit: row.token }),
    // Aligned with the first line of the amounts beside it.
    className: 'align-top leading-7',
    cell: row => <Amount column value={row.receives} unit={row.token} />,
  },
  {
    key: 'address',
    title: `${t.network} / ${t.address}`,
    cell: row => <TwoLines first={row.chain} second={<CopyText value={row.address} label={t.address} />} />,
  },
  {
    key: 'txid',
    title: t.txid,
    cell: row => (row.txid === '' ? <None /> : <CopyText value={row.txid} label={t.txid} />),
  },
  { key: 'time', title: t.time, cell: row => <DayAndClock seconds={row.created_time} /> },
  { key: 'status', title: t.status, sticky: 'end', cell: row => <WithdrawalBadge status={row.status} /> },
]
