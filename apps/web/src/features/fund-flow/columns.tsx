import { truncateDecimal } from '@coffer/contract/decimal.ts'
import { formatAmount } from '@coffer/contract/format-amount.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { mask } from '@coffer/contract/validators.ts'
import type { Messages } from '../../i18n/areas.ts'
import { Link, OutsideLink } from '../../ui/controls/Link.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { DayAndClock, TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, CopyButton, CopyText, useWallTime } from '../../ui/data/Values.tsx'
import { Icon } from '../../ui/icons.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import type { Movement } from './flow.ts'

export const flowColumns = (t: Messages<'fund-flow'>, inLanguage: Language): Column<Movement>[] => [
  {
    key: 'type',
    title: t.typeColumn,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={<span className="font-medium">{t.types[row.type]}</span>}
        second={`${t.directions[row.direction]} · ${t.paymentTypes[row.payment_type]}`}
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
    phone: 'text',
    title: t.fundAccount,
    cell: row => (
      <span className="inline-flex items-center gap-2.5 align-middle whitespace-nowrap">
        <TokenLogo token={row.token} size={20} />
        <span>
          <TwoLines first={<span>{`${row.token} · ${row.chain}`}</span>} second={t.accounts[row.account]} />
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
    key: 'value',
    title: t.value,
    align: 'end',
    cell: ({ value }) =>
      value === null ? (
        <TwoLines end first={<span title={t.noRate}>–</span>} second="" />
      ) : (
        <TwoLines
          end
          first={<Amount value={truncateDecimal(value.amount, 2)} unit={value.fiat} />}
          second={<Rate value={value} t={t} inLanguage={inLanguage} />}
        />
      ),
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
    key: 'cause',
    title: t.causeColumn,
    cell: row => (
      <TwoLines
        first={<Cause row={row} t={t} />}
        second={
          <>
            <CopyText value={row.txid} label={t.txid} />
            {row.browser_url && (
              <OutsideLink href={row.browser_url} aria-label={t.openTxid} title={t.openTxid}>
                <Icon name="external" size={14} />
              </OutsideLink>
            )}
          </>
        }
      />
    ),
  },
  {
    key: 'time',
    phone: 'note',
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

interface RateProps {
  value: NonNullable<Movement['value']>
  t: Messages<'fund-flow'>
  inLanguage: Language
}

/** The rate of a value; the tooltip has its time and sources. */
function Rate({ value, t, inLanguage }: RateProps) {
  const { text, zone } = useWallTime(value.time)
  return (
    <span className="num" title={t.rateFrom(value.source, `${text} (${zone})`)}>
      {t.rate(formatAmount(value.rate, inLanguage), value.fiat)}
    </span>
  )
}

/** What caused an entry, with a link to it. */
function Cause({ row, t }: { row: Movement; t: Messages<'fund-flow'> }) {
  const { kind, id } = row.cause
  const title = `${t.causes[kind]} ${id}`
  const text = kind === 'deposit' || kind === 'transfer' ? t.causes[kind] : `${t.causes[kind]} ${mask(id)}`
  const look = 'num whitespace-nowrap'
  switch (kind) {
    case 'payment':
      return (
        <Link to="/record" search={{ trade_no: id }} className={look} title={title}>
          {text}
        </Link>
      )
    case 'withdrawal':
      return (
        <Link to="/record/withdrawal" search={{ id }} className={look} title={title}>
          {text}
        </Link>
      )
    case 'refund':
      return (
        <Link to="/record/refund" search={{ trade_no: row.trade_no }} className={look} title={title}>
          {text}
        </Link>
      )
    case 'transfer':
      return (
        <Link to="/transfer/record" search={{ id }} className={look} title={title}>
          {text}
        </Link>
      )
    case 'deposit':
      return (
        <Link to="/property/recharge" search={{ text: row.to_address }} className={look} title={title}>
          {text}
        </Link>
      )
    case 'other':
      return <CopyText value="" />
  }
}
