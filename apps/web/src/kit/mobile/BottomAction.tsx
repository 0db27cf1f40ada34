import type { ReactNode } from 'react'

/** The page's one action, within reach of the thumb above the bar. */
export const BottomAction = ({ children }: { children: ReactNode }) => (
  <div className="sticky bottom-(--bar) z-10 -mx-4 mt-4 grid auto-cols-fr grid-flow-col gap-2 bg-canvas px-4 pt-2 pb-5 short:pb-2">
    {children}
  </div>
)
