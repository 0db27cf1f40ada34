import { type ReactNode, useId } from 'react'
import { cardClass, cx } from '../classes.ts'

interface CardProps {
  title?: ReactNode
  /** Shown at the end of the title line. */
  actions?: ReactNode
  children: ReactNode
  /** No padding, for contents that bring their own (a table). */
  flush?: boolean
  className?: string
}

/** A titled section of a page. */
export function Card({ title, actions, children, flush, className }: CardProps) {
  const id = useId()
  return (
    <section aria-labelledby={title ? id : undefined} className={cx(cardClass, 'flex min-w-0 flex-col', className)}>
      {title && (
        <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-2">
          <h2 id={id} className="flex min-h-9 items-center text-[15px] font-semibold">
            {title}
          </h2>
          {actions}
        </div>
      )}
      <div className={cx('min-w-0 grow', !flush && (title ? 'px-5 pb-5' : 'p-5'))}>{children}</div>
    </section>
  )
}

interface StatProps {
  label: ReactNode
  value: ReactNode
  /** A line below the figure. */
  note?: ReactNode
  /** `hero` for the one figure that a page is about. */
  size?: 'medium' | 'large' | 'hero'
}

/** A labelled figure. */
export const Stat = ({ label, value, note, size = 'medium' }: StatProps) => (
  <div className="min-w-0 grow">
    <div className="text-[13px] text-ink-2">{label}</div>
    <div
      className={cx(
        'num @container mt-1 min-w-0 font-semibold tracking-tight break-words text-ink',
        size === 'hero'
          ? 'text-[40px] leading-12'
          : size === 'large'
            ? 'text-[32px] leading-10'
            : 'text-[22px] leading-8',
      )}
    >
      {value}
    </div>
    {note && <div className="mt-1 text-xs text-ink-3">{note}</div>}
  </div>
)
