import { type ReactNode, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { later } from '../../lib/later.tsx'
import { cx } from '../../ui/classes.ts'
import { DelayNotice } from './DelayNotice.tsx'
import { Header } from './Header.tsx'
import { useMenuState } from './menuState.ts'
import { PermissionPrompt } from './PermissionPrompt.tsx'
import { Brand, SideMenu } from './SideMenu.tsx'
import { TestMode } from './TestMode.tsx'

const DrawerMenu = later(() => import('./DrawerMenu.tsx'))

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
        <DelayNotice />
        <main id="content" tabIndex={-1} className="mx-auto w-full max-w-[1440px] grow px-4 py-5 outline-none sm:px-6">
          {children}
        </main>
      </div>
      {drawer && <DrawerMenu onClose={() => setDrawer(false)} />}
    </div>
  )
}
