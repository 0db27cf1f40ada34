import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { askPasskey, hasPasskeys } from '../../kit/passkey.ts'
import { Card } from '../../ui/data/Card.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Amount, CopyText, Time } from '../../ui/data/Values.tsx'
import { Action } from '../Action.tsx'
import { api, useRead } from '../api.ts'
import { tellFailure } from '../passkeys.ts'
import { A } from '../place.tsx'
import { Address, Rows, Two } from '../Rows.tsx'
import { useTexts } from '../texts.ts'

type Row = OperatorData<'GET /api/operator/v1/releases'>['list'][number]

/** Payouts that the signer pays only once a person releases them; nothing while there are none. */
export function Releases() {
  const t = useTexts()
  const read = useRead('GET /api/operator/v1/releases', {})
  if (!read.data?.list.length) return null
  const columns: Column<Row>[] = [
    {
      key: 'amount',
      title: t.withdrawal,
      sticky: 'start',
      cell: row => {
        const isRefund = row.owner === 'refund'
        const paid = <Amount value={row.amount} unit={row.token} />
        return (
          <Two
            first={isRefund ? paid : <A to={`/withdrawals/${row.id}`}>{paid}</A>}
            second={isRefund ? `${t.refund} · ${row.chain}` : row.chain}
          />
        )
      },
    },
    { key: 'merchant', title: t.merchant, cell: row => <A to={`/merchants/${row.mchid}`}>{row.mchid}</A> },
    { key: 'to', title: t.to, cell: row => <Address value={row.address} /> },
    { key: 'since', title: t.time, cell: row => <Time seconds={row.created_time} /> },
    { key: 'actions', title: t.actions, align: 'end', cell: row => <Release payout={row} /> },
  ]
  return (
    <Card title={t.releases} flush className="mb-4">
      <p className="-mt-2 px-5 pb-3 text-[13px] text-ink-2">{t.releasesText}</p>
      <Rows
        caption={t.releases}
        columns={columns}
        read={read}
        rows={read.data.list}
        rowKey={row => `${row.owner} ${row.id}`}
        empty={t.noWithdrawals}
      />
    </Card>
  )
}

/** Releases a payout with a passkey. */
export function Release({ payout }: { payout: Omit<Row, 'mchid' | 'created_time'> }) {
  const t = useTexts()
  const params = { owner: payout.owner, id: payout.id }
  if (!hasPasskeys()) return null
  return (
    <Action
      call="POST /api/operator/v1/releases/:owner/:id"
      label={t.release}
      text={
        <>
          {payout.refused && <p className="mb-2 text-error">{t.releaseRefused}</p>}
          <p>{t.releaseText}</p>
          <p className="mt-2 font-medium text-ink">
            <Amount value={payout.amount} unit={payout.token} exact /> · {payout.chain}
          </p>
          <p className="mt-2">
            <CopyText look="groups" value={payout.address} />
          </p>
        </>
      }
      look="primary"
      done={t.released}
      run={async () => {
        const { options } = await api('GET /api/operator/v1/releases/:owner/:id', { params })
        if (!options) return <p className="text-sm">{t.waitsNoLonger}</p>
        const passkey = await tellFailure(() => askPasskey(options))
        await api('POST /api/operator/v1/releases/:owner/:id', { params, body: { passkey } })
        return null
      }}
    />
  )
}
