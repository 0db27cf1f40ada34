import type { Data } from '@coffer/contract'
import type { PaymentException } from '@coffer/contract/codes.ts'
import { mask } from '@coffer/contract/validators.ts'
import type { Messages } from '../../i18n/areas.ts'
import { linkClass } from '../../ui/classes.ts'
import type { Column } from '../../ui/data/Table.tsx'
import { DayAndClock, TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, CopyButton, CopyText, None } from '../../ui/data/Values.tsx'
import { ExceptionText, PaymentBadge } from '../../ui/feedback/StateBadge.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import { owed } from './search.ts'

type Payment = Data<'GET /api/v1/transactions/list'>['list'][number]

/** Exceptions in which the received amount is not the one of the row. */
const differs: readonly PaymentException[] = ['partial', 'over']

/** All fields of a payment in seven columns, which fit from 1280 px. */
export const recordColumns = (t: Messages<'payments'>, open: (trade_no: string) => void): Column<Payment>[] => [
  {
    key: 'order',
    title: t.order,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={
          <span className="inline-flex items-center gap-0.5">
            <button
              type="button"
              title={row.out_trade_no}
              className={`${linkClass} num font-medium whitespace-nowrap`}
              onClick={() => open(row.trade_no)}
            >
              <span className="sr-only">{t.openRow} </span>
              {mask(row.out_trade_no)}
            </button>
            <CopyButton
              value={row.out_trade_no}
              label={t.merchantOrder}
              masked={mask(row.out_trade_no) !== row.out_trade_no}
            />
          </span>
        }
        second={<CopyText value={row.trade_no} label={t.platformOrder} />}
      />
    ),
  },
  {
    key: 'application',
    title: t.application,
    cell: row => (
      <TwoLines
        first={
          <span className="block max-w-40 truncate" title={row.apply_name}>
            {row.apply_name}
          </span>
        }
        second={<CopyText value={row.appid} label={t.appid} />}
      />
    ),
  },
  {
    key: 'amount',
    title: t.amount,
    align: 'end',
    amount: owed,
    cell: row => {
      const { value, unit } = owed(row)
      return (
        <TwoLines
          end
          first={
            <span className="inline-flex items-center gap-1.5">
              {row.token !== '' && <TokenLogo token={row.token} size={16} />}
              <Amount column value={value} unit={unit} className="font-medium" />
            </span>
          }
          second={<Worth payment={row} notChosen={t.notChosen} />}
        />
      )
    },
  },
  {
    key: 'fees',
    title: t.fees,
    align: 'end',
    amount: row => ({ value: row.token && row.fees, unit: row.token }),
    // Aligned with the first line of the amounts beside it.
    className: 'align-top leading-7',
    cell: row => (row.token === '' ? <None /> : <Amount column value={row.fees} unit={row.token} />),
  },
  {
    key: 'chain',
    title: `${t.chain} / ${t.contract}`,
    cell: row =>
      row.chain === '' ? (
        <TwoLines first={<None />} second={null} />
      ) : (
        <TwoLines first={row.chain} second={<CopyText value={row.contract} label={t.contract} />} />
      ),
  },
  {
    key: 'created',
    title: t.created,
    cell: row => <DayAndClock seconds={row.created_time} />,
  },
  {
    key: 'status',
    title: t.status,
    sticky: 'end',
    cell: row => (
      <div className="flex flex-col items-start gap-0.5">
        <PaymentBadge status={row.status} />
        {row.exception !== 'none' && (
          <span className="px-2 text-xs whitespace-nowrap text-ink-2">
            <ExceptionText exception={row.exception} />
            {differs.includes(row.exception) && (
              <>
                {' · '}
                <Amount value={row.paid_amount} unit={row.token} />
              </>
            )}
          </span>
        )}
      </div>
    ),
  },
]

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
