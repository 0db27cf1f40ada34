/** Slot sizes of counts, in seconds: month (30 days), day, hour and minute. */
const spans = [2_592_000, 86_400, 3_600, 60] as const
export const [month, day, hour, minute] = spans
/** SQL array of the slot sizes. */
export const slotSpansSql = `array[${[...spans].reverse().join(', ')}]`

type Bounds<T> = [time: T, minutes: T, hours: T, days: T, months: T]

/** Returns a time and the starts of the first minute, hour, day and month slots at or after it. */
export const computeSlotBounds = (time: number): Bounds<number> => [
  time,
  Math.ceil(time / minute) * minute,
  Math.ceil(time / hour) * hour,
  Math.ceil(time / day) * day,
  Math.ceil(time / month) * month,
]

/** The names of the parameters of `computeSlotBounds`, taken one by one. */
export const nameSlotBoundParameters = (take: () => string): Bounds<string> => [take(), take(), take(), take(), take()]

interface Counted {
  /** Selects `slot` and `n` of the counts of a span; `within` restricts `slot`. */
  counts: (span: number, within: string) => string
  /** Selects `n`, the number of rows created from a time on and before another one within the same minute. */
  rows: (from: string, to: string) => string
  /**
   * Parameters of the `computeSlotBounds` of the start (inclusive) and end (exclusive) of the time range, if there are
   * any.
   */
  start: Bounds<string> | null
  end: Bounds<string> | null
  /** Parameter of the number of rows before the page. */
  offset: string
}

/**
 * Builds the part of a statement that finds where a page of a counted list starts, newest first: the `with` queries
 * `wanted` (`total`), `minute` (`slot`, the minute that contains the first row) and `place` (`before_time`, the end of
 * that minute, and `skip`, the number of its rows before the page). The statement has a query `pending` with the `time`
 * and `n` of changes not yet folded into the counts; every step includes them.
 *
 * `newer(t)` is the number of rows created at or after t: the counts of whole months, days, hours and minutes, plus the
 * rows within the minute of t. The page starts at position offset + newer(end). The month, day, hour and minute steps
 * find the slot that contains this position and the number of rows before the slot, so that at most one minute of rows
 * is skipped.
 */
export function buildPageStartSql({ counts, rows, start, end, offset }: Counted): string {
  const newer = ([time, minutes, hours, days, months]: Bounds<string>) => `(select coalesce(sum(n), 0) from (
      select n from months where slot >= ${months}
      union all select n from (${counts(day, ` and slot >= ${days} and slot < ${months}`)}) days
      union all select n from (${counts(hour, ` and slot >= ${hours} and slot < ${days}`)}) hours
      union all select n from (${counts(minute, ` and slot >= ${minutes} and slot < ${hours}`)}) minutes
      union all select n from pending where time >= ${minutes} and time < ${months}
      union all ${rows(time, minutes)}
    ) counted)`
  const hit = (name: string, slots: string, before: string) => `${name} as materialized (
      select slot, before from (
        select slot, n, ${before} + sum(n) over (order by slot desc) - n as before from (${slots}) slots
      ) running
      where before <= (select place from wanted) and before + n > (select place from wanted)
    )`
  const step = (name: string, span: number, within: string, width: number) => {
    const inside = (column: string) =>
      ` and ${column} >= (select slot from ${within}) and ${column} < (select slot + ${width} from ${within})`
    const slots = `select slot, sum(n) as n from (
          ${counts(span, inside('slot'))} union all select time - time % ${span}, n from pending where true${inside('time')}
        ) counted group by slot`
    return hit(name, slots, `(select before from ${within})`)
  }
  return `months as materialized (
      select slot, sum(n) as n from (
        ${counts(month, '')} union all select time - time % ${month}, n from pending
      ) counted group by slot
    ), wanted as materialized (
      select newer_end + ${offset} as place, newer_start - newer_end as total from (
        select ${start ? newer(start) : '(select coalesce(sum(n), 0) from months)'} as newer_start,
          ${end ? newer(end) : '0'} as newer_end
      ) ends
    ), ${hit('month', 'select slot, n from months', '0')}, ${step('day', day, 'month', month)}, ${step('hour', hour, 'day', day)},
    ${step('minute', minute, 'hour', hour)}, place as materialized (
      select slot + ${minute} as before_time, (select place from wanted) - before as skip from minute
    )`
}
