import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { dayOf, longestRange } from '../../lib/days.ts'
import { useCell } from '../../lib/useCell.ts'
import { browserZone, merchantZone } from '../../lib/zone.ts'
import { cx } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { type Option, Select } from '../../ui/controls/Select.tsx'
import { DateRange } from '../../ui/dates/DateRange.tsx'
import type { ListFilter } from './useListSearch.ts'

interface FiltersProps {
  label: string
  filter: Pick<ListFilter<never>, 'active' | 'clear'>
  /** Overrides the layout in rows. */
  className?: string
  children: ReactNode
}

/** The filters of a list, with a button to clear them while any is set. */
export function Filters({ label, filter, className = 'flex flex-wrap', children }: FiltersProps) {
  const common = useMessages('common')
  return (
    <search aria-label={label} className={cx('items-start gap-3 px-5 py-4', className)}>
      {children}
      {filter.active && (
        <Button look="ghost" icon="close" className="col-span-2 max-sm:self-end sm:mt-[26px]" onClick={filter.clear}>
          {common.clearFilters}
        </Button>
      )}
    </search>
  )
}

interface SelectFilterProps<V extends string> {
  label: string
  /** Label of the option for no filter. */
  all: string
  value: V | undefined
  options: readonly Option<V>[]
  onChange(value: V | undefined): void
  className: string
}

/** A filter by one of several values, applied immediately. */
export const SelectFilter = <V extends string>({
  label,
  all,
  value,
  onChange,
  className,
  ...rest
}: SelectFilterProps<V>) => (
  <Field label={label} className={className}>
    {control => (
      <Select<V | ''>
        {...control}
        {...rest}
        value={value ?? ''}
        placeholder={all}
        onChange={chosen => onChange(chosen === '' ? undefined : chosen)}
      />
    )}
  </Field>
)

interface DaysFilterProps {
  label: string
  filter: ListFilter<{ from?: string | undefined; to?: string | undefined }>
  className?: string
}

/** A filter by days up to today, in the merchant's time zone: `from` and `to` in the URL. */
export function DaysFilter({ label, filter, className }: DaysFilterProps) {
  const { from, to } = filter.values
  const zone = useCell(merchantZone)
  return (
    <div className={cx('flex flex-col items-start gap-1.5', className)}>
      <span aria-hidden="true" className="text-[13px] font-medium text-ink-2">
        {label} {zone && <span className="font-normal text-ink-3">({zone})</span>}
      </span>
      <DateRange
        value={from !== undefined && to !== undefined ? { from, to } : undefined}
        today={dayOf(Date.now() / 1000, zone ?? browserZone())}
        longest={longestRange}
        clearable
        onChange={range => filter.set({ from: range?.from, to: range?.to })}
      />
    </div>
  )
}
