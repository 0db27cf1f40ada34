import type { SettingMode } from '@coffer/contract/kit/message-settings.ts'
import { formatTimeInZone } from './days.ts'

/** The hours of a day in which somebody wants quiet, by a clock; from and until the same: none. */
export interface QuietHours {
  quiet_from: number
  quiet_until: number
  time_zone: string
}

/** When what is good to know is sent: at once, or what there is together, at the next full hour or in the morning. */
export type SendMode = Exclude<SettingMode, 'off'>

/** The hour of the day at which what is sent daily is sent. */
const morning = 8

const hourAt = (at: number, zone: string) => Number(formatTimeInZone(at, zone).slice(11, 13))

/** The first full hour after an instant. In some zones that is not one of UTC. */
function findNextHour(at: number, zone: string): number {
  const [minutes, seconds] = formatTimeInZone(at, zone).slice(14).split(':')
  return at - Number(minutes) * 60 - Number(seconds) + 3_600
}

/** The first full hour after an instant that is as given. Hours of a time change last longer or shorter. */
function findHour(at: number, zone: string, isIt: (hour: number) => boolean): number {
  let found = findNextHour(at, zone)
  while (!isIt(hourAt(found, zone))) found += 3_600
  return found
}

/** Returns when the quiet hours end that contain an instant (Unix seconds); undefined outside them. */
export function quietHoursEnd(now: number, settings: QuietHours): number | undefined {
  const { quiet_from: from, quiet_until: until, time_zone: zone } = settings
  const isQuiet = (hour: number) =>
    from < until ? hour >= from && hour < until : from > until && (hour >= from || hour < until)
  return isQuiet(hourAt(now, zone)) ? findHour(now, zone, hour => !isQuiet(hour)) : undefined
}

/** Returns when something is sent that happened at an instant, outside the quiet hours of the reader. */
export function findSendTime(at: number, mode: SendMode, quiet: QuietHours): number {
  const { time_zone: zone } = quiet
  const due = {
    now: () => at,
    hourly: () => findNextHour(at, zone),
    daily: () => findHour(at, zone, hour => hour === morning),
  }[mode]()
  return quietHoursEnd(due, quiet) ?? due
}
