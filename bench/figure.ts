/** One line of a benchmark: what was measured, the figure, and the limit or peer it stands beside. */
export interface Figure {
  what: string
  value: string
  beside: string
  /** Whether the limit was kept, where there is one. */
  holds?: boolean
}

/** The middle of several runs. */
export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The value that 99 of 100 do not exceed. */
export const percentile99 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0

/** A scope for helpers of tests: what they leave to the end is done by `end`, the last first. */
export function scope() {
  const ends: (() => Promise<void> | void)[] = []
  return {
    after: (end: () => Promise<void> | void) => void ends.push(end),
    end: async () => {
      for (const each of ends.reverse()) await each()
    },
  }
}
