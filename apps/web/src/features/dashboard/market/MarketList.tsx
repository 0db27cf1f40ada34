import type { RouteData } from '@coffer/contract'
import { limits } from '@coffer/contract/kit/limits.ts'
import { language } from '../../../i18n/language.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { useCell } from '../../../lib/useCell.ts'
import { staleClass } from '../../../ui/classes.ts'
import { IconButton } from '../../../ui/controls/Button.tsx'
import { Amount, NoValue } from '../../../ui/data/Values.tsx'
import { Empty, ErrorState, Skeleton } from '../../../ui/feedback/States.tsx'
import { TokenLogo } from '../../../ui/logos/Logo.tsx'
import { formatPriceChange, type MarketMode } from './mode.ts'

type Item = RouteData<'GET /api/v1/market/search'>['list'][number]

interface Props {
  mode: MarketMode['mode']
  name: string
  items: readonly Item[] | undefined
  error: Error | null
  stale: boolean
  followed: readonly string[]
  onRetry(): void
  onToggle(token: string): void
}

/** Fixed at four rows, so that mode and state do not shift the layout; more rows scroll. */
export function MarketList({ mode, name, items, error, stale, onRetry, ...rows }: Props) {
  const t = useMessages('dashboard')
  return (
    <div className="relative flex h-[228px] flex-col overflow-y-auto">
      {error && !items ? (
        <ErrorState error={error} onRetry={onRetry} />
      ) : items === undefined ? (
        <RowsSkeleton />
      ) : items.length === 0 ? (
        <Empty
          icon="search"
          title={mode === 'follow' ? t.noFollowed : t.noToken(name)}
          text={mode === 'follow' ? t.noFollowedText : undefined}
        />
      ) : (
        <ul aria-label={mode === 'follow' ? t.followed : t.searchToken} className={stale ? staleClass : ''}>
          {items.map(item => (
            <Row key={item.id} item={item} {...rows} />
          ))}
        </ul>
      )}
      <span aria-live="polite" className="sr-only">
        {mode === 'search' && items && !stale ? t.results(items.length) : ''}
      </span>
    </div>
  )
}

function Row({ item, followed, onToggle }: Pick<Props, 'followed' | 'onToggle'> & { item: Item }) {
  const t = useMessages('dashboard')
  const follows = followed.includes(item.token)
  return (
    <li className="flex h-14 items-center gap-3 border-t border-line pr-3 pl-5">
      <TokenLogo token={item.token} size={24} />
      <span className="min-w-0 grow truncate font-medium">{item.token}</span>
      <span className="text-right">
        <Amount value={item.balance} className="block font-medium" />
        <Change value={item.p} />
      </span>
      <IconButton
        call="PUT /api/v1/market/follow/token"
        size="small"
        icon="star"
        label={follows ? t.unfollow(item.token) : t.follow(item.token)}
        aria-pressed={follows}
        className={follows ? 'text-theme [&_svg]:fill-current' : 'text-ink-3'}
        onClick={() => onToggle(item.token)}
      />
    </li>
  )
}

/** Shown without colour, which marks incoming and outgoing money. */
function Change({ value }: { value: string }) {
  const t = useMessages('dashboard')
  const inLanguage = useCell(language)
  return (
    <span className="num text-xs text-ink-3">
      <span className="sr-only">{t.change} </span>
      {formatPriceChange(value, inLanguage) ?? <NoValue />}
    </span>
  )
}

const RowsSkeleton = () =>
  Array.from({ length: limits.marketFollowMax }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
    <div key={index} className="flex h-14 items-center gap-3 border-t border-line pr-3 pl-5">
      <Skeleton className="size-6 rounded-full" />
      <Skeleton className="h-4 w-14" />
      <Skeleton className="mr-9 ml-auto h-4 w-20" />
    </div>
  ))
