import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { askPasskey, hasPasskeys } from '../../kit/passkey.ts'
import { Tabs } from '../../ui/controls/Tabs.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Facts } from '../../ui/data/Facts.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Amount, CopyText, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Action, type ActionField } from '../Action.tsx'
import { api, useRead } from '../api.ts'
import { tellFailure } from '../passkeys.ts'
import { A, goTo, usePlace } from '../place.tsx'
import { Address, Rows, Two, WithdrawalBadge } from '../Rows.tsx'
import { useTexts } from '../texts.ts'
import { Refunds } from './Refunds.tsx'
import { Release, Releases } from './Releases.tsx'

type Row = OperatorData<'GET /api/operator/v1/withdrawals'>['list'][number]
type Detail = OperatorData<'GET /api/operator/v1/withdrawals/:id'>
const groups = ['waiting', 'sending', 'ended'] as const
type Group = (typeof groups)[number]

export default function Withdrawals() {
  const { id } = usePlace()
  return id === undefined ? <Queue /> : <Withdrawal key={id} id={id} />
}

function Queue() {
  const t = useTexts()
  const { search } = usePlace()
  const group = groups.find(each => each === search.get('group')) ?? 'waiting'
  const read = useRead('GET /api/operator/v1/withdrawals', { query: { group } })
  const columns: Column<Row>[] = [
    {
      key: 'id',
      title: t.withdrawal,
      sticky: 'start',
      cell: row => (
        <Two
          first={
            <A to={`/withdrawals/${row.id}`}>
              <Amount value={row.amount} unit={row.token} />
            </A>
          }
          second={row.chain}
        />
      ),
    },
    { key: 'value', title: t.value, align: 'end', cell: row => <Amount value={row.usdt_value} unit="USDT" /> },
    { key: 'merchant', title: t.merchant, cell: row => <A to={`/merchants/${row.mchid}`}>{row.mchid}</A> },
    { key: 'to', title: t.to, cell: row => <Address value={row.address} /> },
    { key: 'state', title: t.state, cell: row => <WithdrawalBadge status={row.status} /> },
    {
      key: 'approvals',
      title: t.approvals,
      cell: row => (group === 'waiting' ? t.approvalsOf(row.approvals.length, row.people) : ''),
    },
    { key: 'since', title: t.time, cell: row => <Time seconds={row.created_time} /> },
  ]
  return (
    <>
      <PageHeader title={t.menu.withdrawals} text={t.withdrawalsText} />
      <Releases />
      <Refunds />
      <Card flush>
        <div className="px-5 pt-2">
          <Tabs<Group>
            label={t.menu.withdrawals}
            value={group}
            tabs={groups.map(value => ({ value, title: t.withdrawalGroups[value] }))}
            onChange={next => goTo(`/withdrawals?group=${next}`)}
          />
        </div>
        <Rows
          caption={t.menu.withdrawals}
          columns={columns}
          read={read}
          rows={read.data?.list}
          rowKey={row => row.id}
          empty={t.noWithdrawals}
        />
      </Card>
    </>
  )
}

function Withdrawal({ id }: { id: string }) {
  const t = useTexts()
  const read = useRead('GET /api/operator/v1/withdrawals/:id', { params: { id } })
  const { data } = read
  if (read.error && !data) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!data) return <Skeleton className="h-96 w-full rounded-lg" />
  const rules: Column<Detail['policy'][number]>[] = [
    { key: 'rule', title: t.rule, cell: row => t.rules[row.rule] },
    {
      key: 'allowed',
      title: t.answer,
      cell: row => <Badge kind={row.allowed ? 'success' : 'error'}>{row.allowed ? t.allows : t.stops}</Badge>,
    },
    { key: 'used', title: t.used, align: 'end', cell: row => <Amount value={row.used} /> },
    { key: 'limit', title: t.limit, align: 'end', cell: row => <Amount value={row.limit} /> },
  ]
  const past: Column<Detail['of_merchant'][number]>[] = [
    { key: 'time', title: t.time, cell: row => <Time seconds={row.created_time} /> },
    {
      key: 'amount',
      title: t.withdrawal,
      cell: row => (
        <A to={`/withdrawals/${row.id}`}>
          <Amount value={row.amount} unit={row.token} />
        </A>
      ),
    },
    { key: 'merchant', title: t.merchant, cell: row => row.mchid },
    { key: 'state', title: t.state, cell: row => <WithdrawalBadge status={row.status} /> },
  ]
  const steps: Column<Detail['history'][number]>[] = [
    { key: 'time', title: t.time, cell: row => <Time seconds={row.created_time} /> },
    { key: 'state', title: t.state, cell: row => <WithdrawalBadge status={row.status} /> },
    { key: 'event', title: t.what, cell: row => <Two first={row.event} second={row.detail} /> },
  ]
  return (
    <>
      <p className="mb-2 text-[13px]">
        <A to="/withdrawals">{t.menu.withdrawals}</A>
      </p>
      <PageHeader
        title={t.withdrawal}
        text={`${data.mchid} · ${data.chain}`}
        actions={<Decisions withdrawal={data} />}
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Card title={t.withdrawal}>
          <Facts
            rows={[
              [t.number, <CopyText key="n" look="whole" value={data.id} />],
              [
                t.merchant,
                <A key="m" to={`/merchants/${data.mchid}`}>
                  {data.mchid}
                </A>,
              ],
              [t.state, <WithdrawalBadge key="s" status={data.status} />],
              [t.value, <Amount key="v" value={data.usdt_value} unit="USDT" exact />],
              [t.receives, <Amount key="r" value={data.receives} unit={data.token} exact />],
              [t.fee, <Amount key="f" value={data.fee} unit={data.token} exact />],
              [t.gas, <Amount key="g" value={data.gas} unit={data.token} exact />],
              [t.to, <CopyText key="a" look="groups" value={data.address} />],
              [t.transaction, data.txid && <CopyText key="x" look="groups" value={data.txid} />],
              [t.approvals, [t.approvalsOf(data.approvals.length, data.people), ...data.approvals].join(' · ')],
              [t.reason, t.payoutReasons[data.reason] ?? data.reason],
              [t.remark, data.remark],
              [t.time, <Time key="t" seconds={data.created_time} />],
            ]}
          />
        </Card>
        <div className="flex min-w-0 flex-col gap-4">
          <Card title={t.policyAnswer} flush>
            <Rows
              caption={t.policyAnswer}
              columns={rules}
              read={read}
              rows={data.policy}
              rowKey={row => `${row.rule} ${row.per} ${row.seconds} ${row.limit}`}
              empty={t.noRules}
            />
          </Card>
          <Card title={t.history} flush>
            <Rows
              caption={t.history}
              columns={steps}
              read={read}
              rows={data.history}
              rowKey={row => `${row.created_time} ${row.event}`}
              empty={t.noLog}
            />
          </Card>
        </div>
        <Card title={t.ofMerchant} flush>
          <Rows
            caption={t.ofMerchant}
            columns={past}
            read={read}
            rows={data.of_merchant}
            rowKey={row => row.id}
            empty={t.firstOfMerchant}
          />
        </Card>
        <Card title={t.toAddress} flush>
          <Rows
            caption={t.toAddress}
            columns={past}
            read={read}
            rows={data.to_address}
            rowKey={row => row.id}
            empty={t.firstToAddress}
          />
        </Card>
      </div>
    </>
  )
}

function Decisions({ withdrawal }: { withdrawal: Detail }) {
  const t = useTexts()
  const params = { id: withdrawal.id }
  const seen = { updated_time: withdrawal.updated_time }
  const reason: ActionField = { name: 'reason', label: t.reasonForMerchant, kind: 'area' }
  const what = `${withdrawal.receives} ${withdrawal.token}`
  const isWaiting = withdrawal.status === 1 || withdrawal.status === 7
  const passkeys = useRead('GET /api/operator/v1/passkeys', {}).data
  const text = (
    <>
      <p>{t.approveWithdrawalText(what, withdrawal.chain)}</p>
      <p className="mt-2">
        <CopyText look="groups" value={withdrawal.address} />
      </p>
      {withdrawal.people > 1 && <p className="mt-2">{t.twoPeople(withdrawal.approvals.join(', '))}</p>}
    </>
  )
  return (
    <>
      {isWaiting && hasPasskeys() && passkeys?.available && passkeys.list.some(each => !each.blocked) && (
        <Action
          call="POST /api/operator/v1/withdrawals/:id/approve-by-passkey"
          label={withdrawal.status === 7 ? t.payAgainByPasskey : t.approveByPasskey}
          text={text}
          look="primary"
          done={t.recorded}
          run={async () => {
            const { options } = await api('GET /api/operator/v1/withdrawals/:id/passkey', { params })
            const passkey = await tellFailure(() => askPasskey(options ?? {}))
            const call = 'POST /api/operator/v1/withdrawals/:id/approve-by-passkey'
            const { waits } = await api(call, { params, body: { passkey, ...seen } })
            return waits ? <p className="text-sm">{t.secondNeeded}</p> : null
          }}
        />
      )}
      {isWaiting && (
        <Action
          call="POST /api/operator/v1/withdrawals/:id/approve"
          label={withdrawal.status === 7 ? t.payAgain : t.approve}
          text={text}
          look="primary"
          done={t.recorded}
          run={async () => {
            const { waits } = await api('POST /api/operator/v1/withdrawals/:id/approve', { params, body: seen })
            return waits ? <p className="text-sm">{t.secondNeeded}</p> : null
          }}
        />
      )}
      {withdrawal.status === 3 && withdrawal.reason.startsWith('signer: passkey') && (
        <Release
          payout={{
            ...{ owner: 'withdrawal', id: withdrawal.id, amount: withdrawal.receives, token: withdrawal.token },
            ...{ chain: withdrawal.chain, address: withdrawal.address },
            refused: withdrawal.reason !== 'signer: passkey_required',
          }}
        />
      )}
      {withdrawal.status === 1 && (
        <Action
          call="POST /api/operator/v1/withdrawals/:id/reject"
          label={t.reject}
          text={t.rejectText}
          look="danger"
          fields={[reason]}
          done={t.saved}
          run={({ reason: given = '' }) =>
            api('POST /api/operator/v1/withdrawals/:id/reject', { params, body: { reason: given } }).then(() => null)
          }
        />
      )}
      {(withdrawal.status === 3 || withdrawal.status === 7) && (
        <Action
          call="POST /api/operator/v1/withdrawals/:id/cancel"
          label={t.cancelWithdrawal}
          text={t.cancelText}
          look="danger"
          fields={[reason]}
          done={t.recorded}
          run={async ({ reason: given = '' }) => {
            const body = { reason: given }
            const { released } = await api('POST /api/operator/v1/withdrawals/:id/cancel', { params, body })
            return released ? null : <p className="text-sm">{t.cancelsByNonce}</p>
          }}
        />
      )}
    </>
  )
}
