import { maxRangeDays } from '../lib/span.ts'
import { Select } from '../ui/controls/Select.tsx'
import { SpanChoice } from '../ui/dates/SpanChoice.tsx'
import { useApplicationOptions } from './list/choices.ts'
import type { useDateSpan } from './useDateSpan.ts'

interface Props {
  of: Pick<ReturnType<typeof useDateSpan>, 'span' | 'appid' | 'today' | 'change'>
  t: { application: string; allApplications: string; range: string }
  presets: { days: number; name: string }[]
}

/** The application and the days of a statistic. */
export const DateSpanFilter = ({ of: { span, appid, today, change }, t, presets }: Props) => (
  <>
    <Select
      aria-label={t.application}
      className="w-44"
      value={appid}
      placeholder={t.allApplications}
      options={useApplicationOptions()}
      onChange={app => change(span, app)}
    />
    <SpanChoice
      label={t.range}
      value={span}
      presets={presets}
      today={today}
      longest={maxRangeDays}
      onChange={next => change(next, appid)}
    />
  </>
)
