import type { RouteData } from '@coffer/contract'
import { limits } from '@coffer/contract/kit/limits.ts'
import { formatShare } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { Donut } from '../../ui/charts/Donut.tsx'
import { computeTokenShares } from '../../ui/charts/shares.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Link, useHasPage } from '../../ui/controls/Link.tsx'
import { Card, Stat } from '../../ui/data/Card.tsx'
import { Figure } from '../../ui/data/Figure.tsx'
import { Empty, Skeleton } from '../../ui/feedback/States.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { TokenName } from '../../ui/logos/Logo.tsx'

export interface AssetsProps {
  data: RouteData<'GET /api/v1/statistics/assets'> | undefined
  error: Error | null
  onRetry(): void
}

/** Total value, links to related pages, and the token shares. */
export function TotalAssetValue({ data, error }: Pick<AssetsProps, 'data' | 'error'>) {
  const t = useMessages('ledger')
  if (error && !data) return null
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-[340px_minmax(0,1fr)]">
      <section aria-label={t.totalValue} className={cx(cardClass, 'flex flex-col')} aria-busy={data === undefined}>
        <div className="grow px-5 py-5">
          <Stat size="large" label={t.totalValue} value={<Figure value={data?.total_value} />} note={t.totalNote} />
        </div>
        <ul className="border-t border-line">
          <Way to="/withdraw" icon="withdraw" text={t.withdraw} />
          <Way to="/property/recharge" icon="recharge" text={t.recharge} />
          <Way to="/property/fixedAddr" icon="pin" text={t.fixedAddr} />
          <Way to="/property/fundingDetails" icon="swap" text={t.fundingDetails} />
        </ul>
      </section>
      <Ratio data={data} />
    </div>
  )
}

function Way({ to, icon, text }: { to: string; icon: IconName; text: string }) {
  if (!useHasPage(to)) return null
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        to={to}
        look="none"
        className="flex h-11 items-center gap-2.5 px-5 hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <Icon name={icon} size={16} className="text-ink-3" />
        <span className="grow">{text}</span>
        <Icon name="chevronRight" size={16} className="text-ink-3" />
      </Link>
    </li>
  )
}

/** The ten most valuable tokens, the rest as OTHERS. */
function Ratio({ data }: Pick<AssetsProps, 'data'>) {
  const t = useMessages('ledger')
  const inLanguage = useCell(language)
  const shares = data && computeTokenShares(data.list, limits.assetPieTop)
  return (
    <Card title={t.assetRatio}>
      <div className="min-h-[200px]">
        {shares === undefined ? (
          <div className="flex gap-8" aria-busy="true">
            <Skeleton className="size-44 shrink-0 rounded-full" />
            <Skeleton className="h-44 w-full" />
          </div>
        ) : shares.length === 0 ? (
          <Empty icon="wallet" title={t.emptyTitle} text={t.emptyText} />
        ) : (
          <Donut
            caption={t.assetRatio}
            formatShare={ratio => formatShare(ratio, inLanguage)}
            slices={shares.map(({ token, value, ratio }) => ({
              key: token ?? '',
              name: token === null ? t.others : <TokenName token={token} />,
              ratio,
              value,
            }))}
          />
        )}
      </div>
    </Card>
  )
}
