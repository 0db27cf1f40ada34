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

/** The 99th percentile. */
export const percentile99 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0

/** CPU time of a process (ms): utime and stime, which Linux counts in hundredths of a second. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** A scope for test helpers. `end` runs their `after` hooks in reverse order. */
export function scope() {
  const ends: (() => Promise<void> | void)[] = []
  return {
    after: (end: () => Promise<void> | void) => void ends.push(end),
    end: async () => {
      for (const each of ends.reverse()) await each()
    },
  }
}
