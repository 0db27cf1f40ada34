import type { Language } from '@coffer/contract/languages.ts'
import { useState } from 'react'
import { DayPicker, type Locale, type DateRange as Picked } from 'react-day-picker'
import { enUS } from 'react-day-picker/locale/en-US'
import { zhCN } from 'react-day-picker/locale/zh-CN'
import { dateLocales } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import type { Day, DayRange } from '../../lib/days.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../controls/Button.tsx'
import { Icon } from '../icons.tsx'

const locales: Record<Language, Locale> = { en: enUS, 'zh-CN': zhCN }

interface Props {
  value: DayRange | undefined
  today: Day
  longest?: number
  clearable: boolean
  onApply(range: DayRange | undefined): void
}

/** The calendar of DateRange. Each day is represented by its local noon. */
export default function Calendar({ value, today, longest, clearable, onApply }: Props) {
  const t = useMessages('shell')
  const inLanguage = useCell(language)
  const [picked, setPicked] = useState<Picked | undefined>(value && { from: dateOf(value.from), to: dateOf(value.to) })
  const chosen = picked?.from && { from: dayOf(picked.from), to: dayOf(picked.to ?? picked.from) }
  return (
    <>
      <DayPicker
        mode="range"
        autoFocus
        locale={locales[inLanguage]}
        weekStartsOn={1}
        selected={picked}
        onSelect={setPicked}
        defaultMonth={dateOf(value?.to ?? today)}
        endMonth={dateOf(today)}
        today={dateOf(today)}
        disabled={{ after: dateOf(today) }}
        {...(longest && { max: longest - 1 })}
        components={components}
        labels={{ labelDayButton: date => longDay(inLanguage).format(date) }}
        classNames={looks}
      />
      <div className="mt-3 flex items-center justify-end gap-2 border-t border-line pt-3">
        {clearable && (
          <Button size="small" look="ghost" className="mr-auto" onClick={() => onApply(undefined)}>
            {t.clear}
          </Button>
        )}
        <Button size="small" look="primary" disabled={!chosen} onClick={() => onApply(chosen)}>
          {t.apply}
        </Button>
      </div>
    </>
  )
}

const Chevron = ({ orientation }: { orientation?: string }) => (
  <Icon name={orientation === 'left' ? 'chevronLeft' : 'chevronRight'} size={16} />
)
const components = { Chevron }

const dateOf = (day: Day): Date => new Date(`${day}T12:00:00`)
const dayOf = (date: Date): Day =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-')

/** Accessible name of a day. It contains the visible number, so that voice control can address it. */
const longDay = (inLanguage: Language) => new Intl.DateTimeFormat(dateLocales[inLanguage], { dateStyle: 'full' })

const navButton =
  'inline-flex size-8 items-center justify-center rounded-md text-ink-2 hover:bg-sunken aria-disabled:opacity-40'

const looks = {
  root: 'relative',
  months: '',
  month_caption: 'flex h-8 items-center px-2 text-sm font-semibold',
  nav: 'absolute top-0 right-0 flex gap-1',
  button_previous: navButton,
  button_next: navButton,
  month_grid: 'mt-2 border-separate border-spacing-x-0 border-spacing-y-0.5',
  weekday: 'h-8 w-9 text-xs font-normal text-ink-3',
  day: 'size-9 p-0 text-center',
  day_button:
    'num size-9 rounded-md text-sm hover:enabled:bg-sunken disabled:text-ink-3 disabled:opacity-60 [[aria-selected=true]>&]:hover:bg-transparent',
  today: 'font-semibold text-accent-text',
  outside: 'text-ink-3',
  // The days of another month have no number, and no colour of a range.
  hidden: 'invisible',
  range_start: 'rounded-l-md bg-accent text-on-accent!',
  range_end: 'rounded-r-md bg-accent text-on-accent!',
  range_middle: 'not-data-outside:bg-accent-soft',
}
