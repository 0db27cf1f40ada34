import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Action } from '../Action.tsx'
import { api, useRead } from '../api.ts'
import { Address, Rows } from '../Rows.tsx'
import { useTexts } from '../texts.ts'
import { ResumeWallet } from './Chains.tsx'

type Data = OperatorData<'GET /api/operator/v1/wallets'>
type Wallet = Data['list'][number]

/** Wallets, transactions that wait, and sweeps. */
export default function Money() {
  const t = useTexts()
  const read = useRead('GET /api/operator/v1/wallets', {})
  const { data } = read
  const wallets: Column<Wallet>[] = [
    { key: 'chain', title: t.chain, sticky: 'start', cell: row => row.chain_id },
    {
      key: 'role',
      title: t.wallet,
      className: 'whitespace-nowrap',
      cell: row => t.walletRoles[row.role] ?? row.role,
    },
    { key: 'address', title: t.address, cell: row => <Address value={row.address} /> },
    { key: 'nonce', title: t.nextNonce, align: 'end', cell: row => row.next_nonce },
    { key: 'open', title: t.underWay, align: 'end', cell: row => row.open },
    { key: 'oldest', title: t.oldest, cell: row => <Time seconds={row.oldest_time} /> },
    {
      key: 'state',
      title: t.state,
      cell: row => (
        <span className="flex flex-col items-start gap-0.5">
          <Badge kind={row.halted || row.waits ? 'error' : 'success'}>
            {row.halted ? t.halted : row.waits ? t.waits : t.ready}
          </Badge>
          {(row.halted || row.waits) && (
            <span className="max-w-60 text-xs wrap-anywhere text-ink-3">{row.halted || row.waits}</span>
          )}
        </span>
      ),
    },
    {
      key: 'actions',
      title: t.actions,
      align: 'end',
      cell: row => row.role === 'hot' && <WalletActions wallet={row} />,
    },
  ]
  const waiting: Column<Data['waiting'][number]>[] = [
    { key: 'chain', title: t.chain, cell: row => row.chain_id },
    { key: 'nonce', title: t.nonce, align: 'end', cell: row => row.nonce },
    { key: 'waits', title: t.waitsFor, cell: row => row.waits },
    { key: 'since', title: t.time, cell: row => <Time seconds={row.since} /> },
  ]
  const sweeps: Column<Data['sweeps'][number]>[] = [
    { key: 'chain', title: t.chain, cell: row => row.chain_id },
    { key: 'token', title: t.token, cell: row => row.token },
    { key: 'unswept', title: t.unswept, align: 'end', cell: row => <Amount value={row.unswept} /> },
    { key: 'under', title: t.underWay, align: 'end', cell: row => row.under_way },
    { key: 'failed', title: t.failedDay, align: 'end', cell: row => row.failed },
  ]
  return (
    <>
      <PageHeader title={t.menu.money} text={t.moneyText} />
      <div className="flex flex-col gap-4">
        <Card title={t.wallets} flush>
          <Rows
            caption={t.wallets}
            columns={wallets}
            read={read}
            rows={data?.list}
            rowKey={row => `${row.chain_id} ${row.role}`}
            empty={t.noWallets}
          />
        </Card>
        {data && data.waiting.length > 0 && (
          <Card title={t.waitingTransactions} flush>
            <Rows
              caption={t.waitingTransactions}
              columns={waiting}
              read={read}
              rows={data.waiting}
              rowKey={row => `${row.chain_id} ${row.nonce}`}
              empty={t.noWallets}
            />
          </Card>
        )}
        <Card title={t.sweeps} flush>
          <Rows
            caption={t.sweeps}
            columns={sweeps}
            read={read}
            rows={data?.sweeps}
            rowKey={row => `${row.chain_id} ${row.token}`}
            empty={t.noSweeps}
          />
        </Card>
      </div>
    </>
  )
}

function WalletActions({ wallet: { chain_id: id, halted } }: { wallet: Wallet }) {
  const t = useTexts()
  const reason = { name: 'reason', label: t.reason, kind: 'area' } as const
  return (
    <span className="inline-flex gap-2">
      <Action
        call="POST /api/operator/v1/wallets/:id/sweep"
        label={t.sweepNow}
        text={t.sweepNowText}
        done={t.sweepAsked}
        run={() => api('POST /api/operator/v1/wallets/:id/sweep', { params: { id } }).then(() => null)}
      />
      <Action
        call="POST /api/operator/v1/wallets/:id/cancel"
        label={t.cancelNonce}
        text={t.cancelNonceText}
        look="danger"
        fields={[{ name: 'nonce', label: t.nonce, max: 12 }, reason]}
        done={t.recorded}
        run={({ nonce, reason: given = '' }) =>
          api('POST /api/operator/v1/wallets/:id/cancel', {
            params: { id },
            body: { nonce: Number(nonce), reason: given },
          }).then(() => null)
        }
      />
      {halted ? (
        <ResumeWallet id={id} />
      ) : (
        <Action
          call="POST /api/operator/v1/wallets/:id/halt"
          label={t.haltWallet}
          text={t.haltWalletText}
          look="danger"
          fields={[reason]}
          done={t.saved}
          run={({ reason: given = '' }) =>
            api('POST /api/operator/v1/wallets/:id/halt', { params: { id }, body: { reason: given } }).then(() => null)
          }
        />
      )}
    </span>
  )
}
