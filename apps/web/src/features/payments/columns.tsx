import type { PaymentException } from '@coffer/contract/codes.ts'
import type { Messages } from '../../i18n/areas.ts'
import { OpenRowButton, TruncatedText, timeColumn, tokenAmountColumn } from '../../kit/list/columns.tsx'
import type { ListRow } from '../../kit/list/search.ts'
import { CopyText } from '../../ui/data/CopyText.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, NoValue } from '../../ui/data/Values.tsx'
import { PaymentBadge, PaymentExceptionText } from '../../ui/feedback/StateBadge.tsx'
import { formatOtherPaidAssets } from './formatOtherPaidAssets.ts'
import { selectAmountOwed } from './owed.ts'

type Payment = ListRow<'GET /api/v1/transactions/list'>

/** Exceptions in which the received amount is not the one of the row. */
const differs: readonly PaymentException[] = ['partial', 'over']

/** All fields of a payment in seven columns, which fit from 1280 px. */
export const paymentRecordColumns = (
  t: Messages<'payment-columns'>,
  open: (trade_no: string) => void,
): Column<Payment>[] => [
  {
    title: t.order,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={
          <OpenRowButton
            value={row.out_trade_no}
            title={row.title}
            label={t.merchantOrder}
            open={t.openRow}
            onOpen={() => open(row.trade_no)}
          />
        }
        second={<CopyText value={row.trade_no} label={t.platformOrder} />}
      />
    ),
  },
  {
    title: t.application,
    isWide: true,
    cell: row => (
      <TwoLines
        first={<TruncatedText width="max-w-40">{row.apply_name}</TruncatedText>}
        second={<CopyText value={row.appid} label={t.appid} />}
      />
    ),
  },
  tokenAmountColumn<Payment>(t.amount, selectAmountOwed, row => <Worth payment={row} notChosen={t.notChosen} />),
  {
    title: t.fees,
    align: 'end',
    amount: row => ({ value: row.token && row.fees, unit: row.token }),
    // Aligned with the first line of the amounts beside it.
    className: 'align-top leading-7',
    cell: row => (row.token === '' ? <NoValue /> : <Amount column value={row.fees} unit={row.token} />),
  },
  {
    title: `${t.chain} / ${t.contract}`,
    isWide: true,
    cell: row => {
      if (row.chain === '') return <TwoLines first={<NoValue />} second={null} />
      const other = formatOtherPaidAssets(row)
      return (
        <TwoLines
          first={row.chain}
          second={other === '' ? <CopyText value={row.contract} label={t.contract} /> : t.paidIn(other)}
        />
      )
    },
  },
  timeColumn(t.created, row => row.created_time),
  {
    title: t.state,
    sticky: 'end',
    cell: row => <State payment={row} />,
  },
]

/** The state, and what was received where that differs. */
const State = ({ payment: { status, exception, paid_amount, token } }: { payment: Payment }) => (
  <div className="flex flex-col items-start gap-0.5">
    <PaymentBadge status={status} />
    {exception !== 'none' && (
      <span className="pl-2 text-xs whitespace-nowrap text-ink-2">
        <PaymentExceptionText exception={exception} />
        {differs.includes(exception) && (
          <>
            {' · '}
            <Amount value={paid_amount} unit={token} />
          </>
        )}
      </span>
    )}
  </div>
)

/** What the order asks: in its currency, and in USDT where another token is paid. */
const Worth = ({ payment: { token, usdt_amount, fiat_amount, fiat_name }, notChosen }: WorthProps) => {
  const fiat = fiat_amount !== '' && <Amount value={fiat_amount} unit={fiat_name} />
  const usdt = token === '' ? notChosen : token !== 'USDT' && <Amount value={usdt_amount} unit="USDT" />
  return (
    <>
      {fiat}
      {fiat && usdt && ' · '}
      {usdt}
    </>
  )
}

interface WorthProps {
  payment: Payment
  notChosen: string
}
