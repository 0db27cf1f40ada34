import type { Data } from '@coffer/contract'
import { mask } from '@coffer/contract/validators.ts'
import type { Messages } from '../../i18n/areas.ts'
import { linkClass } from '../../ui/classes.ts'
import type { Column } from '../../ui/data/Table.tsx'
import { DayAndClock, TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount, CopyButton, CopyText, None } from '../../ui/data/Values.tsx'
import { ExceptionText, PaymentBadge } from '../../ui/feedback/StateBadge.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'

type Payment = Data<'GET /api/v1/transactions/list'>['list'][number]

/** All fields of a payment in eight columns, which fit from 1280 px. */
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
    amount: row => ({ value: row.token && row.amount, unit: row.token }),
    cell: row =>
      row.token === '' ? (
        <TwoLines end first={<span className="text-ink-3">{t.notChosen}</span>} second={null} />
      ) : (
        <TwoLines
          end
          first={
            <span className="inline-flex items-center gap-1.5">
              <TokenLogo token={row.token} size={16} />
              <Amount column value={row.amount} unit={row.token} className="font-medium" />
            </span>
          }
          second={<Paid payment={row} label={t.paid} />}
        />
      ),
  },
  {
    key: 'value',
    title: t.value,
    align: 'end',
    amount: row => ({ value: row.usdt_amount }),
    cell: row => (
      <TwoLines
        end
        first={<Amount column value={row.usdt_amount} unit="USDT" />}
        second={row.fiat_amount === '' ? null : <Amount value={row.fiat_amount} unit={row.fiat_name} />}
      />
    ),
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
        <ExceptionText exception={row.exception} className="px-2" />
      </div>
    ),
  },
]

const Paid = ({ payment, label }: { payment: Payment; label: string }) => (
  <>
    {label} <Amount value={payment.paid_amount} />
  </>
)
