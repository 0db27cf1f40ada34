import { isPayableStatus, markableStatuses, type PaymentMark, refundableStatuses } from '@coffer/contract/codes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { WorkOrderLink } from '../../kit/WorkOrderLink.tsx'
import { lazyComponent } from '../../lib/later.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { CallbackBadge } from '../../ui/feedback/CallbackBadge.tsx'
import { Drawer } from '../../ui/feedback/Modal.tsx'
import { formatPaymentStatus } from '../../ui/feedback/StateBadge.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Deposits } from './Deposits.tsx'
import type { PaymentDetail } from './detail.ts'
import { AddressFacts, AmountFacts, Headline, MetadataFacts, OrderFacts, RateFacts } from './PaymentFacts.tsx'

const MarkModal = lazyComponent(() => import('./MarkModal.tsx'))
const RefundLinks = lazyComponent(() => import('./RefundLinks.tsx'))
const RefundModal = lazyComponent(() => import('./RefundModal.tsx'))

/** Polling interval (ms) while a deposit is confirming: events report only the last confirmation. */
const waitingMs = 3_000

const usePayment = (trade_no: string) =>
  useQuery({
    ...apiQuery('GET /api/v1/transactions/detail', { query: { trade_no } }),
    refetchInterval: query => {
      const deposits = query.state.data?.chain_confirmation_information
      return deposits?.some(({ state }) => state === 'seen') ? waitingMs : false
    },
  })

/** The details of a payment, updated while open. */
export default function PaymentDrawer({ trade_no, onClose }: { trade_no: string; onClose(): void }) {
  const t = useMessages('payment-details')
  const record = useMessages('payment-columns')
  const { data, error, refetch } = usePayment(trade_no)
  // The link that opened the payment is ours, and its description says which one it was.
  const { payment_link: _, ...metadata } = data?.metadata ?? {}
  return (
    <Drawer open addressed title={t.details} size="medium" flush onClose={onClose}>
      {data ? (
        <div className="pb-6">
          <Head payment={data} />
          <Part title={record.orderPart}>
            <OrderFacts payment={data} />
          </Part>
          {Object.keys(metadata).length > 0 && (
            <Part title={t.metadata}>
              <MetadataFacts metadata={metadata} />
            </Part>
          )}
          <Part title={t.amounts}>
            <AmountFacts payment={data} />
          </Part>
          <Part title={t.history}>
            <History entries={data.history} />
          </Part>
          <Part title={t.callbacks}>
            <Callbacks trade_no={trade_no} callbacks={data.callbacks} />
          </Part>
          {data.rate && data.fiat_name !== '' && (
            <Part title={t.rate}>
              <RateFacts rate={data.rate} currency={data.fiat_name} />
            </Part>
          )}
          <Part title={t.chainConfirmations}>
            <AddressFacts payment={data} />
            <Deposits payment={data} />
          </Part>
        </div>
      ) : error?.name === 'RequestRefused' ? (
        <Empty icon="search" title={t.notFound} text={t.notFoundText} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy="true" className="flex flex-col gap-4 px-5">
          <Skeleton className="h-9 w-48" />
          <Skeleton className="h-72 w-full" />
          <Skeleton className="h-40 w-full" />
        </div>
      )}
    </Drawer>
  )
}

/** The amount of a payment, and what can be done with it. */
function Head({ payment }: { payment: PaymentDetail }) {
  const t = useMessages('payment-details')
  const { trade_no } = payment
  return (
    <div className="flex flex-col gap-3 px-5">
      <Headline payment={payment} />
      {isPayableStatus(payment.status) && (
        <p className="text-[13px]">
          <CopyText look="whole" value={new URL(`/pay/${trade_no}`, location.href).href} label={t.payerPage} />
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2 [&>:last-child]:ml-1 [&>:last-child]:self-center">
        {isPayableStatus(payment.status) && (
          <Link to="/collect" search={{ trade_no }} look="primary" size="small">
            {t.showCode}
          </Link>
        )}
        <Refund payment={payment} />
        <Marks payment={payment} />
        <WorkOrderLink kind="payment" id={trade_no} text={t.ask} />
      </div>
      {Number(payment.paid_amount) > 0 && <RefundLinks trade_no={trade_no} />}
    </div>
  )
}

/** A button to give a payment back, where its status allows it and something was received. */
function Refund({ payment: { trade_no, status, paid_amount } }: { payment: PaymentDetail }) {
  const t = useMessages('payment-details')
  const [open, setOpen] = useState(false)
  if (!refundableStatuses.some(each => each === status) || !(Number(paid_amount) > 0)) return null
  return (
    <>
      <Button call="POST /api/v1/transactions/refund" size="small" onClick={() => setOpen(true)}>
        {t.refund}
      </Button>
      {open && <RefundModal trade_no={trade_no} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Buttons to mark a payment, where its status allows it. */
function Marks({ payment: { trade_no, status } }: { payment: PaymentDetail }) {
  const t = useMessages('payment-details')
  const [as, setAs] = useState<PaymentMark | null>(null)
  const marks = (Object.keys(markableStatuses) as PaymentMark[]).filter(mark =>
    markableStatuses[mark].some(each => each === status),
  )
  return (
    <>
      {marks.map(mark => (
        <Button key={mark} call="POST /api/v1/transactions/mark" size="small" onClick={() => setAs(mark)}>
          {mark === 'paid' ? t.markPaid : t.markInvalid}
        </Button>
      ))}
      {as && <MarkModal trade_no={trade_no} as={as} onClose={() => setAs(null)} />}
    </>
  )
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section className="mt-6 px-5">
    <h3 className="mb-2 text-[13px] font-semibold text-ink-2">{title}</h3>
    {children}
  </section>
)

/** The events of a payment, oldest first. */
function History({ entries }: { entries: PaymentDetail['history'] }) {
  const t = useMessages('payment-details')
  const shell = useMessages('shell')
  return (
    <ol className="text-[13px]">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events are append-only
        <li key={index} className="relative flex items-baseline gap-3 pb-3 pl-5 last:pb-0">
          <span aria-hidden="true" className="absolute top-1.5 left-0.5 size-2 rounded-full bg-line-strong" />
          {index < entries.length - 1 && (
            <span aria-hidden="true" className="absolute top-4 bottom-0 left-[5.5px] w-px bg-line" />
          )}
          <span className="min-w-0 grow">
            {t.events[entry.event] ?? entry.event}
            <span className="ml-2 text-ink-3">
              {formatPaymentStatus(shell, entry.status)}
              {entry.exception !== 'none' && ` · ${shell.exceptions[entry.exception]}`}
            </span>
            {entry.reason !== '' && <span className="block break-words text-ink-2">{entry.reason}</span>}
          </span>
          <Time seconds={entry.time} className="text-xs text-ink-3" />
        </li>
      ))}
    </ol>
  )
}

/** The callbacks of a payment. */
function Callbacks({ trade_no, callbacks }: { trade_no: string; callbacks: PaymentDetail['callbacks'] }) {
  const t = useMessages('payment-details')
  if (callbacks.length === 0) return <p className="text-[13px] text-ink-3">{t.noCallbacks}</p>
  return (
    <>
      <ul className="divide-y divide-line border-y border-line text-[13px]">
        {callbacks.map(callback => (
          <li key={callback.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <span className="min-w-0 grow">
              <span className="block font-mono text-xs">{callback.event}</span>
              <span className="text-xs text-ink-3">
                <Time seconds={callback.time} /> · <span className="num">{t.attempts(callback.attempts)}</span>
              </span>
            </span>
            <CallbackBadge status={callback.status} />
          </li>
        ))}
      </ul>
      <Link to="/callbackList" search={{ trade_no }} className="mt-2 inline-block text-[13px]">
        {t.allCallbacks}
      </Link>
    </>
  )
}
