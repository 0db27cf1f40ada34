import { type Day, toDayInZone } from './days.ts'

/** Groups rows, newest first, by their day in a time zone. */
export function groupByDay<R extends { created_time: number }>(
  rows: readonly R[],
  zone: string,
): { day: Day; list: R[] }[] {
  const days: { day: Day; list: R[] }[] = []
  for (const row of rows) {
    const day = toDayInZone(row.created_time, zone)
    const last = days.at(-1)
    if (last?.day === day) last.list.push(row)
    else days.push({ day, list: [row] })
  }
  return days
}
