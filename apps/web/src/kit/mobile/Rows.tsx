import { type ReactNode, useEffect, useRef } from 'react'
import { formatDay } from '../../i18n/formatDay.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { addDays, toDayInZone } from '../../lib/days.ts'
import { groupByDay } from '../../lib/groupByDay.ts'
import { useCell } from '../../lib/useCell.ts'
import { browserZone, displayTimeZone } from '../../lib/zone.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Amount, useWallTime } from '../../ui/data/Values.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import type { ListCall, SearchRules } from '../list/search.ts'
import { selectOrderPrice } from '../price.ts'
import type { EndlessList } from './useList.ts'

export interface RowParts {
  /** Before the text: a logo. */
  picture?: ReactNode
  title: ReactNode
  text?: ReactNode
  /** At the end of each line. */
  value?: ReactNode
  note?: ReactNode
}

interface RowsProps<R> {
  label: string
  list: Pick<EndlessList<ListCall, SearchRules>, 'error' | 'retry' | 'filter' | 'hasMore' | 'busy' | 'more'> & {
    rows: readonly R[] | undefined
  }
  rowKey(row: R): string
  row(row: R): RowParts
  onOpen?(row: R): void
  empty: ReactNode
}

export function NoMatch({ onClear }: { onClear(): void }) {
  const common = useMessages('common')
  return (
    <Empty
      icon="filter"
      title={common.nothingFound}
      text={common.changeFilters}
      action={<Button onClick={onClear}>{common.clearFilters}</Button>}
    />
  )
}

/** A row that came meanwhile moves the later ones, so that a page can repeat the last of the one before. */
export const indexUniqueRows = <R,>(rows: readonly R[], rowKey: (row: R) => string) =>
  new Map(rows.map(each => [rowKey(each), each]))

/** A list of rows of two lines under their days, which loads more while it is scrolled. */
export function Rows<R extends { created_time: number }>({ label, list, rowKey, row, onOpen, empty }: RowsProps<R>) {
  const { rows, error, retry, filter } = list
  if (error && !rows) return <ErrorState error={error} onRetry={retry} />
  if (!rows) return <RowPlaceholders />
  if (rows.length === 0) return filter.active ? <NoMatch onClear={filter.clear} /> : empty
  return (
    <section aria-label={label} className="flex flex-col gap-4">
      <RowsByDay rows={[...indexUniqueRows(rows, rowKey).values()]}>
        {ofDay => (
          <ul className={cx(cardClass, 'divide-y divide-line overflow-hidden')}>
            {ofDay.map(each => (
              <li key={rowKey(each)} className="[contain:paint]">
                <Row {...row(each)} {...(onOpen && { onOpen: () => onOpen(each) })} />
              </li>
            ))}
          </ul>
        )}
      </RowsByDay>
      {list.hasMore ? <LoadMore busy={list.busy} onSeen={list.more} /> : <EndOfList />}
    </section>
  )
}

interface DaysProps<R> {
  rows: readonly R[]
  children(ofDay: readonly R[]): ReactNode
}

/** Rows under the heads of their days. */
export function RowsByDay<R extends { created_time: number }>({ rows, children }: DaysProps<R>) {
  const shell = useMessages('shell')
  const inLanguage = useCell(language)
  const zone = useCell(displayTimeZone) ?? browserZone()
  const today = toDayInZone(Date.now() / 1000, zone)
  const near: Record<string, string> = { [today]: shell.today, [addDays(today, -1)]: shell.yesterday }
  return groupByDay(rows, zone).map(({ day, list }) => {
    const name = near[day] ?? formatDay(day, inLanguage)
    return (
      <section key={day} aria-label={name}>
        <h2 className="px-1 pb-1.5 text-[13px] font-medium text-ink-2">{name}</h2>
        {children(list)}
      </section>
    )
  })
}

export const rowClass = 'flex min-h-16 w-full items-center gap-3 px-4 py-2 text-left active:bg-sunken'

/** Two lines, each with a value at its end, which large text moves below. */
export function Row({ picture, title, text, value, note, onOpen }: RowParts & { onOpen?(): void }) {
  const parts = (
    <>
      {picture && <span className="shrink-0 max-[259px]:hidden">{picture}</span>}
      <span className="min-w-0 grow wrap-anywhere">
        <span className="flex flex-wrap items-baseline gap-x-3 text-[15px] leading-6 font-medium">
          <span className="line-clamp-1 min-w-10 grow basis-0 break-all">{title}</span>
          <span className="ml-auto max-w-full text-right **:whitespace-normal">{value}</span>
        </span>
        <span className="flex min-h-5 flex-wrap items-center gap-x-3 text-xs text-ink-3">
          <span className="line-clamp-1 min-w-24 grow basis-0 break-all">{text}</span>
          <span className="ml-auto max-w-full text-right **:whitespace-normal">{note}</span>
        </span>
      </span>
    </>
  )
  return onOpen ? (
    <button type="button" onClick={onOpen} className={`${rowClass} focus-visible:-outline-offset-2`}>
      {parts}
    </button>
  ) : (
    <div className={rowClass}>{parts}</div>
  )
}

/** The price of an order before what follows in its line. */
export function OrderPrice({ of }: { of: Parameters<typeof selectOrderPrice>[0] }) {
  const price = selectOrderPrice(of)
  return (
    price && (
      <>
        <Amount {...price} />
        {' · '}
      </>
    )
  )
}

/** The time of a day that is named above. */
export function TimeOfDay({ seconds }: { seconds: number }) {
  const { text, ready } = useWallTime(seconds)
  return <span className={cx('num', !ready && 'invisible')}>{text.slice(11, 16)}</span>
}

/** Loads the next rows shortly before they are scrolled into view. */
export function LoadMore({ busy, onSeen }: { busy: boolean; onSeen(): void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watcher = new IntersectionObserver(
      entries => entries.some(entry => entry.isIntersecting) && !busy && onSeen(),
      { rootMargin: '600px' },
    )
    if (place.current) watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [busy, onSeen])
  return (
    <div ref={place} className="min-h-16">
      {busy && <RowPlaceholders count={1} />}
    </div>
  )
}

export function EndOfList() {
  const t = useMessages('shell')
  return <p className="py-2 text-center text-xs text-ink-3">{t.endOfList}</p>
}

export const RowPlaceholders = ({ count = 8 }: { count?: number }) => (
  <div aria-busy="true" className={cx(cardClass, 'divide-y divide-line')}>
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
      <div key={index} className={rowClass}>
        <Skeleton className="size-9 rounded-full" />
        <span className="grow">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="mt-2 h-3 w-1/3" />
        </span>
      </div>
    ))}
  </div>
)
