/** A calendar day as YYYY-MM-DD; sorts as text. */
export type Day = string

export interface DayRange {
  from: Day
  to: Day
}

export const daySeconds = 86_400

/** Whether the text is a calendar day from 2000 on. */
export function isDay(text: unknown): text is Day {
  if (typeof text !== 'string' || !/^2\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The day `count` days later; earlier when negative. */
export const addDays = (day: Day, count: number): Day =>
  new Date((toUtcDayStart(day) + count * daySeconds) * 1000).toISOString().slice(0, 10)

/** The day of a moment (unix seconds) in a time zone. */
export const toDayInZone = (seconds: number, zone: string): Day => formatWallTime(seconds, zone).slice(0, 10)

/** Formats a moment (unix seconds) in a time zone as YYYY-MM-DD HH:mm:ss. */
export const formatWallTime = (seconds: number, zone: string): string =>
  new Date((seconds + offset(seconds, zone)) * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** The start of a day in a time zone, in unix seconds. Days do not always start at midnight. */
export function toDayStart(day: Day, zone: string): number {
  const midnight = toUtcDayStart(day)
  const starts = [midnight - daySeconds, midnight + daySeconds].map(moment => midnight - offset(moment, zone))
  return Math.min(...starts.filter(start => toDayInZone(start, zone) === day))
}

/** A range of days as query times, both ends included. */
export const toQueryTimes = ({ from, to }: DayRange, zone: string): { start_time: number; end_time: number } => ({
  start_time: toDayStart(from, zone),
  end_time: toDayStart(addDays(to, 1), zone) - 1,
})

/** The start of a day in UTC, in unix seconds. */
export const toUtcDayStart = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / 1000

const quarterSeconds = 900
const offsets = new Map<string, number>()

/**
 * A zone's UTC offset at a moment, in seconds. Offsets change at quarters of an hour only; Intl is called once for
 * each.
 */
function offset(seconds: number, zone: string): number {
  const quarter = Math.floor(seconds / quarterSeconds) * quarterSeconds
  const key = `${zone} ${quarter}`
  let found = offsets.get(key)
  if (found === undefined) {
    const parts = Object.fromEntries(
      clock(zone)
        .formatToParts(quarter * 1000)
        .map(part => [part.type, part.value]),
    )
    const shown = `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}Z`
    found = Date.parse(shown) / 1000 - quarter
    offsets.set(key, found)
  }
  return found
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clock(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  clocks.set(zone, made)
  return made
}
