import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { SpanFilter } from '../../kit/SpanFilter.tsx'
import { useSpan } from '../../kit/useSpan.ts'
import { countDays, lastDays, longestRange } from '../../lib/span.ts'
import { cx, staleClass } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Empty, ErrorState } from '../../ui/feedback/States.tsx'
import { DaysChart } from './DaysChart.tsx'
import { isQuiet, statisticsDays, statisticsDefault } from './summary.ts'
import { Totals } from './Totals.tsx'
import { PerApplication, PerAsset, PerDay } from './tables.tsx'

export default function StatisticsPage() {
  const t = useMessages('statistics')
  const filter = useSpan(statisticsDays, statisticsDefault)
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
          <SpanFilter
            of={filter}
            t={t}
            presets={statisticsDays.map(days => ({ days, name: days === 1 ? t.today : t.lastDays(days) }))}
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
          {data && isQuiet(data) ? (
            <Card>
              <Empty
                icon="chart"
                title={t.emptyTitle}
                text={t.emptyText}
                action={<Button onClick={() => change(lastDays(longestRange, today), '')}>{t.wholeYear}</Button>}
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
                  <PerApplication rows={data?.applications} />
                </Card>
                <Card title={t.perAsset} flush>
                  <PerAsset rows={data?.assets} />
                </Card>
              </div>
              <Card title={t.days} flush>
                <PerDay rows={data?.days} total={data?.total} />
              </Card>
            </>
          )}
        </div>
      )}
    </>
  )
}
