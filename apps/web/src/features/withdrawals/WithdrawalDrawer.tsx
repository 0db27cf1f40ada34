import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RouteData } from '../../api/index.ts'
import { apiQuery, invalidateCalls } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { WorkOrderLink } from '../../kit/WorkOrderLink.tsx'
import { headlineClass } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Figure } from '../../ui/data/Figure.tsx'
import { TransactionHash } from '../../ui/data/TransactionHash.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Drawer } from '../../ui/feedback/Modal.tsx'
import { Empty, Loading } from '../../ui/feedback/States.tsx'
import { PolicyReportList } from './QuoteCard.tsx'
import { WithdrawalBadge } from './WithdrawalBadge.tsx'

type Detail = RouteData<'GET /api/v1/account/withdrawal'>

/** The details of a withdrawal, updated while open. */
export default function WithdrawalDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const t = useMessages('withdrawals')
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/account/withdrawal', { query: { id } }))
  const cancel = useSubmit('POST /api/v1/account/withdrawal/cancel', {
    ask: { title: t.cancelTitle, text: t.cancelText, action: t.cancelSure, leave: t.keep, danger: true },
    done: t.canceledToast,
  })
  const onCancel = () =>
    cancel.mutate(
      { body: { id } },
      {
        onSettled: () =>
          invalidateCalls(
            'GET /api/v1/account/withdrawal',
            'GET /api/v1/account/withdrawal-list',
            'GET /api/v1/statistics/assets',
          ),
      },
    )
  return (
    <Drawer
      open
      addressed
      size="medium"
      title={t.details}
      onClose={onClose}
      actions={
        data?.can_cancel && (
          <Button call="POST /api/v1/account/withdrawal/cancel" busy={cancel.isPending} onClick={onCancel}>
            {t.cancelWithdrawal}
          </Button>
        )
      }
    >
      {data ? (
        <Contents withdrawal={data} />
      ) : error?.name === 'RequestRefused' ? (
        <Empty icon="search" title={t.notFound} text={t.notFoundText} />
      ) : (
        <Loading of={{ error, refetch }} className="h-96 w-full" />
      )}
    </Drawer>
  )
}

function Contents({ withdrawal: w }: { withdrawal: Detail }) {
  const t = useMessages('withdrawals')
  return (
    <div className="flex flex-col gap-6">
      <div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className={headlineClass}>
            <Figure value={w.receives} unit={w.token} />
          </p>
          <WithdrawalBadge status={w.status} />
        </div>
        {w.reason !== '' && <p className="mt-1 text-[13px] text-ink-2">{t.reasons[w.reason] ?? w.reason}</p>}
      </div>
      <Part title={t.history}>
        <History withdrawal={w} />
      </Part>
      <DetailList
        rows={[
          [t.asset, `${w.token} · ${w.chain}`],
          [t.address, <CopyText key="address" look="groups" value={w.address} label={t.address} />],
          [t.amount, <Amount exact key="amount" value={w.amount} unit={w.token} />],
          [t.fee, <Amount exact key="fee" value={w.fee} unit={w.token} />],
          [t.gas, <Amount exact key="gas" value={w.gas} unit={w.token} />],
          [t.receives, <Amount exact key="receives" value={w.receives} unit={w.token} className="font-semibold" />],
          [
            t.rate,
            <span key="rate" className="num">
              1 {w.token} = <Amount exact value={w.rate.price} unit="USDT" />
            </span>,
          ],
          [t.rateTime, <Time key="rate-time" seconds={w.rate.time} />],
          [t.value, <Amount key="value" value={w.usdt_value} unit="USDT" />],
          [t.txid, w.txid && <TransactionHash key="txid" txid={w.txid} url={w.browser_url} label={t.txid} />],
          [t.number, <CopyText key="number" look="groups" value={w.id} label={t.number} />],
          [t.origin, (w.appid === '' ? w.requester : w.apply_name) || t.thisAccount],
          ...(w.out_no === '' ? [] : [[t.outNo, w.out_no] as const]),
          ...(w.remark === '' ? [] : [[t.remark, w.remark] as const]),
          ...(w.approver === ''
            ? []
            : [[t.waitsFor, <Approver key="approver" id={w.id} email={w.approver} />] as const]),
          ...(w.deciders && w.deciders.length > 0
            ? [[t.waitsFor, <Deciders key="deciders" emails={w.deciders} />] as const]
            : []),
          ...(w.approved_by === '' ? [] : [[t.approvedBy, w.approved_by] as const]),
          [t.time, <Time key="time" seconds={w.created_time} />],
        ]}
      />
      {w.policy.length > 0 && (
        <Part title={t.policy}>
          <PolicyReportList reports={w.policy} />
        </Part>
      )}
      <WorkOrderLink kind="withdrawal" id={w.id} text={t.ask} />
    </div>
  )
}

/** What happened, oldest first. The transaction has a line of its own. */
function History({ withdrawal: { history, txid } }: { withdrawal: Detail }) {
  const t = useMessages('withdrawals')
  return (
    <ol className="text-[13px]">
      {history.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events are append-only
        <li key={index} className="flex items-baseline justify-between gap-3 py-1.5">
          <span className="min-w-0">
            {t.events[entry.event] ?? entry.event}
            {entry.detail !== '' && entry.detail !== txid && (
              <span className="block text-xs break-all text-ink-3">{entry.detail}</span>
            )}
          </span>
          <span className="shrink-0 text-xs text-ink-3">
            <Time seconds={entry.time} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The members who may decide. */
const Deciders = ({ emails }: { emails: readonly string[] }) => (
  <>
    {emails.map(email => (
      <span key={email} className="block">
        {email}
      </span>
    ))}
  </>
)

/** The approver, with a button that sends the link again. */
function Approver({ id, email }: { id: string; email: string }) {
  const t = useMessages('withdrawals')
  const send = useSubmit('POST /api/v1/account/withdrawal/approval-link', { done: t.linkSent })
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-2">
      {email}
      <Button
        call="POST /api/v1/account/withdrawal/approval-link"
        size="small"
        busy={send.isPending}
        onClick={() => send.mutate({ body: { id } })}
      >
        {t.sendLink}
      </Button>
    </span>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="mb-2 text-[13px] font-semibold text-ink-2">{title}</h3>
    {children}
  </section>
)
