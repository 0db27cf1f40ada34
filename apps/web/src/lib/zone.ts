import { isTimeZone } from '@coffer/contract/kit/texts.ts'
import { cell } from './cell.ts'
import { readStored, writeStored } from './storage.ts'

const stored = readStored('zone')

/**
 * The time zone in which every time and day is shown. In the back-office it is the merchant's: that of the last visit
 * until the account is loaded, and undefined until then on a first visit. The operator's console sets the browser's.
 */
export const displayTimeZone = cell(stored !== null && isTimeZone(stored) ? stored : undefined)

/** Sets the zone to the account's, or to the browser's, if that does not know it, and keeps it for the next visit. */
export function applyAccountTimeZone({ time_zone: given }: { time_zone: string }): void {
  if (given === displayTimeZone.get()) return
  const zone = isTimeZone(given) ? given : browserZone()
  writeStored('zone', zone)
  displayTimeZone.set(zone)
}

let ofBrowser: string | undefined

/** The browser's time zone, read once because that is slow. */
export function browserZone(): string {
  ofBrowser ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  return ofBrowser
}

/** The names of all time zones, the given one first. */
export const zoneNames = (first: string): string[] => [
  ...new Set([first, 'UTC', ...Intl.supportedValuesOf('timeZone')]),
]

/** A zone as it is shown and searched: "new york" finds America/New York. */
export const formatTimeZoneName = (zone: string): string => zone.replaceAll('_', ' ')
