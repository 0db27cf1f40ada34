import { mask } from '@coffer/contract/validators.ts'
import type { Messages } from '../../i18n/areas.ts'
import { Link } from '../../ui/Link.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import type { Column } from '../../ui/Table.tsx'
import { Amount, CopyButton, CopyText, Time } from '../../ui/Values.tsx'
import type { Movement } from './flow.ts'

export const flowColumns = (t: Messages<'property'>): Column<Movement>[] => [
  {
    key: 'type',
    title: t.transactionType,
    sticky: 'start',
    cell: row => (
      <>
        <div className="leading-6 font-medium">{t.flowTypes[row.type]}</div>
        <div className="text-xs leading-5 text-ink-3">{row.direction === 'in' ? t.incoming : t.outgoing}</div>
      </>
    ),
  },
  {
    key: 'account',
    title: t.fundAccount,
    cell: row => (
      <span className="inline-flex items-center gap-2.5 align-middle whitespace-nowrap">
        <TokenLogo token={row.token} size={20} />
        <span>
          <span className="block leading-6">{row.token}</span>
          <span className="block text-xs leading-5 text-ink-3">{row.chain}</span>
        </span>
      </span>
    ),
  },
  {
    key: 'amount',
    title: t.amount,
    align: 'end',
    cell: row => <Amount flow={row.direction} value={row.amount} className="font-medium" />,
  },
  { key: 'balance', title: t.currentBalance, align: 'end', cell: row => <Amount value={row.balance} /> },
  { key: 'from', title: t.sendingAddress, cell: row => <CopyText value={row.from_address} label={t.sendingAddress} /> },
  { key: 'to', title: t.receivingAddress, cell: row => <CopyText value={row.to_address} label={t.receivingAddress} /> },
  {
    key: 'trade',
    title: t.platformOrder,
    cell: row =>
      row.trade_no === '' ? (
        <CopyText value="" />
      ) : (
        <span className="inline-flex items-center gap-0.5">
          <Link to="/record" search={{ trade_no: row.trade_no }} className="num whitespace-nowrap" title={row.trade_no}>
            {mask(row.trade_no)}
          </Link>
          <CopyButton value={row.trade_no} label={t.platformOrder} />
        </span>
      ),
  },
  { key: 'txid', title: t.txid, cell: row => <CopyText value={row.txid} label={t.txid} /> },
  { key: 'id', title: t.serialNumber, cell: row => <CopyText value={row.id} label={t.serialNumber} /> },
  {
    key: 'time',
    title: t.time,
    sticky: 'end',
    cell: row => <Time seconds={row.created_time} className="text-[13px]" />,
  },
]
