import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { Bell } from '../../features/notifications/Bell.tsx'
import Ticker from '../../features/notifications/Ticker.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { LanguagePicker, ThemePicker } from '../../kit/Pickers.tsx'
import { useMay } from '../../lib/refused.ts'
import { cx } from '../../ui/classes.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { UserMenu } from './UserMenu.tsx'

const loadCommands = () => import('./CommandMenu.tsx')
const CommandMenu = lazy(loadCommands)

interface Props {
  collapsed: boolean
  onToggleMenu(): void
  onOpenDrawer(): void
}

export function Header({ collapsed, onToggleMenu, onOpenDrawer }: Props) {
  const t = useMessages('shell')
  const texts = useMessages('desktop')
  const common = useMessages('common')
  const [commands, setCommands] = useState(false)
  const typed = useRef('')
  const may = useMay()
  const openCommands = () => {
    typed.current = ''
    setCommands(true)
  }
  useCommandKey(openCommands)
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-1 border-b border-line bg-surface px-3 sm:px-4">
      <span className="hidden md:block">
        <IconButton
          icon="sidebar"
          label={collapsed ? texts.expandMenu : texts.collapseMenu}
          aria-expanded={!collapsed}
          onClick={onToggleMenu}
        />
      </span>
      <span className="md:hidden">
        <IconButton icon="menu" label={common.openMenu} onClick={onOpenDrawer} />
      </span>
      <Ticker />
      <button
        type="button"
        onClick={openCommands}
        onPointerEnter={() => void loadCommands()}
        className={cx(
          'hidden h-8 shrink-0 items-center gap-2 rounded-lg border border-line px-2.5 text-[13px] whitespace-nowrap text-ink-3 hover:border-line-strong hover:text-ink-2 lg:flex',
        )}
      >
        <Icon name="search" size={16} />
        {t.search}
        <kbd className="ml-3 font-sans text-xs">{commandKey}</kbd>
      </button>
      <span className="lg:hidden">
        <IconButton icon="search" label={t.search} onClick={openCommands} />
      </span>
      <a
        href="/docs"
        target="_blank"
        rel="noreferrer"
        className="hidden h-9 shrink-0 items-center gap-1.5 rounded-lg px-2.5 text-[13px] text-ink-2 hover:bg-sunken hover:text-ink md:flex"
      >
        <Icon name="book" size={18} />
        <span className="sr-only lg:not-sr-only">{t.documentation}</span>
      </a>
      {may('GET /api/v1/message') && <Bell />}
      <LanguagePicker />
      <ThemePicker />
      <UserMenu />
      {commands && (
        <Suspense fallback={<EarlyTyping typed={typed} />}>
          <CommandMenu typed={typed} onClose={() => setCommands(false)} />
        </Suspense>
      )}
    </header>
  )
}

const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

function useCommandKey(open: () => void) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // Preload the menu's code when the modifier is pressed.
      if (event.key === 'Control' || event.key === 'Meta') void loadCommands()
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}

/** Buffers what is typed between the shortcut and the menu's first render. */
function EarlyTyping({ typed }: { typed: RefObject<string> }) {
  useEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (event.key.length !== 1 || event.metaKey || event.ctrlKey || event.altKey) return
      event.preventDefault()
      typed.current += event.key
    }
    addEventListener('keydown', keep)
    return () => removeEventListener('keydown', keep)
  }, [typed])
  return null
}
