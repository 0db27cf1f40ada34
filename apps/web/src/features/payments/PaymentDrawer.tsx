import { useMessages } from '../../i18n/messages.ts'
import { Drawer } from '../../ui/feedback/Modal.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Callbacks } from './Callbacks.tsx'
import { Deposits } from './Deposits.tsx'
import { History } from './History.tsx'
import { PaymentFacts, RateFacts } from './PaymentFacts.tsx'
import { usePayment } from './queries.ts'

/** The details of one payment beside the list. Kept up to date while open. */
export default function PaymentDrawer({ trade_no, onClose }: { trade_no: string; onClose(): void }) {
  const t = useMessages('payments')
  const { data, error, refetch } = usePayment(trade_no)
  return (
    <Drawer open title={t.details} size="medium" flush onClose={onClose}>
      {data ? (
        <div className="pb-6">
          <PaymentFacts payment={data} />
          <Part title={t.chainConfirmations}>
            <Deposits payment={data} />
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
        </div>
      ) : error?.name === 'Refused' ? (
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

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section className="mt-6 px-5">
    <h3 className="mb-2 text-[13px] font-semibold text-ink-2">{title}</h3>
    {children}
  </section>
)
