import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { languageNames, languages } from '../../i18n/language.ts'
import { chooseLanguage, useMessages } from '../../i18n/messages.ts'
import { routes } from '../../routes.tsx'
import { chooseTheme, themes } from '../../theme/theme.ts'
import { cx, itemClass } from '../../ui/classes.ts'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { logout } from '../logout.ts'

interface Command {
  key: string
  label: string
  icon: IconName
  run(): void
}

/** Ctrl/Cmd-K: every page and the actions of the header, by name. */
export default function CommandMenu({ onClose }: { onClose(): void }) {
  const t = useMessages('shell')
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const commands = useCommands().filter(command => command.label.toLowerCase().includes(text.trim().toLowerCase()))
  const current = commands[Math.min(chosen, commands.length - 1)]
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const keys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && commands.length > 0) {
      event.preventDefault()
      const next = (chosen + step + commands.length) % commands.length
      setChosen(next)
      document.getElementById(`${id}-${commands[next]?.key}`)?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(current)
  }
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-overlay" />
        <Dialog.Popup
          aria-label={t.search}
          className="fixed top-[12vh] left-1/2 z-30 w-[min(560px,calc(100vw-32px))] -translate-x-1/2 overflow-hidden rounded-lg bg-surface text-ink shadow-popup"
        >
          <div className="flex items-center gap-2.5 border-b border-line px-4">
            <Icon name="search" className="shrink-0 text-ink-3" />
            <input
              role="combobox"
              aria-expanded="true"
              aria-controls={id}
              aria-activedescendant={current && `${id}-${current.key}`}
              aria-label={t.searchPlaceholder}
              placeholder={t.searchPlaceholder}
              value={text}
              onChange={event => {
                setText(event.currentTarget.value)
                setChosen(0)
              }}
              onKeyDown={keys}
              className="h-12 w-full bg-transparent text-[15px] outline-none placeholder:text-ink-3"
            />
          </div>
          <div id={id} role="listbox" aria-label={t.search} className="max-h-[50vh] overflow-y-auto p-1">
            {commands.map(command => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard and points at the option
              <div
                key={command.key}
                id={`${id}-${command.key}`}
                role="option"
                tabIndex={-1}
                aria-selected={command === current}
                onClick={() => run(command)}
                className={cx(itemClass, command === current && 'bg-sunken')}
              >
                <Icon name={command.icon} size={18} className="text-ink-3" />
                {command.label}
              </div>
            ))}
          </div>
          {commands.length === 0 && <p className="px-4 py-8 text-center text-[13px] text-ink-3">{t.noCommand}</p>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useCommands(): Command[] {
  const t = useMessages('shell')
  const common = useMessages('common')
  const navigate = useNavigate()
  return [
    ...routes.map(route => ({
      key: `page${route.path.replaceAll('/', '-')}`,
      label: t.titles[route.title],
      icon: route.menu?.icon ?? ('arrowRight' as const),
      run: () => void navigate({ to: route.path }),
    })),
    ...themes.map(theme => ({
      key: `theme-${theme}`,
      label: `${common.theme}: ${common.themes[theme]}`,
      icon: 'sun' as const,
      run: () => chooseTheme(theme),
    })),
    ...languages.map(language => ({
      key: `language-${language}`,
      label: `${common.language}: ${languageNames[language]}`,
      icon: 'globe' as const,
      run: () => void chooseLanguage(language),
    })),
    { key: 'docs', label: t.documentation, icon: 'book', run: () => void window.open('/docs', '_blank', 'noreferrer') },
    { key: 'logout', label: t.logout, icon: 'logout', run: () => void logout() },
  ]
}
