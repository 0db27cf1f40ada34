import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { readStored, writeStored } from '../../lib/storage.ts'
import { cx } from '../../ui/classes.ts'
import { OutsideLink } from '../../ui/controls/Link.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { DelayNotice } from './DelayNotice.tsx'
import { Header } from './Header.tsx'
import { HoldNotice } from './HoldNotice.tsx'
import { PermissionPrompt } from './PermissionPrompt.tsx'
import { Brand, SideMenu } from './SideMenu.tsx'

const collapsePointPx = 1400
const narrow = () => matchMedia(`(max-width: ${collapsePointPx}px)`)

/** Side menu state: collapsed at 1400 px or less, otherwise as last chosen. The toggle works at any width. */
function useMenuState(): { collapsed: boolean; toggle(): void } {
  const [collapsed, setCollapsed] = useState(() => narrow().matches || readStored('menu') === 'collapsed')
  useEffect(() => {
    const query = narrow()
    const follow = () => setCollapsed(query.matches || readStored('menu') === 'collapsed')
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return {
    collapsed,
    toggle() {
      setCollapsed(!collapsed)
      // On narrow windows the toggle is temporary; only a choice made on wide ones is remembered.
      if (!narrow().matches) writeStored('menu', collapsed ? null : 'collapsed')
    },
  }
}

const CounterNews = lazyComponent(() => import('../CounterNews.tsx'))
const DrawerMenu = lazyComponent(() => import('./DrawerMenu.tsx'))

/** The desktop shell: side menu (216 px, or 64 collapsed), header and page. Below 768 px the menu is a drawer. */
export function Desktop({ children }: { children: ReactNode }) {
  const t = useMessages('shell')
  const { collapsed, toggle } = useMenuState()
  const [drawer, setDrawer] = useState(false)
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-accent px-4 py-2 text-on-accent focus:translate-y-0"
      >
        {t.skipToContent}
      </a>
      <aside
        className={cx(
          'sticky top-0 hidden h-dvh shrink-0 flex-col border-r border-line bg-surface md:flex',
          collapsed ? 'w-16' : 'w-[216px]',
        )}
      >
        <Brand collapsed={collapsed} />
        <div className="relative min-h-0 grow overflow-y-auto">
          <SideMenu collapsed={collapsed} />
        </div>
      </aside>
      <div className="flex min-w-0 grow flex-col">
        <Header collapsed={collapsed} onToggleMenu={toggle} onOpenDrawer={() => setDrawer(true)} />
        <TestMode />
        <PermissionPrompt />
        <HoldNotice />
        <DelayNotice />
        <CounterNews />
        <main id="content" tabIndex={-1} className="mx-auto w-full max-w-[1440px] grow px-4 py-5 outline-none sm:px-6">
          {children}
        </main>
      </div>
      {drawer && <DrawerMenu onClose={() => setDrawer(false)} />}
    </div>
  )
}

/**
 * Says on every page of a sandbox that no money is real, and leads to what stands in for payers, mailbox and operator.
 */
function TestMode() {
  const t = useMessages('shell')
  const texts = useMessages('desktop')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  if (!user?.sandbox) return null
  const places = { wallet: texts.testWallet, inbox: texts.testInbox, approval: texts.testApproval }
  return (
    <section
      aria-label={t.testMode}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-4 py-1.5 text-[13px] sm:px-6"
    >
      <span className="flex items-center gap-2">
        <Badge kind="processing">{t.testMode}</Badge>
        <span className="text-ink-2 max-sm:sr-only">{t.testModeText}</span>
      </span>
      <span className="flex gap-4">
        {Object.entries(places).map(([place, name]) => (
          <OutsideLink key={place} href={`/sandbox#${place}`} className="pointer-coarse:py-3">
            {name}
          </OutsideLink>
        ))}
      </span>
    </section>
  )
}
