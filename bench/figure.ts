import { readFileSync } from 'node:fs'

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
