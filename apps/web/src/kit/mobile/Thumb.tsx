import type { ReactNode } from 'react'

/** The page's one action, within reach of the thumb above the bar. */
export const Thumb = ({ children }: { children: ReactNode }) => (
  <div className="sticky bottom-[calc(var(--bar)+var(--news)+20px)] z-10 mt-6 grid auto-cols-fr grid-flow-col gap-2 short:bottom-[calc(var(--bar)+var(--news)+8px)]">
    {children}
  </div>
)
