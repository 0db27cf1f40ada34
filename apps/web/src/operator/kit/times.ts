import type { Messages } from '../../i18n/areas.ts'
import { formatWallTime } from '../../lib/days.ts'
import { browserZone } from '../../lib/zone.ts'

/** How long ago something was, in the largest unit: "2 min ago". */
export function formatTimeAgo(t: Messages<'operator'>, seconds: number, now: number): string {
  const passed = Math.max(now - seconds, 0)
  if (passed < 60) return t.justNow
  if (passed < 3_600) return t.minutesAgo(Math.floor(passed / 60))
  return passed < 86_400 ? t.hoursAgo(Math.floor(passed / 3_600)) : t.daysAgo(Math.floor(passed / 86_400))
}

/** A moment as people say it: the time of today, otherwise with its day. */
export function formatMoment(seconds: number, now: number): string {
  const [day = '', time = ''] = formatWallTime(seconds, browserZone()).split(' ')
  const shortTime = time.slice(0, 5)
  return formatWallTime(now, browserZone()).startsWith(day) ? shortTime : `${day} ${shortTime}`
}

/** How long something has waited, in the largest unit: "3 h". */
export function formatWaitDuration(t: Messages<'operator'>, seconds: number): string {
  const minutes = Math.max(0, Math.floor(seconds / 60))
  if (minutes < 60) return t.minutes(minutes)
  return minutes < 2_880 ? t.hours(Math.floor(minutes / 60)) : t.days(Math.floor(minutes / 1_440))
}
