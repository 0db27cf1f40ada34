/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

/** A status notice. */
export const Notice = ({ children }: { children: ComponentChildren }) => (
  <p role="status" class="mb-3 rounded-lg border border-line bg-accent-soft px-4 py-3 text-[13px] text-ink">
    {children}
  </p>
)
