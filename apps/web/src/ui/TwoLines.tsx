import type { ReactNode } from 'react'

/** A table cell with two lines: what is read first, and what it is checked against. For tables with `lines={2}`. */
export const TwoLines = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <>
    <div className="h-6">
      <span className="inline-flex h-6 items-center align-top">{first}</span>
    </div>
    <div className="h-5 text-xs text-ink-3">
      <span className="inline-flex h-5 items-center gap-1 align-top">{second}</span>
    </div>
  </>
)
