import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import type { Column } from '../../ui/data/Table.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { PaymentBadge } from '../../ui/feedback/StateBadge.tsx'
import { MerchantLink, PaymentLink, RefundLink, WithdrawalLink } from './links.tsx'
import { TwoLineCell, WithdrawalBadge } from './Rows.tsx'

type Found = OperatorData<'GET /api/operator/v1/search'>

/** Columns of payments; with the merchant where they are of several. */
export function usePaymentColumns(ofSeveral = false): Column<Found['payments'][number]>[] {
  const t = useMessages('operator')
  return [
    {
      title: t.payment,
      sticky: 'start',
      cell: row => (
        <PaymentLink id={row.trade_no}>
          <span className="whitespace-nowrap max-sm:whitespace-normal">
            {row.title || row.out_trade_no || row.trade_no}
          </span>
        </PaymentLink>
      ),
    },
    ...(ofSeveral ? [merchantColumn(t.merchant)] : []),
    { title: t.value, align: 'end', cell: row => <Amount value={row.usdt_amount} unit="USDT" /> },
    { title: t.state, phone: 'value', cell: row => <PaymentBadge status={row.status} /> },
    { title: t.time, cell: row => <Time seconds={row.created_time} /> },
  ]
}

/** Columns of withdrawals; with the merchant where they are of several. */
export function useWithdrawalColumns(ofSeveral = false): Column<Found['withdrawals'][number]>[] {
  const t = useMessages('operator')
  return [
    withdrawalColumn(t.withdrawal),
    ...(ofSeveral ? [merchantColumn(t.merchant)] : []),
    { title: t.state, phone: 'value', cell: row => <WithdrawalBadge status={row.status} /> },
    { title: t.time, cell: row => <Time seconds={row.created_time} /> },
  ]
}

/** The amount of a withdrawal, which leads to it, above its chain. */
export const withdrawalColumn = <R extends { id: string; amount: string; token: string; chain: string }>(
  title: string,
): Column<R> => payoutColumn(title, WithdrawalLink, row => row.amount)

/** What a refund pays, which leads to it, above its chain. */
export const refundColumn = <R extends { id: string; receives: string; token: string; chain: string }>(
  title: string,
): Column<R> => payoutColumn(title, RefundLink, row => row.receives)

const payoutColumn = <R extends { id: string; token: string; chain: string }>(
  title: string,
  Leads: typeof WithdrawalLink,
  amountOf: (row: R) => string,
): Column<R> => ({
  title,
  sticky: 'start',
  cell: row => (
    <TwoLineCell
      first={
        <Leads id={row.id}>
          <Amount value={amountOf(row)} unit={row.token} />
        </Leads>
      }
      second={row.chain}
    />
  ),
})

const merchantColumn = (title: string) => ({
  title,
  cell: ({ mchid, merchant }: { mchid: string; merchant: string }) => (
    <TwoLineCell first={<MerchantLink id={mchid}>{merchant || mchid}</MerchantLink>} second={merchant && mchid} />
  ),
})
