import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { Card } from '../../ui/data/Card.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Amount, CopyText, Time } from '../../ui/data/Values.tsx'
import { Action } from '../Action.tsx'
import { api, useRead } from '../api.ts'
import { A } from '../place.tsx'
import { Address, Rows, Two } from '../Rows.tsx'
import { useTexts } from '../texts.ts'

type Row = OperatorData<'GET /api/operator/v1/refunds'>['list'][number]

/** Abnormal refunds, which only the operator can end; nothing while there are none. */
export function Refunds() {
  const t = useTexts()
  const read = useRead('GET /api/operator/v1/refunds', {})
  if (!read.data?.list.length) return null
  const columns: Column<Row>[] = [
    {
      key: 'amount',
      title: t.refund,
      sticky: 'start',
      cell: row => <Two first={<Amount value={row.receives} unit={row.token} />} second={row.chain} />,
    },
    {
      key: 'merchant',
      title: t.merchantAndPayment,
      cell: row => (
        <span className="block w-40">
          <A to={`/merchants/${row.mchid}`}>{row.mchid}</A>
          <span className="block text-xs wrap-anywhere text-ink-3">{row.trade_no}</span>
        </span>
      ),
    },
    { key: 'to', title: t.to, cell: row => <Address value={row.address} /> },
    {
      key: 'reason',
      title: t.reason,
      cell: row => (
        <Two
          first={t.payoutReasons[row.reason] ?? row.reason}
          second={
            <>
              <Time seconds={row.created_time} />
              {row.people > 1 && ` · ${t.approvals}: ${t.approvalsOf(row.approvals.length, row.people)}`}
            </>
          }
        />
      ),
    },
    { key: 'actions', title: t.actions, align: 'end', cell: row => <Decisions refund={row} /> },
  ]
  return (
    <Card title={t.abnormalRefunds} flush className="mb-4">
      <p className="-mt-2 px-5 pb-3 text-[13px] text-ink-2">{t.abnormalRefundsText}</p>
      <Rows
        caption={t.abnormalRefunds}
        columns={columns}
        read={read}
        rows={read.data.list}
        rowKey={row => row.id}
        empty={t.noRefunds}
      />
    </Card>
  )
}

function Decisions({ refund }: { refund: Row }) {
  const t = useTexts()
  const params = { id: refund.id }
  return (
    <span className="flex flex-col items-stretch gap-2">
      <Action
        call="POST /api/operator/v1/refunds/:id/approve"
        label={t.payAgain}
        text={
          <>
            <p>{t.approveWithdrawalText(`${refund.receives} ${refund.token}`, refund.chain)}</p>
            <p className="mt-2">
              <CopyText look="groups" value={refund.address} />
            </p>
            {refund.people > 1 && <p className="mt-2">{t.twoPeople(refund.approvals.join(', '))}</p>}
          </>
        }
        look="primary"
        done={t.recorded}
        run={async () => {
          const body = { updated_time: refund.updated_time }
          const { waits } = await api('POST /api/operator/v1/refunds/:id/approve', { params, body })
          return waits ? <p className="text-sm">{t.secondNeeded}</p> : null
        }}
      />
      <Action
        call="POST /api/operator/v1/refunds/:id/cancel"
        label={t.cancelWithdrawal}
        text={t.cancelRefundText}
        look="danger"
        fields={[{ name: 'reason', label: t.reasonForMerchant, kind: 'area' }]}
        done={t.recorded}
        run={({ reason = '' }) =>
          api('POST /api/operator/v1/refunds/:id/cancel', { params, body: { reason } }).then(() => null)
        }
      />
    </span>
  )
}
