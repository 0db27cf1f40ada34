import { formatAmount, formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { type CSSProperties, memo } from 'react'
import { formatDay } from '../../i18n/formatDay.ts'
import { language } from '../../i18n/language.ts'
import { formatWallTime, toDayInZone } from '../../lib/days.ts'
import { useCell } from '../../lib/useCell.ts'
import { browserZone, displayTimeZone } from '../../lib/zone.ts'
import { cx } from '../classes.ts'
import { computeFractionWidth } from './computeAmountColumnStyle.ts'
import { Digits } from './Digits.tsx'

interface AmountProps {
  /** A decimal string; empty shows a dash. */
  value: string
  /** USDT, a token or a currency. */
  unit?: string
  /** Shows every digit, as details do. Elsewhere the tooltip has them. */
  exact?: boolean
  /** Adds a sign and colour: green for incoming, red for outgoing. */
  flow?: 'in' | 'out'
  /** Lines the decimal point up with the other rows of a column or list that has set `amountRoom`. */
  column?: boolean
  className?: string
}

/** An amount. Like the other values below it is memoised, since most are equal on the next page of a table. */
export const Amount = memo(({ value, unit, exact, flow, column, className }: AmountProps) => {
  const inLanguage = useCell(language)
  if (value === '') return <NoValue />
  const sign = flow === 'in' ? '+' : flow === 'out' && !value.startsWith('-') ? '−' : ''
  const digits = formatAmount(value, inLanguage, unit)
  const whole = formatExactAmount(value, inLanguage, unit)
  const room = column && { style: { '--fraction': computeFractionWidth(value, unit) } as CSSProperties }
  return (
    <span
      {...(!exact && digits !== whole && { title: unit ? `${whole} ${unit}` : whole })}
      className={cx(
        'num whitespace-nowrap',
        flow && '[--quiet:currentColor]',
        flow === 'in' && 'text-good',
        flow === 'out' && 'text-bad',
        className,
      )}
    >
      <span {...room} className={cx(column && 'amount-column')}>
        {sign}
        <Digits text={exact ? whole : digits} />
      </span>
      {unit && (
        <>
          {' '}
          <span className={cx('text-ink-3', column && 'unit-column')}>{unit}</span>
        </>
      )}
    </span>
  )
})

/**
 * Unix seconds in the merchant's time zone as YYYY-MM-DD HH:mm:ss, or as a date with `day`. 0 shows a dash. The tooltip
 * names the zone.
 */
export function Time({ seconds, day, className }: { seconds: number; day?: boolean; className?: string }) {
  const inLanguage = useCell(language)
  const { text, zone, ready } = useWallTime(seconds)
  if (!seconds) return <NoValue />
  return (
    <time
      dateTime={new Date(seconds * 1000).toISOString()}
      title={ready ? `${text} ${zone}` : undefined}
      className={cx('num whitespace-nowrap', !ready && 'invisible', className)}
    >
      {day ? formatDay(toDayInZone(seconds, zone), inLanguage) : text}
    </time>
  )
}

/** A moment in the merchant's time zone. Until the zone is known, the text only takes its room. */
export function useWallTime(seconds: number): { text: string; zone: string; ready: boolean } {
  const known = useCell(displayTimeZone)
  const zone = known ?? browserZone()
  return { text: formatWallTime(seconds, zone), zone, ready: known !== undefined }
}

/** A dash in place of a missing value. */
export const NoValue = () => (
  <span className="text-ink-3">
    <span aria-hidden="true">–</span>
  </span>
)
