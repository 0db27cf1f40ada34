import { useMessages } from '../../../i18n/messages.ts'
import { Time } from '../../../ui/data/Values.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { usePaymentColumns, useWithdrawalColumns } from '../../kit/found.tsx'
import { PaymentLink } from '../../kit/links.tsx'
import { RowsCard, TwoLineCell } from '../../kit/Rows.tsx'

const useActivity = (id: string) => useRead('GET /api/operator/v1/merchants/:id/activity', { params: { id } })

interface Props {
  /** The merchant's number. */
  id: string
}

/** The newest payments of a merchant, and its callbacks that were given up. */
export function Payments({ id }: Props) {
  const t = useMessages('operator')
  const s = useMessages('support')
  const { events, failures } = useMessages('callbacks')
  const read = useActivity(id)
  const columns = usePaymentColumns()
  return (
    <>
      <RowsCard
        title={s.newestPayments}
        columns={columns}
        read={read}
        list="payments"
        by={['trade_no']}
        empty={s.noPayments}
      />
      {read.data && read.data.callbacks.length > 0 && (
        <RowsCard
          title={s.failedCallbacks}
          columns={[
            { title: t.time, cell: row => <Time seconds={row.created_time} /> },
            {
              title: t.event,
              cell: row => {
                const event = events[row.event] ?? row.event
                const linked = row.trade_no ? <PaymentLink id={row.trade_no}>{event}</PaymentLink> : event
                const name = row.title || row.out_trade_no || row.trade_no
                return <TwoLineCell first={linked} second={[name, row.url].filter(Boolean).join(' · ')} />
              },
            },
            { title: t.lastAnswer, cell: row => failures[row.result] ?? row.result },
          ]}
          rowActions={({ id, url }) => (
            <ActionButton call="POST /api/operator/v1/callbacks/:id/resend" params={{ id }} facts={{ url }} />
          )}
          read={read}
          list="callbacks"
          empty=""
        />
      )}
    </>
  )
}

/** The newest withdrawals of a merchant. */
export function Payouts({ id }: Props) {
  const s = useMessages('support')
  const columns = useWithdrawalColumns()
  return (
    <RowsCard
      title={s.newestWithdrawals}
      columns={columns}
      read={useActivity(id)}
      list="withdrawals"
      empty={s.noWithdrawals}
    />
  )
}

/** Where a merchant is signed in. */
export function Sessions({ id }: Props) {
  const t = useMessages('operator')
  const s = useMessages('support')
  return (
    <RowsCard
      title={s.sessions}
      columns={[
        {
          title: t.origin,
          cell: row => <TwoLineCell first={<span className="num">{row.ip}</span>} second={row.device} />,
        },
        { title: t.lastSeen, cell: row => <Time seconds={row.last_seen} /> },
        { title: t.since, cell: row => <Time seconds={row.created_time} /> },
      ]}
      read={useActivity(id)}
      list="sessions"
      empty={s.noSessions}
      icon="user"
    />
  )
}
