import { type ReactNode, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { later } from '../../lib/later.tsx'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icons.tsx'
import type { ListFilter } from '../list/useListSearch.ts'

const FilterSheet = later(() => import('./FilterSheet.tsx'))

interface Props<F, V extends string> {
  filter: ListFilter<F>
  /** The choice that is one tap away, with the option for all first. */
  quick: { label: string; value: V | undefined; options: readonly { value: V | undefined; label: string }[] }
  onQuick(value: V | undefined): void
  /** The fields of the sheet, which change a draft until it is applied. */
  children(draft: ListFilter<F>): ReactNode
}

/** Filters of a list on a phone: a row to swipe, and the others in a sheet. */
export function FilterBar<F extends object, V extends string>({ filter, quick, onQuick, children }: Props<F, V>) {
  const t = useMessages('phone')
  const [open, setOpen] = useState(false)
  const chip = 'flex h-11 shrink-0 items-center gap-1.5 rounded-full border px-4 text-[13px] font-medium'
  const chosen = 'border-accent bg-accent-soft text-accent-text'
  return (
    <>
      <search
        aria-label={t.filters}
        className="relative -mx-4 mb-3 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none]"
      >
        <button
          type="button"
          onClick={() => setOpen(true)}
          className={cx(chip, filter.active ? chosen : 'border-line bg-surface text-ink-2')}
        >
          <Icon name="filter" size={16} />
          {t.filters}
        </button>
        <fieldset className="flex gap-2">
          <legend className="sr-only">{quick.label}</legend>
          {quick.options.map(({ value, label }) => (
            <button
              key={label}
              type="button"
              aria-pressed={value === quick.value}
              onClick={() => onQuick(value)}
              className={cx(chip, value === quick.value ? chosen : 'border-line bg-surface text-ink-2')}
            >
              {label}
            </button>
          ))}
        </fieldset>
      </search>
      {open && (
        <FilterSheet
          filter={filter as ListFilter<object>}
          onClose={() => setOpen(false)}
          fields={children as (draft: ListFilter<object>) => ReactNode}
        />
      )}
    </>
  )
}
