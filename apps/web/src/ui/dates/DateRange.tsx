import type { Language } from '@coffer/contract/languages.ts'
import { lazy, Suspense } from 'react'
import { formatDay } from '../../i18n/formatDay.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import type { Day, DayRange } from '../../lib/days.ts'
import { useCell } from '../../lib/useCell.ts'
import { buttonClass, cx } from '../classes.ts'
import { Popover } from '../controls/Popover.tsx'
import { Skeleton } from '../feedback/States.tsx'
import { Icon } from '../icons.tsx'

const Calendar = lazy(() => import('./Calendar.tsx'))

interface Props {
  value: DayRange | undefined
  onChange(range: DayRange | undefined): void
  /** The last selectable day. */
  today: Day
  /** The maximum number of days. */
  longest?: number
  /** Allows clearing the range. */
  clearable?: boolean
  /** Shown without a range; defaults to "Any time". */
  placeholder?: string
  className?: string
}

/** A range of days, both included. The calendar is loaded when opened. */
export function DateRange({ value, onChange, today, longest, clearable, placeholder, className }: Props) {
  const t = useMessages('shell')
  const inLanguage = useCell(language)
  const text = value ? rangeText(value, inLanguage) : (placeholder ?? t.anyTime)
  return (
    <Popover
      label={t.dateRange}
      className="p-4"
      trigger={props => (
        <button
          type="button"
          {...props}
          aria-label={`${t.dateRange}: ${text}`}
          className={cx(
            buttonClass('secondary'),
            'num h-auto! min-h-9 max-w-full font-normal whitespace-normal! pointer-coarse:min-h-11',
            !value && 'text-ink-2',
            className,
          )}
        >
          <Icon name="calendar" size={16} className="text-ink-3" />
          {text}
        </button>
      )}
    >
      {close => (
        <Suspense fallback={<Skeleton className="h-72 w-[264px]" />}>
          <Calendar
            value={value}
            today={today}
            {...(longest && { longest })}
            clearable={clearable ?? false}
            onApply={range => {
              onChange(range)
              close()
            }}
          />
        </Suspense>
      )}
    </Popover>
  )
}

/** The range in the reader's format; a single day if both are equal. */
function rangeText({ from, to }: DayRange, inLanguage: Language): string {
  const [first, last] = [from, to].map(day => formatDay(day, inLanguage))
  return first === last ? `${first}` : `${first} – ${last}`
}
