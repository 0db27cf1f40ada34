import { memo, type ReactNode, useState } from 'react'
import { withNote } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { toDayInZone } from '../../lib/days.ts'
import { maxRangeDays } from '../../lib/span.ts'
import { useCell } from '../../lib/useCell.ts'
import { browserZone, displayTimeZone } from '../../lib/zone.ts'
import { cx } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import type { SelectOption } from '../../ui/controls/options.ts'
import { Select } from '../../ui/controls/Select.tsx'
import { DateRange } from '../../ui/dates/DateRange.tsx'
import { type AnyField, type FilterValues, toFieldOptions } from './fields.ts'
import { isSearchBoxField, SearchBox } from './SearchBox.tsx'
import type { SearchRules } from './search.ts'
import type { ListFilter } from './useListSearch.ts'

interface FiltersProps {
  label: string
  filter: ListFilter
  rules: SearchRules
  fields: readonly AnyField[]
  /** Label of the button that shows further fields. */
  more?: string | undefined
  /** Overrides the layout in rows. */
  className?: string | undefined
}

/**
 * The filters of a list, with a button that clears them. Its place is kept while none is set, so that what stands below
 * does not move.
 */
export function Filters({ label, filter, rules, fields, more, className = 'flex flex-wrap' }: FiltersProps) {
  const common = useMessages('common')
  const boxes = fields.filter(isSearchBoxField)
  const others = fields.filter(field => !isSearchBoxField(field))
  const clear = (
    <Button
      look="ghost"
      icon="close"
      className={cx(!filter.active && 'invisible', boxes.length === 0 && 'max-sm:self-end sm:mt-[26px]')}
      onClick={filter.clear}
    >
      {common.clearFilters}
    </Button>
  )
  return (
    <search aria-label={label} className="flex flex-col gap-3 px-5 py-4">
      {boxes.map(field => (
        <div key={String(field.by)} className="flex gap-3 max-sm:flex-wrap">
          <SearchBox field={field} filter={filter} rules={rules} />
          {clear}
        </div>
      ))}
      <div className="flex items-start gap-3 max-sm:flex-col">
        <div className={cx('w-full items-start gap-3', className)}>
          <FilterFields filter={filter} rules={rules} fields={others} more={more} />
        </div>
        {boxes.length === 0 && clear}
      </div>
    </search>
  )
}

const namesIn = (field: AnyField): readonly string[] => (typeof field.by === 'string' ? [field.by] : field.by)

/** Memoised, so that changing the page does not render the filters again. */
export const FilterFields = memo(
  ({ filter, rules, fields, more }: Pick<FiltersProps, 'filter' | 'rules' | 'fields' | 'more'>) => {
    const [requested, setRequested] = useState(more === undefined)
    const values = filter.values as FilterValues
    const isWhole =
      requested || fields.some(field => field.isMore && namesIn(field).some(name => values[name] !== undefined))
    return (
      <>
        {fields.map(
          field =>
            (isWhole || !field.isMore) && (
              <OneField key={String(field.by)} field={field} filter={filter} rules={rules} />
            ),
        )}
        {!isWhole && (
          <Button look="ghost" icon="plus" className="max-sm:self-end sm:mt-[26px]" onClick={() => setRequested(true)}>
            {more}
          </Button>
        )}
      </>
    )
  },
)

interface FieldProps<F> {
  field: F
  filter: ListFilter
  rules: SearchRules
}
type FieldWith<P extends string> = Extract<AnyField, Record<P, unknown>>

function OneField({ field, filter, rules }: FieldProps<AnyField>): ReactNode {
  const { values, set } = filter as ListFilter<FilterValues>
  if (isSearchBoxField(field)) return <SearchBox field={field} filter={filter} rules={rules} />
  if ('names' in field) return <Choice field={field} filter={filter} options={toFieldOptions(field, rules)} />
  if ('useOptions' in field) return <LoadedChoice field={field} filter={filter} rules={rules} />
  if ('error' in field) {
    const names = namesIn(field)
    const ruleOf = (text: string) => names.find(name => rules[name]?.(text))
    return (
      <NumberFilter
        label={field.label}
        className={field.width ?? 'w-full grow sm:w-60'}
        value={names.map(name => values[name]).find(value => value !== undefined)}
        fits={text => ruleOf(text) !== undefined}
        error={field.error}
        digits={field.digits ?? false}
        onCommit={text =>
          set(Object.fromEntries(names.map(name => [name, text && name === ruleOf(text) ? text : undefined])))
        }
      />
    )
  }
  return <DaysFilter label={field.label} filter={filter} {...(field.width && { className: field.width })} />
}

function LoadedChoice({ field, filter }: FieldProps<FieldWith<'useOptions'>>) {
  return <Choice field={field} filter={filter} options={field.useOptions(filter.values as FilterValues)} />
}

interface ChoiceProps {
  field: FieldWith<'all'>
  filter: ListFilter
  options: readonly SelectOption[]
}

/** A filter by one of several values, applied immediately. */
function Choice({ field: { by, label, all, width = 'w-full sm:w-40', clears = [] }, filter, options }: ChoiceProps) {
  const { values, set } = filter as ListFilter<FilterValues>
  return (
    <Field label={label} className={width}>
      {control => (
        <Select
          {...control}
          value={values[by] ?? ''}
          placeholder={all}
          options={options}
          onChange={chosen =>
            set({ ...Object.fromEntries(clears.map(name => [name, undefined])), [by]: chosen || undefined })
          }
        />
      )}
    </Field>
  )
}

interface DaysFilterProps {
  label: string
  filter: ListFilter
  className?: string
}

/** A filter by days up to today, in the shown zone: `from` and `to` in the URL. */
function DaysFilter({ label, filter, className }: DaysFilterProps) {
  const { values, set } = filter as ListFilter<FilterValues>
  const zone = useCell(displayTimeZone)
  return (
    <div className={cx('flex flex-col items-start gap-1.5', className)}>
      <span aria-hidden="true" className="text-[13px] font-medium text-ink-2">
        {label}
        {zone && <span className="font-normal text-ink-3">{withNote('', zone)}</span>}
      </span>
      <DayRangeFilter values={values} set={set} />
    </div>
  )
}

/** The range of a filter by days. */
export function DayRangeFilter({ values: { from, to }, set }: Pick<ListFilter<FilterValues>, 'values' | 'set'>) {
  const zone = useCell(displayTimeZone)
  return (
    <DateRange
      value={from !== undefined && to !== undefined ? { from, to } : undefined}
      today={toDayInZone(Date.now() / 1000, zone ?? browserZone())}
      longest={maxRangeDays}
      clearable
      onChange={range => set({ from: range?.from, to: range?.to })}
    />
  )
}
