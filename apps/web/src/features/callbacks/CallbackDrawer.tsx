import { callbackStatus } from '@coffer/contract/codes.ts'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { CallbackAttempts } from '../../kit/callbacks/CallbackAttempts.tsx'
import { formatAttemptResult, prettyBody } from '../../kit/callbacks/looks.ts'
import { WorkOrderLink } from '../../kit/WorkOrderLink.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { CallbackBadge } from '../../ui/feedback/CallbackBadge.tsx'
import { Drawer } from '../../ui/feedback/Modal.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import { useResend } from './useResend.ts'

/** Details of a callback with its attempts and body. */
export default function CallbackDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const t = useMessages('callbacks')
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/callback/detail', { query: { id } }))
  const { resend, busyId } = useResend()
  return (
    <Drawer
      open
      addressed
      title={data ? (t.events[data.event] ?? data.event) : t.details}
      text={data && <span className="font-mono text-xs">{data.event}</span>}
      onClose={onClose}
      actions={
        data && (
          <Button
            call="POST /api/v1/callback/resend"
            look="primary"
            icon="refresh"
            busy={busyId === id}
            onClick={() => resend(id)}
          >
            {t.resend}
          </Button>
        )
      }
    >
      {!data ? (
        <Loading of={{ error, refetch }} className="h-96 w-full" />
      ) : (
        <div className="flex flex-col gap-6">
          <DetailList
            rows={[
              [t.status, <CallbackBadge key="status" status={data.status} />],
              [t.result, data.result === '' ? t.notTried : formatAttemptResult(data.result, t)],
              [t.time, <Time key="time" seconds={data.time} />],
              [t.nextTry, data.next_time > 0 && <Time key="next" seconds={data.next_time} />],
              [t.application, data.apply_name],
              [t.address, <CopyText key="address" look="whole" value={data.address} label={t.address} />],
              [t.amount, data.token && <Amount exact key="amount" value={data.amount} unit={data.token} />],
              [
                numberName(t, data.type),
                data.trade_no && <Order key="order" type={data.type} number={data.trade_no} />,
              ],
              // What neither a withdrawal nor a deposit has.
              ...(data.title ? [[t.item, data.title] as const] : []),
              ...(data.out_trade_no ? [[t.merchantOrder, data.out_trade_no] as const] : []),
            ]}
          />
          {data.status === callbackStatus.withheld && <p className="text-[13px] leading-5 text-ink-2">{t.withheld}</p>}
          {data.result === 'page_answered' && <p className="text-[13px] leading-5 text-ink-2">{t.pageAnswered}</p>}
          <section aria-labelledby="callback-attempts">
            <h3 id="callback-attempts" className="mb-2 text-sm font-semibold">
              {t.attemptList}
            </h3>
            <CallbackAttempts attempts={data.attempt_list} />
          </section>
          <section aria-labelledby="callback-body">
            <h3 id="callback-body" className="mb-2 text-sm font-semibold">
              {t.body}
            </h3>
            <pre className="rounded-lg bg-sunken px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap">
              {prettyBody(data.body)}
            </pre>
          </section>
          <WorkOrderLink kind="callback" id={id} text={t.ask} />
        </div>
      )}
    </Drawer>
  )
}

/** What the number of a callback is called. */
const numberName = (t: Messages<'callbacks'>, type: string) =>
  type === 'withdrawal' ? t.withdrawalNumber : type === 'refund' ? t.refundNumber : t.orderNumber

/** The number of a payment, withdrawal or refund, with a link to its record. */
function Order({ type, number }: { type: string; number: string }) {
  const t = useMessages('callbacks')
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-2">
      <CopyText look="groups" value={number} label={numberName(t, type)} />
      {type === 'withdrawal' ? (
        <Link to="/record/withdrawal" search={{ id: number }}>
          {t.types[type]}
        </Link>
      ) : type === 'refund' ? (
        <Link to="/record/refund">{t.types[type]}</Link>
      ) : (
        <Link to="/record" search={{ trade_no: number }}>
          {t.types.payment}
        </Link>
      )}
    </span>
  )
}
