import type { ReactNode } from 'react'
import { cx } from '../classes.ts'

/** Display classes of states, as specified. */
export type BadgeKind = 'processing' | 'success' | 'error' | 'closed'

const looks: Record<BadgeKind, string> = {
  processing: 'bg-accent-soft text-accent-text',
  success: 'bg-good-soft text-good',
  error: 'bg-bad-soft text-bad',
  closed: 'bg-sunken text-ink-2',
}

/** A state as text; colour is only an addition. */
export const Badge = ({ kind, children }: { kind: BadgeKind; children: ReactNode }) => (
  <span
    data-kind={kind}
    className={cx(
      'inline-flex h-6 items-center gap-1.5 rounded-md px-2 text-xs font-medium whitespace-nowrap',
      looks[kind],
    )}
  >
    <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
    {children}
  </span>
)

const colours: Record<BadgeKind, string> = {
  processing: 'text-accent-text',
  success: 'text-good',
  error: 'text-bad',
  closed: 'text-ink-2',
}

/** A state as plain text, for rows without room for more. */
export const StateText = ({ kind, children }: { kind: BadgeKind; children: ReactNode }) => (
  <span data-kind={kind} className={cx('text-xs font-medium', colours[kind])}>
    {children}
  </span>
)
