import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { cx } from '../classes.ts'

interface Props<V extends string> {
  label: string
  value: V
  tabs: readonly { value: V; title: ReactNode }[]
  onChange(value: V): void
  /** `line` for views of a page; `box` for a small choice such as 7 or 30 days. */
  look?: 'line' | 'box'
  /** The panel of the selected tab. Without it the tabs are only a choice, such as the range of a chart. */
  children?: ReactNode
}

/** Tabs with arrow-key navigation; only the selected tab is in the tab order. */
export function Tabs<V extends string>({ label, value, tabs, onChange, look = 'line', children }: Props<V>) {
  const id = useId()
  const keys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const index = Math.max(
      0,
      tabs.findIndex(tab => tab.value === value),
    )
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.value)
    document.getElementById(`${id}-${next.value}`)?.focus()
  }
  const box = look === 'box'
  /** Without a selected tab (a custom range) the first is in the tab order. */
  const known = tabs.some(tab => tab.value === value)
  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={keys}
        className={
          box
            ? 'inline-flex w-fit rounded-lg bg-sunken p-0.5 max-[259px]:flex-wrap'
            : 'relative flex gap-5 overflow-x-auto border-b border-line'
        }
      >
        {tabs.map((tab, index) => {
          const selected = tab.value === value
          return (
            <button
              key={tab.value}
              id={`${id}-${tab.value}`}
              type="button"
              role="tab"
              aria-selected={selected}
              aria-controls={children ? `${id}-panel` : undefined}
              tabIndex={selected || (!known && index === 0) ? 0 : -1}
              onClick={() => onChange(tab.value)}
              className={cx(
                'text-[13px] min-[260px]:whitespace-nowrap transition-colors focus-visible:-outline-offset-2 pointer-coarse:h-11',
                box ? 'h-8 rounded-md px-3' : '-mb-px h-10 border-b-2 px-0.5',
                box &&
                  (selected
                    ? 'bg-surface font-medium text-ink shadow-[0_0_0_1px_var(--line)]'
                    : 'text-ink-2 hover:text-ink'),
                !box &&
                  (selected ? 'border-accent font-medium text-ink' : 'border-transparent text-ink-2 hover:text-ink'),
              )}
            >
              {tab.title}
            </button>
          )
        })}
      </div>
      {children && (
        <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`}>
          {children}
        </div>
      )}
    </>
  )
}
