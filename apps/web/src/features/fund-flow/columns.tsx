import { roundDecimal } from '@coffer/contract/kit/decimal.ts'
import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { mask } from '@coffer/contract/kit/texts.ts'
import { priceSourcesText } from '@coffer/contract/labels/price-sources-text.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { Messages } from '../../i18n/areas.ts'
import { withNote } from '../../i18n/listed.ts'
import { copyColumn, copyPairColumn, TransactionHashCell, timeColumn, tokenColumn } from '../../kit/list/columns.tsx'
import type { ListRow } from '../../kit/list/search.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, useWallTime } from '../../ui/data/Values.tsx'

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
  copyColumn(t.serialNumber, row => row.id),
  tokenColumn(t.fundAccount, {
    lines: row => [`${row.token} · ${row.chain}`, t.accounts[row.account]],
    phone: 'text',
    phoneCell: row => (row.account === 'held' ? [row.chain, t.accounts.held] : row.chain),
  }),
  {
    title: t.amountAndBalance,
    align: 'end',
    amount: row => ({ value: row.amount }),
    phone: 'value',
    phoneCell: row => <Amount value={row.amount} unit={row.token} flow={row.direction} />,
    cell: row => (
      <TwoLines
        end
        first={<Amount column value={row.amount} flow={row.direction} className="font-medium" />}
        second={<Amount value={row.balance} />}
      />
    ),
  },
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
        second={<TransactionHashCell txid={row.txid} url={row.browser_url} label={t.txid} />}
      />
    ),
  },
  timeColumn(t.time, row => row.created_time, { sticky: 'end' }),
]

interface RateProps {
  value: NonNullable<Movement['value']>
  t: Messages<'fund-flow'>
  inLanguage: Language
}

/** The rate of a value; the tooltip has its time and sources. */
function Rate({ value, t, inLanguage }: RateProps) {
  const { text, zone } = useWallTime(value.time)
  return (
    <span className="num" title={t.rateFrom(priceSourcesText(value.source, inLanguage), withNote(text, zone))}>
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
    refund: { to: '/record/refund', search: { order: row.trade_no } },
    transfer: { to: '/transfer/record', search: { id } },
    deposit: { to: '/property/recharge', search: { text: row.to_address } },
  } as const
  return (
    <Link {...places[kind]} className="num whitespace-nowrap" title={`${t.causes[kind]} ${id}`}>
      {kind === 'deposit' || kind === 'transfer' ? t.causes[kind] : `${t.causes[kind]} ${mask(id)}`}
    </Link>
  )
}
