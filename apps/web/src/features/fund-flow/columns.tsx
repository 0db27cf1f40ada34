import { mask } from '@coffer/contract/validators.ts'
import type { Messages } from '../../i18n/areas.ts'
import { Link } from '../../ui/controls/Link.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { DayAndClock, TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, CopyButton, CopyText } from '../../ui/data/Values.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import type { Movement } from './flow.ts'

export const flowColumns = (t: Messages<'ledger'>): Column<Movement>[] => [
  {
    key: 'type',
    title: t.typeColumn,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={<span className="font-medium">{t.flowTypes[row.type]}</span>}
        second={row.direction === 'in' ? t.incoming : t.outgoing}
      />
    ),
  },
  {
    key: 'serial',
    title: t.serialNumber,
    cell: row => <Serial id={row.id} label={t.serialNumber} />,
  },
  {
    key: 'account',
    title: t.fundAccount,
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
    title: t.amount,
    align: 'end',
    amount: row => ({ value: row.amount }),
    className: 'align-top leading-7',
    cell: row => <Amount column flow={row.direction} value={row.amount} className="font-medium" />,
  },
  {
    key: 'balance',
    title: t.currentBalance,
    align: 'end',
    amount: row => ({ value: row.balance }),
    className: 'align-top leading-7',
    cell: row => <Amount column value={row.balance} />,
  },
  {
    key: 'addresses',
    title: t.addressColumn,
    cell: row => (
      <TwoLines
        first={<CopyText value={row.from_address} label={t.sendingAddress} />}
        second={<CopyText value={row.to_address} label={t.receivingAddress} />}
      />
    ),
  },
  {
    key: 'trade',
    title: t.orderColumn,
    cell: row => (
      <TwoLines
        first={row.trade_no === '' ? <CopyText value="" /> : <Order number={row.trade_no} label={t.platformOrder} />}
        second={<CopyText value={row.txid} label={t.txid} />}
      />
    ),
  },
  {
    key: 'time',
    title: t.time,
    sticky: 'end',
    cell: row => <DayAndClock seconds={row.created_time} />,
  },
]

/** Whole, in two lines: serials of the same days begin alike. */
const Serial = ({ id, label }: { id: string; label: string }) => (
  <span className="inline-flex items-center gap-0.5 font-mono text-xs">
    <span translate="no">
      <span className="block whitespace-nowrap">{id.slice(0, 18)}</span>
      <span className="block whitespace-nowrap text-ink-2">{id.slice(18)}</span>
    </span>
    <CopyButton value={id} label={label} />
  </span>
)

const Order = ({ number, label }: { number: string; label: string }) => (
  <span className="inline-flex items-center gap-0.5">
    <Link to="/record" search={{ trade_no: number }} className="num whitespace-nowrap" title={number}>
      {mask(number)}
    </Link>
    <CopyButton masked value={number} label={label} />
  </span>
)
