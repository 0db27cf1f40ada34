import { type ComponentType, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { cx } from '../../ui/classes.ts'
import type { SelectOption } from '../../ui/controls/options.ts'
import { Icon } from '../../ui/icons.tsx'
import { type AnyField, type FilterValues, toFieldOptions } from '../list/fields.ts'
import { isSearchBoxField, SearchBox } from '../list/SearchBox.tsx'
import type { SearchRules } from '../list/search.ts'
import type { ListFilter } from '../list/useListSearch.ts'
import type { FilterSheetProps } from './FilterSheet.tsx'

const FilterSheet = lazyComponent(() => import('./FilterSheet.tsx'))

const inOrder =
  (values: readonly string[] = []) =>
  (one: SelectOption, other: SelectOption) =>
    values.indexOf(one.value) - values.indexOf(other.value)

interface Props {
  filter: ListFilter
  rules: SearchRules
  fields: readonly AnyField[]
  /** Loads the sheet with further fields. */
  Sheet?: ComponentType<FilterSheetProps> | undefined
}

/**
 * Filters of a list on a phone: the search box, the choice that is one tap away in a row to swipe, and the others in a
 * sheet.
 */
export function FilterBar({ filter, rules, fields, Sheet = FilterSheet }: Props) {
  const t = useMessages('phone')
  const [open, setOpen] = useState(false)
  const chip = 'flex h-11 shrink-0 items-center gap-1.5 rounded-full border px-4 text-[13px] font-medium'
  const chosen = 'border-accent bg-accent-soft text-accent-text'
  const other = 'border-line bg-surface text-ink-2'
  const quick = fields.find(field => 'quick' in field)
  if (!quick || !('quick' in quick)) return null
  const { values, set } = filter as ListFilter<FilterValues>
  const every = toFieldOptions(quick, rules)
  const options =
    quick.quick === 'all' ? every : every.filter(({ value }) => quick.quick?.includes(value)).sort(inOrder(quick.quick))
  const now = options.find(({ value }) => value === values[quick.by])?.value
  const boxes = fields.filter(isSearchBoxField)
  // The search box and the choice beside it show what they find by themselves.
  const isFiltered = Object.keys(values).some(
    name => !boxes.some(({ by }) => by === name) && !(name === quick.by && now),
  )
  return (
    <>
      <search aria-label={t.filters} className="mb-3 flex flex-col gap-2">
        {boxes.map(field => (
          <SearchBox key={field.by} {...{ field, filter, rules }} />
        ))}
        <div className="relative -mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none]">
          <button type="button" onClick={() => setOpen(true)} className={cx(chip, isFiltered ? chosen : other)}>
            <Icon name="filter" size={16} />
            {t.filters}
          </button>
          <fieldset className="flex gap-2">
            <legend className="sr-only">{quick.label}</legend>
            {[{ value: undefined, label: quick.all }, ...options].map(({ value, label }) => (
              <button
                key={label}
                type="button"
                aria-pressed={value === now}
                onClick={() => set({ [quick.by]: value })}
                className={cx(chip, value === now ? chosen : other)}
              >
                {label}
              </button>
            ))}
          </fieldset>
        </div>
      </search>
      {open && (
        <Sheet
          filter={filter}
          rules={rules}
          fields={quick.quick === 'all' ? fields.filter(field => field !== quick) : fields}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
