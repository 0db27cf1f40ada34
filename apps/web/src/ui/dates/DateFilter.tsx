import { type DayRange, dayOf, longestRange } from '../../lib/days.ts'
import { cx } from '../classes.ts'
import { DateRange } from './DateRange.tsx'

interface DateFilterProps {
  label: string
  value: DayRange | undefined
  onChange(range: DayRange | undefined): void
  className?: string
}

/** The days that a list is of, until today. `<DateFilter label={t.time} value={range} onChange={setRange} />` */
export function DateFilter({ label, value, onChange, className }: DateFilterProps) {
  return (
    <div className={cx('flex flex-col items-start gap-1.5', className)}>
      <span aria-hidden="true" className="text-[13px] font-medium text-ink-2">
        {label}
      </span>
      <DateRange value={value} today={dayOf(Date.now() / 1000)} longest={longestRange} clearable onChange={onChange} />
    </div>
  )
}
