import { cell } from './cell.ts'

/** The merchant's time zone, in which every time and day of the back-office is shown. Undefined while it is loading. */
export const merchantZone = cell<string | undefined>(undefined)

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The names of all time zones, the given one first. */
export const zoneNames = (first: string): string[] => [
  ...new Set([first, 'UTC', ...Intl.supportedValuesOf('timeZone')]),
]
