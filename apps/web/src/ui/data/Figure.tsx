import { formatAmount, formatExactAmount } from '@coffer/contract/format-amount.ts'
import { language } from '../../i18n/language.ts'
import { useCell } from '../../lib/useCell.ts'
import { Skeleton } from '../feedback/States.tsx'

/**
 * A monetary value of a Stat, with smaller decimals and unit. Undefined shows a placeholder of the same height.
 */
export function Figure({ value, unit = 'USDT' }: { value: string | undefined; unit?: string }) {
  const inLanguage = useCell(language)
  if (value === undefined) return <FigureSkeleton />
  const digits = formatAmount(value, inLanguage)
  const exact = formatExactAmount(value, inLanguage)
  const [whole, fraction] = digits.split('.')
  return (
    <span {...(digits !== exact && { title: `${exact} ${unit}` })}>
      {whole}
      <wbr />
      {fraction && <span className="text-[0.7em] leading-none text-ink-2">.{fraction}</span>}
      {/* The space is inside the span so that a wrapped unit starts at the edge of its line. */}
      <span className="ml-0.5 text-[13px] leading-none font-normal tracking-normal text-ink-3"> {unit}</span>
    </span>
  )
}

/** As high as one line at any font size. */
export const FigureSkeleton = () => (
  <span className="flex h-[1lh] items-center">
    <Skeleton className="h-[0.7em] w-40 max-w-full" />
  </span>
)
