import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { DateSpanFilter } from '../../kit/DateSpanFilter.tsx'
import { useDateSpan } from '../../kit/useDateSpan.ts'
import { toQueryTimes } from '../../lib/days.ts'
import { lastDays, maxRangeDays } from '../../lib/span.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Empty, ErrorState } from '../../ui/feedback/States.tsx'
import { PaymentsChart, PaymentsChartSkeleton } from './PaymentsChart.tsx'
import {
  chartRangeDays,
  countComparedDays,
  defaultChartRange,
  hasNoPaymentActivity,
  resolveComparedRanges,
  splitComparedDays,
} from './series.ts'
import { latestPaid } from './useFirstSteps.ts'

/** Payments and income of a range. */
export function PaymentsCard() {
  const t = useMessages('dashboard')
  const paid = useQuery(latestPaid)
  const isNew = paid.data ? paid.data.total === 0 : !paid.isError
  const filter = useDateSpan(chartRangeDays, defaultChartRange, true)
  const { zone, zoneKnown, ready, today, span, range, requested, appid, change } = filter
  // The last days come with those they are compared with, in one call.
  const last = 'days' in span ? span.days : undefined
  const query = last === undefined ? requested : { ...requested, days: countComparedDays(last) }
  const daily = useQuery({
    ...apiQuery('GET /api/v1/statistics/daily-collection', { query }),
    placeholderData: keepPreviousData,
  })
  const compared = resolveComparedRanges(range, today)
  const earlier = useQuery({
    ...apiQuery('GET /api/v1/statistics/daily-collection', {
      query: { ...toQueryTimes(compared?.before ?? range, zone), ...(appid && { appid }) },
    }),
    enabled: last === undefined && compared !== null,
  })
  const list = ready ? daily.data?.list : undefined
  const { points, before } =
    list && last !== undefined
      ? splitComparedDays(list, last)
      : { points: list, before: compared ? earlier.data?.list : undefined }
  return (
    <Card
      title={t.payments}
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <DateSpanFilter of={filter} t={t} presets={chartRangeDays.map(days => ({ days, name: t.days(days) }))} />
        </div>
      }
    >
      <div className="flex min-h-[366px] flex-col">
        {daily.error && !points ? (
          <ErrorState error={daily.error} onRetry={() => void daily.refetch()} />
        ) : points === undefined ? (
          <PaymentsChartSkeleton />
        ) : hasNoPaymentActivity(points) ? (
          <Empty
            icon="chart"
            title={t.noPayments}
            // No longer range has more before the first payment.
            {...(!isNew && {
              text: t.noPaymentsText,
              action: <Button onClick={() => change(lastDays(maxRangeDays, today), '')}>{t.wholeYear}</Button>,
            })}
          />
        ) : (
          <PaymentsChart
            points={points}
            before={before}
            today={(last !== undefined && points.at(-1)?.date) || today}
            stale={daily.isPlaceholderData}
            zone={zoneKnown ? zone : ''}
          />
        )}
      </div>
    </Card>
  )
}
