/** Calendar days in a merchant's time zone. Instants are Unix seconds, days are YYYY-MM-DD. */
const daySeconds = 86_400

const formats = new Map<string, Intl.DateTimeFormat>()
/** Bounds memory: a format takes 30 KB, and zone names are case-insensitive, so one zone has many spellings. */
const formatsMax = 500

/** Returns the cached date format of a zone, or that of UTC if the zone is unknown. */
function clockOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    const options = { hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' } as const
    const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
    try {
      format = new Intl.DateTimeFormat('en-CA', { ...options, ...time, timeZone: zone })
    } catch {
      format = clockOf('UTC')
    }
    if (formats.size >= formatsMax) formats.clear()
    formats.set(zone, format)
  }
  return format
}

/** Formats an instant as local date and time: YYYY-MM-DD HH:mm:ss. */
export function formatTimeInZone(seconds: number, zone: string): string {
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of clockOf(zone).formatToParts(seconds * 1000)) part[type] = value
  return `${part.year?.padStart(4, '0')}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second}`
}

/** Offset (s) of a zone from UTC at an instant, positive east of Greenwich. */
export const offsetAt = (seconds: number, zone: string) =>
  Date.parse(`${formatTimeInZone(seconds, zone).replace(' ', 'T')}Z`) / 1000 - seconds

/** Returns the day that contains an instant. */
export const findDayInZone = (seconds: number, zone: string) => formatTimeInZone(seconds, zone).slice(0, 10)

/** Adds `count` days to a day. A negative count goes back. */
export const addDays = (day: string, count: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * daySeconds * 1000).toISOString().slice(0, 10)

/** Counts the days from `first` to `last`, both included. */
export const countDays = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / 1000 / daySeconds + 1

/** Returns the first instant of a day. This is also correct where daylight saving time skips midnight. */
export function dayStart(day: string, zone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`) / 1000
  const before = offsetAt(midnight - daySeconds, zone)
  const after = offsetAt(midnight + daySeconds, zone)
  const starts = [midnight - Math.max(before, after), midnight - Math.min(before, after)]
  return starts.find(start => findDayInZone(start, zone) === day) ?? starts[1]!
}

/** Returns the start of every day from `first` to `last` and of the day after: one more value than there are days. */
export function dayStarts(first: string, last: string, zone: string): number[] {
  const starts: number[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) starts.push(dayStart(day, zone))
  return [...starts, dayStart(addDays(last, 1), zone)]
}

const quarterSeconds = 900
const offsetsMax = 1_000
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** Writes an offset from UTC (s): +02:00. */
export function formatUtcOffset(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60)
  return `${offset < 0 ? '-' : '+'}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}`
}

/**
 * Returns the offset (s) of a zone from UTC at many instants that lie close together. It is computed once a day, or
 * once a quarter of an hour on a day that begins and ends with different ones.
 */
export function makeUtcOffsetLookup(zone: string): (seconds: number) => number {
  const offsets = new Map<number, number>()
  const offsetFrom = (start: number) => {
    let offset = offsets.get(start)
    if (offset === undefined) {
      if (offsets.size >= offsetsMax) offsets.clear()
      offset = offsetAt(start, zone)
      offsets.set(start, offset)
    }
    return offset
  }
  return seconds => {
    const start = floorTo(daySeconds, seconds)
    const offset = offsetFrom(start)
    return offset === offsetFrom(start + daySeconds) ? offset : offsetFrom(floorTo(quarterSeconds, seconds))
  }
}

/** Returns a faster `formatTimeInZone` for many instants that lie close together: it formats each day once. */
export function makeZonedTimeFormatter(
  zone: string,
  offsetOf = makeUtcOffsetLookup(zone),
): (seconds: number) => string {
  let midnight = Number.NaN
  let day = ''
  return seconds => {
    const shown = seconds + offsetOf(seconds)
    if (floorTo(daySeconds, shown) !== midnight) {
      midnight = floorTo(daySeconds, shown)
      day = new Date(midnight * 1000).toISOString().slice(0, 10)
    }
    const second = shown - midnight
    const minute = Math.floor(second / 60)
    return `${day} ${twoDigits[Math.floor(minute / 60)]}:${twoDigits[minute % 60]}:${twoDigits[second % 60]}`
  }
}

const floorTo = (unit: number, seconds: number) => Math.floor(seconds / unit) * unit
