import { formatAmount } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useCell } from '../../lib/useCell.ts'
import { Skeleton } from '../feedback/States.tsx'

/**
 * The value of a Stat that is money. Decimals and unit are smaller, so that the whole units are read first. While
 * `value` is undefined a bar of the same height stands there.
 */
export function Figure({ value, unit = 'USDT' }: { value: string | undefined; unit?: string }) {
  const inLanguage = useCell(language)
  if (value === undefined) return <FigureSkeleton />
  const [whole, fraction] = formatAmount(value, inLanguage).split('.')
  return (
    <>
      {whole}
      {fraction && <span className="text-[0.7em] leading-none text-ink-2">.{fraction}</span>}
      {/* The space inside: where the figure fills its line, the unit begins the next one at its edge. */}
      <span className="ml-0.5 text-[13px] leading-none font-normal tracking-normal text-ink-3"> {unit}</span>
    </>
  )
}

/** As high as one line of figures, whatever their size. */
export const FigureSkeleton = () => (
  <span className="flex h-[1lh] items-center">
    <Skeleton className="h-[0.7em] w-40 max-w-full" />
  </span>
)
