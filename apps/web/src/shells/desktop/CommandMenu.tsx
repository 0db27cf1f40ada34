import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cx, itemClass } from '../../ui/classes.ts'
import { Icon } from '../../ui/icons.tsx'
import { type Command, type CommandGroup, useCommands } from './commands.ts'

/** Ctrl/Cmd-K: finds pages, applications and actions by name, and payments by order number. */
export default function CommandMenu({ typed, onClose }: { typed: RefObject<string>; onClose(): void }) {
  const t = useMessages('shell')
  const texts = useMessages('desktop')
  const id = useId()
  const [text, setText] = useState('')
  // In an effect rather than as initial state: more may be typed between render and commit.
  useLayoutEffect(() => setText(typed.current), [typed])
  const [chosen, setChosen] = useState(0)
  const ran = useRef(false)
  const { groups, waiting } = useCommands(text)
  const commands = groups.flatMap(group => group.commands)
  const current = commands[Math.min(chosen, commands.length - 1)]
  const run = (command: Command | undefined) => {
    if (!command) return
    ran.current = true
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
          // After a command, focus belongs to whatever it opened.
          finalFocus={() => !ran.current}
          className="fixed top-[12vh] left-1/2 z-30 w-[min(560px,calc(100vw-32px))] -translate-x-1/2 overflow-hidden rounded-lg bg-surface text-ink shadow-popup"
        >
          <div className="flex items-center gap-2.5 border-b border-line px-4">
            <Icon name="search" className="shrink-0 text-ink-3" />
            <SearchField
              id={id}
              current={current}
              text={text}
              onType={next => {
                setText(next)
                setChosen(0)
              }}
              onKeyDown={keys}
            />
          </div>
          <div
            id={id}
            role="listbox"
            aria-label={t.search}
            className="relative max-h-[56vh] overflow-y-auto p-1 empty:hidden"
          >
            {groups.map(group => (
              <Group key={group.name} group={group} id={id} current={current} onRun={run} />
            ))}
          </div>
          <p role="status" className="px-4 text-center text-[13px] text-ink-3 not-empty:py-8">
            {commands.length > 0 ? '' : waiting ? texts.searching : texts.noCommand}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface SearchFieldProps {
  /** Of the list that it controls. */
  id: string
  current: Command | undefined
  text: string
  onType(text: string): void
  onKeyDown(event: KeyboardEvent): void
}

function SearchField({ id, current, text, onType, onKeyDown }: SearchFieldProps) {
  const { searchPlaceholder } = useMessages('desktop')
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: a menu opened by a shortcut takes typing immediately
      autoFocus
      role="combobox"
      aria-expanded="true"
      aria-controls={id}
      aria-activedescendant={current && `${id}-${current.key}`}
      aria-label={searchPlaceholder}
      placeholder={searchPlaceholder}
      value={text}
      onChange={event => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      className="h-12 w-full bg-transparent text-[15px] outline-none placeholder:text-ink-3"
    />
  )
}

interface GroupProps {
  group: CommandGroup
  id: string
  current: Command | undefined
  onRun(command: Command): void
}

const Group = ({ group, id, current, onRun }: GroupProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a listbox cannot contain a fieldset
  <div role="group" aria-label={group.title} className="not-first:mt-1">
    <div aria-hidden="true" className="px-3 pt-2 pb-1 text-xs font-medium text-ink-3">
      {group.title}
    </div>
    {group.commands.map(command => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keyboard and points at the option
      <div
        key={command.key}
        id={`${id}-${command.key}`}
        role="option"
        tabIndex={-1}
        aria-selected={command === current}
        onClick={() => onRun(command)}
        className={cx(itemClass, command === current && 'bg-sunken')}
      >
        <Icon name={command.icon} size={18} className="shrink-0 text-ink-3" />
        <span className="min-w-0 truncate">{command.label}</span>
        {command.note && <span className="num ml-auto shrink-0 pl-4 text-xs text-ink-3">{command.note}</span>}
      </div>
    ))}
  </div>
)
