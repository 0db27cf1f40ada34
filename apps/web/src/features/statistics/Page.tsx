import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { DateSpanFilter } from '../../kit/DateSpanFilter.tsx'
import { useDateSpan } from '../../kit/useDateSpan.ts'
import { countDays, lastDays, maxRangeDays } from '../../lib/span.ts'
import { cx, staleClass } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Empty, ErrorState } from '../../ui/feedback/States.tsx'
import { DaysChart } from './DaysChart.tsx'
import { defaultStatisticsRange, isSummaryEmpty, statisticsRangeDays } from './summary.ts'
import { Totals } from './Totals.tsx'
import { ApplicationStatisticsTable, AssetStatisticsTable, DailyStatisticsTable } from './tables.tsx'

export default function StatisticsPage() {
  const t = useMessages('statistics')
  const filter = useDateSpan(statisticsRangeDays, defaultStatisticsRange)
  const { zone, zoneKnown, ready, today, range, requested, change } = filter
  const summary = useQuery({
    ...apiQuery('GET /api/v1/statistics/summary', { query: requested }),
    placeholderData: keepPreviousData,
  })
  const data = ready ? summary.data : undefined
  return (
    <>
      <PageHeader
        title={t.title}
        text={zoneKnown ? t.zone(zone) : '\u00a0'}
        actions={
          <DateSpanFilter
            of={filter}
            t={t}
            presets={statisticsRangeDays.map(days => ({ days, name: days === 1 ? t.today : t.lastDays(days) }))}
          />
        }
      />
      {summary.error && !data ? (
        <Card>
          <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
        </Card>
      ) : (
        <div className={cx('flex flex-col gap-4', summary.isPlaceholderData && staleClass)}>
          <Totals total={data?.total} />
          {data && isSummaryEmpty(data) ? (
            <Card>
              <Empty
                icon="chart"
                title={t.emptyTitle}
                text={t.emptyText}
                action={<Button onClick={() => change(lastDays(maxRangeDays, today), '')}>{t.wholeYear}</Button>}
              />
            </Card>
          ) : (
            <>
              {countDays(range) > 1 && (
                <Card title={t.perDay}>
                  <DaysChart days={data?.days} today={today} />
                </Card>
              )}
              <div className="grid grid-cols-1 items-start gap-4 2xl:grid-cols-2">
                <Card title={t.perApplication} flush>
                  <ApplicationStatisticsTable rows={data?.applications} />
                </Card>
                <Card title={t.perAsset} flush>
                  <AssetStatisticsTable rows={data?.assets} />
                </Card>
              </div>
              <Card title={t.days} flush>
                <DailyStatisticsTable rows={data?.days} total={data?.total} />
              </Card>
            </>
          )}
        </div>
      )}
    </>
  )
}
