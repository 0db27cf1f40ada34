import { useMessages } from '../../../i18n/messages.ts'
import { Time } from '../../../ui/data/Values.tsx'
import { useRead } from '../../kit/api.ts'
import { usePaymentColumns, useWithdrawalColumns } from '../../kit/found.tsx'
import { PaymentLink } from '../../kit/links.tsx'
import { Resend } from '../../kit/Resend.tsx'
import { RowsCard, Two } from '../../kit/Rows.tsx'

/** What a merchant does: newest payments and withdrawals, callbacks that were given up, and open sessions. */
export function Activity({ id }: { id: string }) {
  const t = useMessages('operator')
  const s = useMessages('support')
  const read = useRead('GET /api/operator/v1/merchants/:id/activity', { params: { id } })
  const [payments, withdrawals] = [usePaymentColumns(), useWithdrawalColumns()]
  return (
    <>
      <RowsCard
        title={s.newestPayments}
        columns={payments}
        read={read}
        list="payments"
        by={['trade_no']}
        empty={s.noPayments}
      />
      <RowsCard
        title={s.newestWithdrawals}
        columns={withdrawals}
        read={read}
        list="withdrawals"
        empty={s.noWithdrawals}
      />
      <RowsCard
        title={s.failedCallbacks}
        columns={[
          { title: t.time, cell: row => <Time seconds={row.created_time} /> },
          {
            title: t.event,
            cell: row => <Two first={row.event} second={row.trade_no && <PaymentLink id={row.trade_no} />} />,
          },
          { title: t.lastAnswer, cell: row => <Two first={row.result} second={row.url} /> },
        ]}
        rowActions={row => <Resend id={row.id} url={row.url} />}
        read={read}
        list="callbacks"
        empty={s.noFailedCallbacks}
      />
      <RowsCard
        title={s.sessions}
        columns={[
          { title: t.origin, cell: row => <Two first={<span className="num">{row.ip}</span>} second={row.device} /> },
          { title: t.lastSeen, cell: row => <Time seconds={row.last_seen} /> },
          { title: t.since, cell: row => <Time seconds={row.created_time} /> },
        ]}
        read={read}
        list="sessions"
        empty={s.noSessions}
        icon="user"
      />
    </>
  )
}
