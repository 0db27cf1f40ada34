import { withdrawalStatus } from '@coffer/contract/codes.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { canUsePasskeys, handlePasskeyFailure, signWithPasskey } from '../../../kit/passkey.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { DetailList } from '../../../ui/data/DetailList.tsx'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { Badge } from '../../../ui/feedback/Badge.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { api, useRead } from '../../kit/api.ts'
import { useWithdrawalColumns } from '../../kit/found.tsx'
import { LogLink, MerchantLink, usePathId } from '../../kit/links.tsx'
import { useIsOneOf } from '../../kit/persons.ts'
import { Loaded, LogSubject, type QueryState, RowsCard, TwoLineCell, WithdrawalBadge } from '../../kit/Rows.tsx'
import { formatWaitDuration } from '../../kit/times.ts'
import { AlreadyPaid, listNamedPayments } from './AlreadyPaid.tsx'
import { formatWaitReason } from './formatWaitReason.ts'
import { PayoutHeader } from './PayoutHeader.tsx'
import { ApprovalDetails, PaidDetails } from './PayoutText.tsx'
import { Release } from './Releases.tsx'
import { listDecisionDetails, PayoutTransactionsCard } from './Sent.tsx'

type Detail = OperatorData<'GET /api/operator/v1/withdrawals/:id'>

export default function Withdrawal() {
  const id = usePathId()
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/withdrawals/:id', { params: { id } })
  const ofMerchant = useWithdrawalColumns()
  const toAddress = useWithdrawalColumns(true)
  return (
    <Loaded read={read}>
      {data => (
        <>
          <PayoutHeader
            what={t.withdrawal}
            amount={data.amount}
            payout={data}
            actions={<Decisions withdrawal={data} />}
          >
            {data.waits && (
              <span>
                {[
                  formatWaitReason(t, data),
                  t.waitsSince(formatWaitDuration(t, Date.now() / 1_000 - data.created_time)),
                ].join(' · ')}
              </span>
            )}
          </PayoutHeader>
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
            <Card title={t.withdrawal}>
              <WithdrawalFacts withdrawal={data} />
            </Card>
            <div className="flex min-w-0 flex-col gap-4">
              <PolicyAnswer read={read} />
              <History read={read} />
            </div>
            <div className="min-w-0 lg:col-span-2">
              <PayoutTransactionsCard read={read} />
            </div>
            <RowsCard
              title={t.ofMerchant}
              columns={ofMerchant}
              read={read}
              list="of_merchant"
              empty={t.firstOfMerchant}
            />
            <RowsCard title={t.toAddress} columns={toAddress} read={read} list="to_address" empty={t.firstToAddress} />
          </div>
        </>
      )}
    </Loaded>
  )
}

/** What each rule of the withdrawal policy said. */
function PolicyAnswer({ read }: { read: QueryState<Detail> }) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.policyAnswer}
      columns={[
        { title: t.rule, cell: row => <Rule rule={row} /> },
        { title: t.answer, cell: row => <Answer rule={row} /> },
        { title: t.used, align: 'end', cell: row => <Amount value={row.used} /> },
        { title: t.limit, align: 'end', cell: row => <Amount value={row.limit} /> },
      ]}
      read={read}
      list="policy"
      by={['rule', 'per', 'seconds', 'limit']}
      empty={t.noRules}
    />
  )
}

type PolicyRule = Detail['policy'][number]

/** The name of a rule, with the time and the withdrawals that it counts. */
function Rule({ rule: { rule, of_platform, seconds, per } }: { rule: PolicyRule }) {
  const t = useMessages('operator')
  const name = of_platform ? t.ofPlatform(t.rules[rule]) : t.rules[rule]
  if (seconds === 0) return name
  const counted = [t.period(Math.round(seconds / 3_600)), per && t.counted[per]]
  return <TwoLineCell first={name} second={counted.filter(Boolean).join(' · ')} />
}

function Answer({ rule: { rule, allowed } }: { rule: PolicyRule }) {
  const t = useMessages('operator')
  if (allowed) return <Badge kind="success">{t.allows}</Badge>
  const isRequired = rule === 'approval' || rule === 'fresh_factor'
  return <Badge kind={isRequired ? 'processing' : 'error'}>{isRequired ? t.requires : t.stops}</Badge>
}

function History({ read }: { read: QueryState<Detail> }) {
  const t = useMessages('operator')
  const { events } = useMessages('withdrawals')
  return (
    <RowsCard
      title={t.history}
      columns={[
        { title: t.time, cell: row => <Time seconds={row.created_time} /> },
        { title: t.state, cell: row => <WithdrawalBadge status={row.status} /> },
        {
          title: t.what,
          cell: row => <TwoLineCell first={events[row.event] ?? row.event} second={<LogSubject text={row.detail} />} />,
        },
      ]}
      read={read}
      list="history"
      by={['created_time', 'event']}
      empty={t.noLog}
    />
  )
}

/** Whether an operator has to decide it. */
const isWaiting = ({ status }: Detail) => status === withdrawalStatus.auditing || status === withdrawalStatus.abnormal

function WithdrawalFacts({ withdrawal: row }: { withdrawal: Detail }) {
  const t = useMessages('operator')
  return (
    <DetailList
      rows={[
        [t.number, <CopyText key="n" look="whole" value={row.id} />],
        [t.merchant, <MerchantLink key="m" id={row.mchid} />],
        [t.state, <WithdrawalBadge key="s" status={row.status} />],
        [t.value, <Amount key="v" value={row.usdt_value} unit="USDT" exact />],
        [t.receives, <Amount key="r" value={row.receives} unit={row.token} exact />],
        [t.fee, <Amount key="f" value={row.fee} unit={row.token} exact />],
        [t.gas, <Amount key="g" value={row.gas} unit={row.token} exact />],
        [t.to, <CopyText key="a" look="groups" value={row.address} />],
        [t.transaction, row.txid && <CopyText key="x" look="groups" value={row.txid} />],
        [
          t.approvals,
          [
            ...(isWaiting(row) ? [t.approvalsOf(row.approvals.length, row.people)] : []),
            ...row.approvals.map(each => each.email),
          ].join(' · '),
        ],
        ...listNamedPayments(t, row),
        ...listDecisionDetails(t, row.decided),
        [t.reason, t.payoutReasons[row.reason] ?? row.reason],
        [t.remark, row.remark],
        [t.time, <Time key="t" seconds={row.created_time} />],
        [t.menu.log, <LogLink key="l" text={row.id} />],
      ]}
    />
  )
}

function Decisions({ withdrawal }: { withdrawal: Detail }) {
  const t = useMessages('operator')
  const isOneOf = useIsOneOf()
  const { status } = withdrawal
  const hasApproved = isOneOf(withdrawal.approvals) === true
  return (
    <>
      {isWaiting(withdrawal) && hasApproved && <span className="text-[13px] text-ink-2">{t.youApproved}</span>}
      {isWaiting(withdrawal) && !hasApproved && <Approve withdrawal={withdrawal} />}
      {status === withdrawalStatus.transferring && withdrawal.reason.startsWith('signer: passkey') && (
        <ReleaseByPasskey withdrawal={withdrawal} />
      )}
      {status === withdrawalStatus.auditing && <Reject withdrawal={withdrawal} />}
      {status === withdrawalStatus.abnormal && (
        <AlreadyPaid call="POST /api/operator/v1/withdrawals/:id/paid" payout={withdrawal} />
      )}
      {(status === withdrawalStatus.transferring || status === withdrawalStatus.abnormal) && (
        <Cancel withdrawal={withdrawal} />
      )}
    </>
  )
}

/** Approves it, or pays an abnormal one again: by a passkey where the operator has one, and by a fresh code. */
function Approve({ withdrawal }: { withdrawal: Detail }) {
  const t = useMessages('operator')
  const passkeys = useRead('GET /api/operator/v1/passkeys', {}).data
  const params = { id: withdrawal.id }
  const { updated_time } = withdrawal
  const isAbnormal = withdrawal.status === withdrawalStatus.abnormal
  const details = <ApprovalDetails payout={withdrawal} />
  const byPasskey = async () => {
    const { options } = await api('GET /api/operator/v1/withdrawals/:id/passkey', { params })
    const passkey = await signWithPasskey(options ?? {}).catch(handlePasskeyFailure())
    return { passkey, updated_time }
  }
  return (
    <>
      {canUsePasskeys() && passkeys?.available && passkeys.list.some(each => !each.blocked) && (
        <ActionButton
          call="POST /api/operator/v1/withdrawals/:id/approve-by-passkey"
          params={params}
          {...(isAbnormal && { label: t.payAgainByPasskey })}
          form={{ initial: {}, body: byPasskey }}
        >
          {details}
        </ActionButton>
      )}
      <ActionButton
        call="POST /api/operator/v1/withdrawals/:id/approve"
        params={params}
        {...(isAbnormal && { label: t.payAgain })}
        known={{ updated_time }}
      >
        {details}
      </ActionButton>
    </>
  )
}

function ReleaseByPasskey({ withdrawal }: { withdrawal: Detail }) {
  const { id, receives, token, chain, address, mchid, name, reason } = withdrawal
  return (
    <Release
      payout={{
        owner: 'withdrawal',
        id,
        amount: receives,
        token,
        chain,
        address,
        mchid,
        merchant: name,
        refused: reason !== 'signer: passkey_required',
      }}
    />
  )
}

function Reject({ withdrawal }: { withdrawal: Detail }) {
  return (
    <ActionButton call="POST /api/operator/v1/withdrawals/:id/reject" params={{ id: withdrawal.id }}>
      <PaidDetails payout={withFee(withdrawal)} />
    </ActionButton>
  )
}

function Cancel({ withdrawal }: { withdrawal: Detail }) {
  const t = useMessages('operator')
  return (
    <ActionButton
      call="POST /api/operator/v1/withdrawals/:id/cancel"
      params={{ id: withdrawal.id }}
      result={({ released }) => (released ? null : <p className="text-sm">{t.cancelsByNonce}</p>)}
    >
      <PaidDetails payout={withFee(withdrawal)} />
    </ActionButton>
  )
}

/** What returns to the merchant, which is the fee, too. */
const withFee = (withdrawal: Detail) => ({ ...withdrawal, receives: withdrawal.amount })
