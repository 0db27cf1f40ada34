import { useNavigate, useSearch } from '@tanstack/react-router'
import { toDayInZone, toQueryTimes } from '../lib/days.ts'
import { type DateSpan, parseDateSpan, toDayRange } from '../lib/span.ts'
import { useCell } from '../lib/useCell.ts'
import { browserZone, displayTimeZone } from '../lib/zone.ts'

/**
 * The range of days and application of a statistic, in the merchant's time zone, kept in the URL. `presets` are the
 * selectable numbers of days; `initial` is the default and not written to the URL. With `replace` a change adds no
 * history entry. `requested` is the query of the range: the server counts the last days itself, so that they wait for
 * no zone. `ready` is false while fixed days may be those of another zone.
 */
export function useDateSpan(presets: readonly number[], initial: { days: number }, replace = false) {
  const known = useCell(displayTimeZone)
  const zone = known ?? browserZone()
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const today = toDayInZone(Date.now() / 1000, zone)
  const span = parseDateSpan(search, presets, today) ?? initial
  const { appid = '' } = search
  const change = (next: DateSpan, app: string) => {
    const days = !('days' in next) ? next : next.days === initial.days ? {} : { days: `${next.days}` }
    void navigate({ to: '.', search: { ...days, ...(app && { appid: app }) }, replace, resetScroll: false })
  }
  const app = appid && { appid }
  const preset = 'days' in span
  return {
    zone,
    zoneKnown: known !== undefined,
    ready: preset || known !== undefined,
    today,
    span,
    range: toDayRange(span, today),
    requested: { ...(preset ? { days: span.days } : toQueryTimes(span, zone)), ...app },
    appid,
    change,
  }
}
