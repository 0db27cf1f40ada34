import type { RouteData } from '@coffer/contract'
import { paymentStatus } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/messages.ts'
import { selectOrderPrice } from '../../kit/price.ts'
import { cx } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import { latestPaid } from './useFirstSteps.ts'

type Payment = RouteData<'GET /api/v1/transactions/list'>['list'][number]

export function LatestPayments({ className }: { className?: string }) {
  const t = useMessages('dashboard')
  const common = useMessages('common')
  const { data, error, refetch } = useQuery(latestPaid)
  return (
    <Card
      title={t.latestPayments}
      flush
      {...(className && { className })}
      actions={
        <Link to="/record" search={{ status: `${paymentStatus.paid}` }} className="text-[13px]">
          {common.viewAll}
        </Link>
      }
    >
      <div className="flex min-h-[276px] flex-col">
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : data?.list.length === 0 ? (
          <Empty title={t.latestEmpty} text={t.latestEmptyText} />
        ) : (
          <ul
            aria-label={t.latestPayments}
            aria-busy={data === undefined}
            className={cx(data && data.list.length < limits.latestPayments && 'border-b border-line')}
          >
            {data?.list.map(payment => <Row key={payment.trade_no} payment={payment} />) ??
              Array.from({ length: limits.latestPayments }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                <RowSkeleton key={index} />
              ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

const rowClass = 'flex h-[69px] items-center gap-3 border-t border-line px-5'

function Row({ payment }: { payment: Payment }) {
  const t = useMessages('dashboard')
  return (
    <li>
      <Link
        to="/record"
        search={{ trade_no: payment.trade_no }}
        look="none"
        className={`${rowClass} hover:bg-sunken focus-visible:-outline-offset-2`}
      >
        <TokenLogo token={payment.token} size={28} />
        <span className="min-w-0 grow">
          <span className="sr-only">{t.openPayment('')}</span>
          <span className="num block truncate font-medium" title={payment.title || payment.out_trade_no}>
            {payment.title || payment.out_trade_no}
          </span>
          <span className="block truncate text-xs text-ink-3">{payment.apply_name}</span>
        </span>
        <span className="hidden text-xs text-ink-3 sm:block">
          <Time seconds={payment.paid_time} />
        </span>
        <span className="shrink-0 text-right sm:min-w-44">
          <Amount flow="in" value={payment.paid_amount} unit={payment.token} className="block font-medium" />
          <Requested payment={payment} />
        </span>
      </Link>
    </li>
  )
}

function Requested({ payment }: { payment: Payment }) {
  const price = selectOrderPrice(payment)
  return price && <Amount {...price} className="block text-xs text-ink-3" />
}

const RowSkeleton = () => (
  <li className={rowClass}>
    <Skeleton className="size-7 rounded-full" />
    <Skeleton className="h-4 w-32" />
    <Skeleton className="ml-auto h-4 w-28" />
  </li>
)
