import { useMessages } from '../../i18n/messages.ts'
import type { Day } from '../../lib/days.ts'
import { type DateSpan, toDayRange } from '../../lib/span.ts'
import { Tabs } from '../controls/Tabs.tsx'
import { DateRange } from './DateRange.tsx'

interface Props {
  label: string
  value: DateSpan
  /** Preset numbers of days with their labels. */
  presets: readonly { days: number; name: string }[]
  today: Day
  longest: number
  onChange(span: DateSpan): void
}

/** A time range: a preset, or custom days up to today. */
export function SpanChoice({ label, value, presets, today, longest, onChange }: Props) {
  const t = useMessages('shell')
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Tabs
        look="box"
        label={label}
        value={'days' in value ? String(value.days) : ''}
        tabs={presets.map(({ days, name }) => ({ value: String(days), title: name }))}
        onChange={days => onChange({ days: Number(days) })}
      />
      <DateRange
        value={toDayRange(value, today)}
        today={today}
        longest={longest}
        placeholder={t.dateRange}
        onChange={range => range && onChange(range)}
      />
    </div>
  )
}
