import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

/** One line of a benchmark: what was measured, its value, and the limit or peer to compare with. */
export interface Figure {
  what: string
  value: string
  comparison: string
  /** Whether the limit is met, if there is one. */
  holds?: boolean
}

/** The median. */
export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The value that `share` of the values do not exceed, by default the 99th percentile. */
export const percentile = (values: number[], share = 0.99): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0

/** CPU time of a process (ms): utime and stime, which Linux counts in hundredths of a second. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Processor time of all processes of the PostgreSQL server so far, in µs, also of those that ended. */
export async function postgresTime(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query('select pg_backend_pid() as pid')
  const statOf = (pid: string | number) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
    } catch {
      return []
    }
  }
  const postmaster = statOf(rows[0].pid)[1]
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(statOf)
  const ended = statOf(postmaster!)
  const ticks = all
    .filter(each => each[1] === postmaster)
    .reduce((sum, each) => sum + Number(each[11]) + Number(each[12]), Number(ended[13]) + Number(ended[14]))
  // Ticks of 10 ms.
  return ticks * 10_000
}

/** Where a benchmark registers what must end with it. */
export interface Scope {
  after: (end: () => Promise<void> | void) => void
}

/** Runs `work` in a scope, and then the hooks of the scope in reverse order, also after an error. */
export async function scoped<T>(work: (here: Scope) => Promise<T>): Promise<T> {
  const ends: (() => Promise<void> | void)[] = []
  try {
    return await work({ after: end => void ends.push(end) })
  } finally {
    for (const each of ends.reverse()) await each()
  }
}
