import { roundDecimal } from '@coffer/contract/decimal.ts'
import { formatAmount } from '@coffer/contract/format-amount.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { mask } from '@coffer/contract/texts.ts'
import type { Messages } from '../../i18n/areas.ts'
import { amountColumn, copyPairColumn, timeColumn, tokenColumn } from '../../kit/list/columns.tsx'
import type { ListRow } from '../../kit/list/search.ts'
import { Link, OutsideLink } from '../../ui/controls/Link.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, CopyButton, CopyText, useWallTime } from '../../ui/data/Values.tsx'
import { Icon } from '../../ui/icons.tsx'

type Movement = ListRow<'GET /api/v1/account/stream'>

export const flowColumns = (t: Messages<'fund-flow'>, inLanguage: Language): Column<Movement>[] => [
  {
    title: t.typeColumn,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={<span className="font-medium">{t.types[row.type]}</span>}
        second={`${t.directions[row.direction]} · ${t.paymentTypes[row.payment_type]}`}
      />
    ),
  },
  { title: t.serialNumber, cell: row => <Serial id={row.id} label={t.serialNumber} /> },
  tokenColumn(t.fundAccount, {
    lines: row => [`${row.token} · ${row.chain}`, t.accounts[row.account]],
    phone: 'text',
  }),
  amountColumn(t.amount, row => ({ value: row.amount, flow: row.direction }), {
    isMain: true,
    phone: 'value',
    isOnTop: true,
  }),
  amountColumn(t.currentBalance, row => ({ value: row.balance }), { isOnTop: true }),
  {
    title: t.value,
    align: 'end',
    cell: ({ value }) =>
      value === null ? (
        <TwoLines end first={<span title={t.noRate}>–</span>} second="" />
      ) : (
        <TwoLines
          end
          first={<Amount value={roundDecimal(value.amount, 2)} unit={value.fiat} />}
          second={<Rate value={value} t={t} inLanguage={inLanguage} />}
        />
      ),
  },
  copyPairColumn(t.addressColumn, row => [
    [t.sendingAddress, row.from_address],
    [t.receivingAddress, row.to_address],
  ]),
  {
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
  timeColumn(t.time, row => row.created_time, { phone: 'note', sticky: 'end' }),
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
  if (kind === 'other') return <CopyText value="" />
  const places = {
    payment: { to: '/record', search: { trade_no: id } },
    withdrawal: { to: '/record/withdrawal', search: { id } },
    refund: { to: '/record/refund', search: { trade_no: row.trade_no } },
    transfer: { to: '/transfer/record', search: { id } },
    deposit: { to: '/property/recharge', search: { text: row.to_address } },
  } as const
  return (
    <Link {...places[kind]} className="num whitespace-nowrap" title={`${t.causes[kind]} ${id}`}>
      {kind === 'deposit' || kind === 'transfer' ? t.causes[kind] : `${t.causes[kind]} ${mask(id)}`}
    </Link>
  )
}
