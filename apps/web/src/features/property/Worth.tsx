import type { Data } from '@coffer/contract'
import { limits } from '@coffer/contract/limits.ts'
import { useCell } from '../../cell.ts'
import { formatShare } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Card, Stat } from '../../ui/Card.tsx'
import { Donut } from '../../ui/charts/Donut.tsx'
import { sharesOf } from '../../ui/charts/shares.ts'
import { TokenName } from '../../ui/logos/Logo.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { Amount } from '../../ui/Values.tsx'

export interface AssetsProps {
  data: Data<'GET /api/v1/statistics/assets'> | undefined
  error: Error | null
  onRetry(): void
}

/** What everything is worth, and which tokens it consists of: the ten largest, the rest as OTHERS. */
export function Worth({ data, error }: Pick<AssetsProps, 'data' | 'error'>) {
  const t = useMessages('property')
  const inLanguage = useCell(language)
  if (error && !data) return null
  const shares = data && sharesOf(data.list, limits.assetPieTop)
  return (
    <Card title={t.assetRatio}>
      <div className="grid min-h-[200px] grid-cols-1 gap-x-10 gap-y-5 lg:grid-cols-[240px_minmax(0,1fr)]">
        <Stat
          size="large"
          label={t.totalValue}
          value={
            data ? (
              <Amount value={data.total_value} unit="USDT" className="whitespace-normal" />
            ) : (
              <Skeleton className="my-1 h-8 w-52" />
            )
          }
          note={t.totalNote}
        />
        {shares === undefined ? (
          <div className="flex gap-8" aria-busy="true">
            <Skeleton className="size-44 shrink-0 rounded-full" />
            <Skeleton className="h-44 w-full" />
          </div>
        ) : shares.length === 0 ? (
          <p className="self-center text-[13px] text-ink-3">{t.emptyText}</p>
        ) : (
          <Donut
            caption={t.assetRatio}
            formatShare={ratio => formatShare(ratio, inLanguage)}
            slices={shares.map(({ token, value, ratio }) => ({
              key: token ?? '',
              name: token === null ? t.others : <TokenName token={token} />,
              ratio,
              value: <Amount value={value} decimals={2} />,
            }))}
          />
        )}
      </div>
    </Card>
  )
}
