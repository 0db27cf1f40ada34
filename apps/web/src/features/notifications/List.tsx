import { type NotificationGroup, notificationType } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { formatDay } from '../../i18n/formatDay.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { addDays, type Day, toDayInZone } from '../../lib/days.ts'
import { groupByDay } from '../../lib/groupByDay.ts'
import { useCell } from '../../lib/useCell.ts'
import { browserZone, displayTimeZone } from '../../lib/zone.ts'
import { cx, linkClass } from '../../ui/classes.ts'
import { Checkbox } from '../../ui/controls/Choice.tsx'
import { Tabs } from '../../ui/controls/Tabs.tsx'
import { useWallTime } from '../../ui/data/Values.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { formatUnreadCount } from './formatUnreadCount.ts'
import {
  isMoneyInBellCount,
  type MerchantNotification,
  notificationPagesQuery,
  useIsUnread,
  useUnreadCounts,
} from './queries.ts'
import { readMarkBatch, setMoneyInBellCount } from './readMarks.ts'

interface Props {
  /** As high as its contents, for a page of its own. */
  whole?: boolean
  onExpense(notification: MerchantNotification): void
  /** Before another page is opened. */
  onLeave(): void
}

/**
 * The notification dropdown: what should be read, and the money that moved as it should, which a busy shop has too much
 * of.
 */
export default function List({ whole, onExpense, onLeave }: Props) {
  const t = useMessages('notifications')
  const shell = useMessages('shell')
  const unread = useUnreadCounts()
  const [group, setGroup] = useState<NotificationGroup>(unread.notices === 0 && unread.money > 0 ? 'money' : 'notices')
  const title = (of: NotificationGroup) => (
    <>
      {t[of]} {unread[of] > 0 && <span className="num text-ink-3">{formatUnreadCount(unread[of])}</span>}
    </>
  )
  return (
    <div className="relative">
      <div className={cx('flex items-center px-4', whole ? 'absolute right-0 z-2 h-10' : 'h-12 justify-between')}>
        <h2 className={cx('text-sm font-semibold', whole && 'sr-only')}>{shell.notifications}</h2>
        <button
          type="button"
          disabled={unread.notices + unread.money === 0}
          onClick={readMarkBatch.markAll}
          className={cx(
            linkClass,
            'ml-auto text-[13px] pointer-coarse:min-h-11 disabled:text-ink-3 disabled:no-underline',
          )}
        >
          {t.readAll}
        </button>
      </div>
      <div className="*:[[role=tablist]]:px-4">
        <Tabs<NotificationGroup>
          label={t.groups}
          value={group}
          tabs={[
            { value: 'notices', title: title('notices') },
            { value: 'money', title: title('money') },
          ]}
          onChange={setGroup}
        >
          <OfGroup key={group} group={group} whole={whole} onExpense={onExpense} onLeave={onLeave} />
        </Tabs>
      </div>
    </div>
  )
}

/** The notifications of a group, with pages of ten loaded on scroll. */
function OfGroup({ group, whole, onExpense, onLeave }: Props & { group: NotificationGroup }) {
  const t = useMessages('notifications')
  const shell = useMessages('shell')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    notificationPagesQuery(group),
  )
  const isUnread = useIsUnread()
  const rows = data?.pages.flatMap(page => page.list)
  const inLanguage = useCell(language)
  const zone = useCell(displayTimeZone) ?? browserZone()
  const today = toDayInZone(Date.now() / 1000, zone)
  const near: Record<string, string> = { [today]: shell.today, [addDays(today, -1)]: shell.yesterday }
  const nameOfDay = (day: Day) => near[day] ?? formatDay(day, inLanguage)
  const openSubject = useOpenSubject()
  const open = (notification: MerchantNotification) => {
    if (isUnread(notification)) readMarkBatch.mark(notification.id)
    if (notification.types === notificationType.aggregation) onExpense(notification)
    else if (notification.about && !isReadHere(notification.about)) leaveTo(notification.about)
  }
  const leaveTo = (about: About) => {
    onLeave()
    openSubject(about)
  }
  return (
    // Limited to the window's height, so that the end of the list stays reachable.
    <div
      {...(!whole && {
        className: 'relative max-h-[calc(100dvh-112px)] overflow-y-auto overscroll-contain',
        style: { height: limits.notificationListHeightPx },
      })}
    >
      {group === 'money' && <CountMoney />}
      {error && !rows ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !rows ? (
        <Placeholders />
      ) : rows.length === 0 ? (
        <Empty
          icon="bell"
          title={group === 'money' ? t.noMoney : t.noNotifications}
          text={group === 'money' ? t.noMoneyText : t.noNotificationsText}
        />
      ) : (
        <>
          {groupByDay(rows, zone).map(({ day, list }) => (
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
              <OfDay list={list} isUnread={isUnread} onOpen={open} onLeave={leaveTo} />
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
  )
}

/** Whether the bell of this device counts them. */
function CountMoney() {
  const t = useMessages('notifications')
  return (
    <div className="border-b border-line px-4 py-2">
      <Checkbox label={t.countMoney} checked={useCell(isMoneyInBellCount)} onChange={setMoneyInBellCount} />
    </div>
  )
}

type About = NonNullable<MerchantNotification['about']>

/** Goes to what a notification is about: its details where it has some, else the list that it is found in. */
function useOpenSubject(): (about: About) => void {
  const navigate = useNavigate()
  const pages: Record<About['kind'], (id: string) => Promise<void>> = {
    payment: id => navigate({ to: '/record', search: { trade_no: id } }),
    refund: id => navigate({ to: '/record/refund', search: { order: id } }),
    withdrawal: id => navigate({ to: '/record/withdrawal', search: { id } }),
    transfer: id => navigate({ to: '/transfer/record', search: { id } }),
    recharge: id => navigate({ to: '/property/recharge', search: { text: id } }),
    callback: id => navigate({ to: '/callbackList', search: { id } }),
    work_order: id => navigate({ to: '/workOrder', search: { number: id } }),
    application: id => navigate({ to: '/appManage', search: { appid: id } }),
    security: () => navigate({ to: '/accountInfo' }),
    billing: () => navigate({ to: '/billing' }),
  }
  return ({ kind, id }) => void pages[kind](id)
}
const readHere = ['application', 'security', 'billing'] as const
type ReadHere = (typeof readHere)[number]

/** Whether the whole text is read in the list before its page is opened. */
const isReadHere = (about: About): about is About & { kind: ReadHere } => readHere.some(kind => kind === about.kind)

interface DayProps {
  list: readonly MerchantNotification[]
  isUnread(notification: MerchantNotification): boolean
  onOpen(notification: MerchantNotification): void
  onLeave(about: About): void
}

const isSweep = ({ types }: MerchantNotification) => types === notificationType.aggregation

/** The notifications of a day. Sweeps are many, so that one line at its end stands for them. */
function OfDay({ list, isUnread, onOpen, onLeave }: DayProps) {
  const t = useMessages('notifications')
  const [open, setOpen] = useState(false)
  const sweeps = list.filter(isSweep)
  const folded = sweeps.length > 1
  const shown = folded ? list.filter(each => !isSweep(each)) : list
  const item = (notification: MerchantNotification) => (
    <Item
      key={notification.id}
      notification={notification}
      unread={isUnread(notification)}
      onOpen={onOpen}
      onLeave={onLeave}
    />
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
  notification: MerchantNotification
  unread: boolean
  onOpen(notification: MerchantNotification): void
  onLeave(about: About): void
}

function Item({ notification, unread, onOpen, onLeave }: ItemProps) {
  const t = useMessages('notifications')
  const [whole, setWhole] = useState(false)
  const { title, content, types, created_time, ip, device, address, about } = notification
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
            <span className={cx(whole ? 'block' : 'line-clamp-2', 'text-xs leading-5 break-words text-ink-3')}>
              {text}
            </span>
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
      {whole && about && isReadHere(about) && (
        <button
          type="button"
          onClick={() => onLeave(about)}
          className={cx(linkClass, 'mr-4 mb-2 ml-8.5 text-xs pointer-coarse:min-h-11')}
        >
          {t.openIt[about.kind]}
        </button>
      )}
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
