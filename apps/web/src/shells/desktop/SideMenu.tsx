import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { notificationPagesQuery } from '../../features/notifications/queries.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { cx } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProductLogo } from '../../ui/ProductLogo.tsx'
import { useMenu } from '../useMenu.ts'
import { activePath } from './activePath.ts'

export function SideMenu({ collapsed, onChoose }: { collapsed: boolean; onChoose?(): void }) {
  const t = useMessages('shell')
  const inLanguage = useCell(language)
  const { groups, waitingAt } = useMenu()
  const unread = useInfiniteQuery(notificationPagesQuery('notices')).data?.pages[0]?.work_orders
  const path = useLocation({ select: location => location.pathname })
  const active = activePath(
    path,
    groups.flatMap(({ entries }) => entries.map(entry => entry.path)),
  )
  return (
    <nav aria-label={t.mainMenu} className="flex flex-col gap-4 px-3 py-3">
      {groups.map(({ group, entries }) => (
        <div key={group}>
          <h2 className={cx('mb-1 px-2.5 text-xs font-medium text-ink-3', collapsed && 'sr-only')}>
            {t.groups[group]}
          </h2>
          <ul className="flex flex-col gap-0.5">
            {entries.map(entry => {
              const title = entry.title[inLanguage]
              const mark = entry.path === '/workOrder' ? unread : waitingAt(entry)
              const current = entry.path === active
              return (
                <li key={entry.path}>
                  <Link
                    to={entry.path}
                    look="none"
                    title={collapsed ? title : undefined}
                    aria-label={collapsed ? `${title} ${mark || ''}` : undefined}
                    onClick={onChoose}
                    className={cx(
                      'flex h-9 items-center gap-2.5 rounded-lg px-2.5 text-sm transition-colors focus-visible:-outline-offset-2 pointer-coarse:h-11',
                      current
                        ? 'bg-accent-soft font-medium text-accent-text'
                        : 'text-ink-2 hover:bg-sunken hover:text-ink',
                    )}
                  >
                    <Icon name={entry.menu.icon} className="shrink-0" />
                    {!collapsed && <span className="truncate">{title}</span>}
                    {mark ? (
                      <span className="num -mx-1 rounded-full bg-bad-fill px-1.5 text-[11px] text-on-accent">
                        {mark}
                      </span>
                    ) : null}
                  </Link>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** Logo and product name, linked to the dashboard. */
export function Brand({ collapsed }: { collapsed: boolean }) {
  const t = useMessages('common')
  return (
    <Link
      to="/"
      look="none"
      preload={false}
      aria-label={t.productName}
      className="flex h-14 items-center gap-2.5 px-5 focus-visible:-outline-offset-2"
    >
      <ProductLogo />
      {!collapsed && <span className="text-base font-semibold tracking-tight">{t.productName}</span>}
    </Link>
  )
}
