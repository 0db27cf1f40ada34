import { limits } from '@coffer/contract/kit/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { formatShare } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { Donut } from '../../ui/charts/Donut.tsx'
import { computeTokenShares } from '../../ui/charts/shares.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Figure } from '../../ui/data/Figure.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'

/** Shares of the three most valuable tokens. */
export function AssetRatio({ className }: { className?: string }) {
  const t = useMessages('dashboard')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/statistics/assets', {}))
  const shares = data && computeTokenShares(data.list, limits.dashboardPieTop)
  const rest = shares?.find(share => share.token === null)
  return (
    <Card
      title={t.assetRatio}
      {...(className && { className })}
      actions={
        <Link to="/property" className="text-[13px]">
          {common.viewAll}
        </Link>
      }
    >
      <div className="flex flex-col justify-center lg:min-h-[366px]">
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : shares === undefined ? (
          <RatioSkeleton />
        ) : shares.length === 0 ? (
          <Empty icon="wallet" title={t.assetsEmpty} text={t.assetsEmptyText} />
        ) : (
          <>
            <Donut
              caption={t.assetRatio}
              formatShare={ratio => formatShare(ratio, inLanguage)}
              centre={
                <>
                  <span className="text-xs text-ink-3">{t.totalAssets}</span>
                  <span className="num @container w-full text-base font-semibold">
                    <Figure stacked value={data?.total_value} />
                  </span>
                </>
              }
              slices={shares.flatMap(({ token, value, ratio }) =>
                token === null ? [] : [{ key: token, name: token, ratio, value }],
              )}
            />
            {rest && (
              <p className="mt-1 flex justify-between border-t border-line px-2 pt-2 text-xs text-ink-3">
                <span>{t.otherTokens}</span>
                <span className="num">{formatShare(rest.ratio, inLanguage)}</span>
              </p>
            )}
          </>
        )}
      </div>
    </Card>
  )
}

const RatioSkeleton = () => (
  <div aria-busy="true" className="flex flex-col items-center gap-5">
    <Skeleton className="size-44 rounded-full" />
    <Skeleton className="h-24 w-full" />
  </div>
)
