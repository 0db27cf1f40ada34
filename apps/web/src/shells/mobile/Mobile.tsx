import { merchantStatus } from '@coffer/contract/codes.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { unreadAnnouncementsQuery, useIsUnread, useUnreadCounts } from '../../features/notifications/queries.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { isCounterDevice } from '../../lib/counter.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { useMay, useMayOpen } from '../../lib/refused.ts'
import { useCell } from '../../lib/useCell.ts'
import { routes } from '../../routes.ts'
import { cx } from '../../ui/classes.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { DelayNotice } from '../desktop/DelayNotice.tsx'
import { PullToRefresh } from './PullToRefresh.tsx'

const MenuDrawer = lazyComponent(() => import('./MenuDrawer.tsx'))
const CounterNews = lazyComponent(() => import('../CounterNews.tsx'))
const HoldNotice = lazyComponent(async () => ({ default: (await import('../desktop/HoldNotice.tsx')).HoldNotice }))
const News = lazyComponent(() => import('./News.tsx'))
const Ticker = lazyComponent(() => import('../../features/notifications/Ticker.tsx'))

/** The height of the bar at the bottom. */
const bar = '[--bar:calc(60px+env(safe-area-inset-bottom))] short:[--bar:calc(44px+env(safe-area-inset-bottom))]'

/** The phone shell: a header with the drawer, the page, and a bar within reach of the thumb. */
export function Mobile({ children }: { children: ReactNode }) {
  const t = useMessages('common')
  const inLanguage = useCell(language)
  const path = useLocation({ select: location => location.pathname })
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const { data: unread } = useQuery(unreadAnnouncementsQuery)
  const [ticks, setTicks] = useState(false)
  const [menu, setMenu] = useState(false)
  const isUnread = useIsUnread()
  const may = useMay()
  const news = unread?.list.some(isUnread)
  // For good: the last one is read while its dialog is open.
  if (unread?.list.length && !ticks) setTicks(true)
  const title = routes.find(route => route.path === path)?.title[inLanguage] ?? t.productName
  const approved = !user || user.status === merchantStatus.approved
  return (
    <div className={cx('flex min-h-dvh flex-col', approved ? bar : '[--bar:env(safe-area-inset-bottom)]')}>
      <header className="sticky top-0 z-20 border-b border-line bg-surface pt-[env(safe-area-inset-top)]">
        <div className="flex h-13 items-center gap-1 pr-[max(4px,env(safe-area-inset-right))] pl-[max(4px,env(safe-area-inset-left))] short:h-11">
          <IconButton icon="menu" label={t.openMenu} onClick={() => setMenu(true)} />
          <div className="relative flex h-full min-w-0 grow items-center">
            <span
              className={cx(
                'pointer-events-none z-10 w-full truncate bg-surface pl-1 text-[17px]/6 font-semibold motion-safe:transition-transform',
                news && '-translate-y-2.5',
              )}
            >
              {title}
            </span>
            {ticks && <Ticker look="title" />}
          </div>
          {user?.sandbox && <TestMode />}
          {may('GET /api/v1/message') && <Bell />}
        </div>
        <DelayNotice />
      </header>
      {user?.hold && <HoldNotice />}
      <PullToRefresh />
      {useCell(isCounterDevice) && <CounterNews />}
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-[640px] grow px-4 pt-4 pb-[calc(var(--bar)+24px)] outline-none"
      >
        {children}
      </main>
      {approved && <BottomBar path={path} />}
      {menu && <MenuDrawer onClose={() => setMenu(false)} />}
    </div>
  )
}

function TestMode() {
  const t = useMessages('shell')
  return (
    <span title={t.testModeText} className="shrink-0">
      <Badge kind="processing">
        <span className="max-[359px]:sr-only">{t.testMode}</span>
      </Badge>
    </span>
  )
}

/** The notification bell, which opens the list as a page. */
function Bell() {
  const t = useMessages('shell')
  const [open, setOpen] = useState(false)
  const { counted, money } = useUnreadCounts()
  return (
    <>
      <IconButton
        icon="bell"
        label={
          counted > 0 ? t.notificationsUnread(String(counted)) : money > 0 ? t.notificationsMoney : t.notifications
        }
        badge={
          counted + money > 0 && (
            <span
              className={cx('absolute top-2.5 right-2.5 size-2 rounded-full', counted > 0 ? 'bg-bad-fill' : 'bg-theme')}
            />
          )
        }
        onClick={() => setOpen(true)}
      />
      {open && <News onClose={() => setOpen(false)} />}
    </>
  )
}

const tabs: { to: string; name: 'home' | 'records' | 'collect' | 'assets' | 'me'; icon: IconName }[] = [
  { to: '/', name: 'home', icon: 'home' },
  { to: '/record', name: 'records', icon: 'list' },
  { to: '/collect', name: 'collect', icon: 'plus' },
  { to: '/property', name: 'assets', icon: 'wallet' },
  { to: '/accountInfo', name: 'me', icon: 'user' },
]

function BottomBar({ path }: { path: string }) {
  const t = useMessages('phone')
  const may = useMayOpen()
  return (
    <nav
      aria-label={t.tabs}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="mx-auto flex max-w-[640px]">
        {tabs
          .filter(({ to }) => may(to))
          .map(({ to, name, icon }) => {
            const current = path === to
            return (
              <li key={to} className="flex-1">
                <Link
                  to={to}
                  look="none"
                  aria-current={current ? 'page' : undefined}
                  className={cx(
                    'flex h-15 flex-col items-center justify-end gap-0.5 pb-2 text-[11px] leading-4 focus-visible:-outline-offset-2 short:h-11 short:flex-row short:justify-center short:gap-2 short:pb-0',
                    current ? 'font-medium text-accent-text' : 'text-ink-2',
                  )}
                >
                  {name === 'collect' ? (
                    <span className="-mt-5 flex size-12 items-center justify-center rounded-full bg-accent text-on-accent shadow-popup short:mt-0 short:size-8">
                      <Icon name={icon} size={24} />
                    </span>
                  ) : (
                    <Icon name={icon} size={22} />
                  )}
                  {t[name]}
                </Link>
              </li>
            )
          })}
      </ul>
    </nav>
  )
}
