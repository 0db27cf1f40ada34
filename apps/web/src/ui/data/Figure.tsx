import { formatAmount, formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import type { CSSProperties } from 'react'
import { language } from '../../i18n/language.ts'
import { useCell } from '../../lib/useCell.ts'
import { cx } from '../classes.ts'
import { Skeleton } from '../feedback/States.tsx'
import { countProminentDecimals } from './computeAmountColumnStyle.ts'

/** Widths in em: a character of the figure, and the size of its decimals. */
const character = 0.66
const small = 0.7

/**
 * A monetary value in an `@container`, such as that of a Stat: with smaller decimals, quiet after the second, and the
 * unit, which may take the next line, and does so if `stacked`. Undefined shows a placeholder of the same height.
 */
export function Figure({
  value,
  unit = 'USDT',
  stacked,
}: {
  value: string | undefined
  unit?: string
  stacked?: boolean
}) {
  const inLanguage = useCell(language)
  if (value === undefined) return <FigureSkeleton />
  const digits = formatAmount(value, inLanguage, unit)
  const exact = formatExactAmount(value, inLanguage, unit)
  const [whole = '', fraction = ''] = digits.split('.')
  const loud = countProminentDecimals(digits)
  const width = (whole.length + fraction.length * small) * character
  return (
    <span {...(digits !== exact && { title: `${exact} ${unit}` })}>
      <span
        className="figure-fit"
        style={{ '--width': Math.ceil(width * 10) / 10, ...(stacked && { '--unit-room': '0px' }) } as CSSProperties}
      >
        {whole}
        {fraction && (
          <span className="text-[0.7em] leading-none text-ink-2">
            .{fraction.slice(0, loud)}
            <span className="font-normal text-ink-3">{fraction.slice(loud)}</span>
          </span>
        )}
      </span>
      {/* The space is inside the span so that a wrapped unit starts at the edge of its line. */}
      <span
        className={cx(
          'text-[13px] leading-none font-normal tracking-normal text-ink-3',
          stacked ? 'mt-1 block' : 'ml-0.5',
        )}
      >
        {' '}
        {unit}
      </span>
    </span>
  )
}

/** As high as one line at any font size. */
export const FigureSkeleton = () => (
  <span className="flex h-[1lh] items-center">
    <Skeleton className="h-[0.7em] w-40 max-w-full" />
  </span>
)
