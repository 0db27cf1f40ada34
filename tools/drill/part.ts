/** One line of a drill: what was measured, its value, and the limit to compare with. */
export interface DrillFigure {
  what: string
  value: string
  limit: string
  /** Whether the limit is met. */
  holds: boolean
}

/** What a part of the drill works with. */
export interface Drill {
  /** Registers what must end with the part; in reverse order. */
  after: (end: () => Promise<void> | void) => void
  /** An own folder, which is deleted afterwards. */
  folder: string
  /** Name of the commit that is run first; empty: the last release. */
  from: string
  /** Prints a line of progress. */
  log: (line: string) => void
}

/** One exercise of an operator, run on this machine from the files that operators use. */
export interface DrillPart {
  what: string
  run: (drill: Drill) => Promise<DrillFigure[]>
}

/** A figure that must not be larger than its limit. */
export const makeFigure = (what: string, value: number, limit: number, unit = ' s'): DrillFigure => ({
  what,
  value: `${unit ? value.toFixed(2) : value}${unit}`,
  limit: `at most ${limit}${unit}`,
  holds: value <= limit,
})
