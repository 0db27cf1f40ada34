import { notificationType } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/limits.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatDay } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { byDay } from '../../lib/byDay.ts'
import { addDays, type Day, dayOf } from '../../lib/days.ts'
import { useCell } from '../../lib/useCell.ts'
import { browserZone, shownZone } from '../../lib/zone.ts'
import { cx, linkClass } from '../../ui/classes.ts'
import { Amount, useWallTime } from '../../ui/data/Values.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { type Notification, notificationPages, readBatch, useIsUnread, useUnreadCount } from './queries.ts'

interface Props {
  /** As high as its contents, for a page of its own. */
  whole?: boolean
  onExpense(notification: Notification): void
  onPayment(trade_no: string): void
}

/** The notification dropdown, with pages of ten loaded on scroll. */
export default function List({ whole, onExpense, onPayment }: Props) {
  const t = useMessages('notifications')
  const shell = useMessages('shell')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(notificationPages)
  const unread = useUnreadCount(data?.pages[0]?.unread ?? 0)
  const isUnread = useIsUnread()
  const rows = data?.pages.flatMap(page => page.list)
  const inLanguage = useCell(language)
  const zone = useCell(shownZone) ?? browserZone()
  const today = dayOf(Date.now() / 1000, zone)
  const near: Record<string, string> = { [today]: shell.today, [addDays(today, -1)]: shell.yesterday }
  const nameOfDay = (day: Day) => near[day] ?? formatDay(day, inLanguage)
  const open = (notification: Notification) => {
    if (isUnread(notification)) readBatch.mark(notification.id)
    if (notification.types === notificationType.aggregation) onExpense(notification)
    else if (notification.trade_no) onPayment(notification.trade_no)
  }
  return (
    <>
      <div className="flex h-12 items-center justify-between border-b border-line px-4">
        <h2 className={cx('text-sm font-semibold', whole && 'sr-only')}>{shell.notifications}</h2>
        <button
          type="button"
          disabled={unread === 0}
          onClick={readBatch.markAll}
          className={cx(
            linkClass,
            'ml-auto text-[13px] pointer-coarse:min-h-11 disabled:text-ink-3 disabled:no-underline',
          )}
        >
          {t.readAll}
        </button>
      </div>
      {/* Limited to the window's height, so that the end of the list stays reachable. */}
      <div
        {...(!whole && {
          className: 'relative max-h-[calc(100dvh-72px)] overflow-y-auto overscroll-contain',
          style: { height: limits.notificationListHeightPx },
        })}
      >
        {error && !rows ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : !rows ? (
          <Placeholders />
        ) : rows.length === 0 ? (
          <Empty icon="bell" title={t.noNotifications} text={t.noNotificationsText} />
        ) : (
          <>
            {byDay(rows, zone).map(({ day, list }) => (
              <section key={day} aria-label={nameOfDay(day)}>
                {/* A drawer has padding above its contents, through which they would show. */}
                <h3
                  className={cx(
                    whole ? '-top-3' : 'top-0',
                    'sticky z-1 border-b border-line bg-sunken px-4 py-1 text-xs font-medium text-ink-2',
                  )}
                >
                  {nameOfDay(day)}
                </h3>
                <OfDay list={list} isUnread={isUnread} onOpen={open} />
              </section>
            ))}
            {hasNextPage ? (
              <NextPage busy={isFetchingNextPage} onSeen={() => void fetchNextPage()} />
            ) : (
              <p className="px-4 py-4 text-center text-xs text-ink-3">{shell.endOfList}</p>
            )}
          </>
        )}
      </div>
    </>
  )
}

interface DayProps {
  list: readonly Notification[]
  isUnread(notification: Notification): boolean
  onOpen(notification: Notification): void
}

const isSweep = ({ types }: Notification) => types === notificationType.aggregation

/** The notifications of a day. Sweeps are many, so that one line at its end stands for them. */
function OfDay({ list, isUnread, onOpen }: DayProps) {
  const t = useMessages('notifications')
  const [open, setOpen] = useState(false)
  const sweeps = list.filter(isSweep)
  const folded = sweeps.length > 1
  const shown = folded ? list.filter(each => !isSweep(each)) : list
  const item = (notification: Notification) => (
    <Item key={notification.id} notification={notification} unread={isUnread(notification)} onOpen={onOpen} />
  )
  return (
    <ul>
      {shown.map(item)}
      {folded && (
        <li className="border-b border-line last:border-0">
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex min-h-11 w-full items-center gap-2.5 px-4 py-2 text-left text-[13px] text-ink-2 hover:bg-sunken focus-visible:-outline-offset-2"
          >
            <span className={cx('size-2 shrink-0 rounded-full', sweeps.some(isUnread) && 'bg-theme')}>
              {sweeps.some(isUnread) && <span className="sr-only">{t.unread}</span>}
            </span>
            {t.sweeps(sweeps.length)}
            <Icon name="chevronDown" size={14} className={cx('ml-auto text-ink-3', open && 'rotate-180')} />
          </button>
        </li>
      )}
      {folded && open && sweeps.map(item)}
    </ul>
  )
}

interface ItemProps {
  notification: Notification
  unread: boolean
  onOpen(notification: Notification): void
}

function Item({ notification, unread, onOpen }: ItemProps) {
  const t = useMessages('notifications')
  const [whole, setWhole] = useState(false)
  const { title, content, types, created_time, ip, device, address, amount, currency } = notification
  const login = types === notificationType.login
  const text = login && !whole ? [ip, device, address].filter(Boolean).join(' · ') : content
  return (
    <li className="border-b border-line last:border-0">
      <button
        type="button"
        aria-expanded={whole}
        onClick={() => {
          setWhole(true)
          onOpen(notification)
        }}
        className="flex w-full gap-2.5 px-4 py-2 text-left hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span className={cx('mt-1.5 size-2 shrink-0 rounded-full', unread ? 'bg-theme' : 'bg-transparent')}>
          {unread && <span className="sr-only">{t.unread}</span>}
        </span>
        <span className="min-w-0 grow">
          <span className="flex items-baseline justify-between gap-3">
            <span
              className={cx(
                whole ? 'break-words' : 'truncate',
                'min-w-0 text-[13px]',
                unread ? 'font-semibold' : 'text-ink-2',
              )}
            >
              {title}
            </span>
            <Clock seconds={created_time} />
          </span>
          {text && (
            <span className={cx(whole ? 'block break-words' : 'block truncate', 'text-xs leading-5 text-ink-3')}>
              {text}
            </span>
          )}
          {types === notificationType.aggregation && amount && (
            <Amount value={amount} unit={currency?.token ?? ''} className="block text-xs leading-5" />
          )}
          {whole && login && (
            <span className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 text-xs text-ink-2">
              <Detail name={t.ip} value={ip} />
              <Detail name={t.device} value={device} />
              <Detail name={t.location} value={address} />
            </span>
          )}
        </span>
      </button>
    </li>
  )
}

/** The time of a day that is named above; the tooltip has both. */
function Clock({ seconds }: { seconds: number }) {
  const { text, zone, ready } = useWallTime(seconds)
  return (
    <time
      dateTime={new Date(seconds * 1000).toISOString()}
      title={`${text} ${zone}`}
      className={cx('num shrink-0 text-xs text-ink-3', !ready && 'invisible')}
    >
      {text.slice(11, 16)}
    </time>
  )
}

const Detail = ({ name, value }: { name: string; value: string | undefined }) =>
  value ? (
    <>
      <span className="text-ink-3">{name}</span>
      <span className="break-words">{value}</span>
    </>
  ) : null

/** Loads the next page when scrolled into view. */
function NextPage({ busy, onSeen }: { busy: boolean; onSeen(): void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watcher = new IntersectionObserver(
      entries => entries.some(entry => entry.isIntersecting) && !busy && onSeen(),
    )
    if (place.current) watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [busy, onSeen])
  return (
    <div ref={place}>
      <Placeholders count={1} />
    </div>
  )
}

const Placeholders = ({ count = 8 }: { count?: number }) => (
  <div aria-busy="true">
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
      <div key={index} className="border-b border-line px-9 py-2">
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="mt-2 h-3 w-full" />
      </div>
    ))}
  </div>
)
