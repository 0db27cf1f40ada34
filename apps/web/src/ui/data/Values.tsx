import { amountDecimals, formatAmount, formatExactAmount } from '@coffer/contract/format-amount.ts'
import { mask } from '@coffer/contract/validators.ts'
import { type CSSProperties, useState } from 'react'
import { formatDay } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { dayOf, wallTime } from '../../lib/days.ts'
import { showToast } from '../../lib/toast.ts'
import { useCell } from '../../lib/useCell.ts'
import { browserZone, merchantZone } from '../../lib/zone.ts'
import { cx } from '../classes.ts'
import { Icon } from '../icons.tsx'

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

export function Amount({ value, unit, exact, flow, column, className }: AmountProps) {
  const inLanguage = useCell(language)
  if (value === '') return <None />
  const sign = flow === 'in' ? '+' : flow === 'out' && !value.startsWith('-') ? '−' : ''
  const [digits, whole] = [formatAmount(value, inLanguage), formatExactAmount(value, inLanguage)]
  const room = column && { style: { '--decimals': amountDecimals(value) } as CSSProperties }
  return (
    <span
      {...(!exact && digits !== whole && { title: unit ? `${whole} ${unit}` : whole })}
      className={cx('num whitespace-nowrap', flow === 'in' && 'text-good', flow === 'out' && 'text-bad', className)}
    >
      <span {...room} className={cx(column && 'amount-column')}>
        {sign}
        {exact ? whole : digits}
      </span>
      {unit && <span className={cx('ml-1 text-ink-3', column && 'unit-column')}>{unit}</span>}
    </span>
  )
}

/**
 * Unix seconds in the merchant's time zone as YYYY-MM-DD HH:mm:ss, or as a date with `day`. 0 shows a dash. The tooltip
 * names the zone.
 */
export function Time({ seconds, day, className }: { seconds: number; day?: boolean; className?: string }) {
  const inLanguage = useCell(language)
  const { text, zone, ready } = useWallTime(seconds)
  if (!seconds) return <None />
  return (
    <time
      dateTime={new Date(seconds * 1000).toISOString()}
      title={ready ? `${text} ${zone}` : undefined}
      className={cx('num whitespace-nowrap', !ready && 'invisible', className)}
    >
      {day ? formatDay(dayOf(seconds, zone), inLanguage) : text}
    </time>
  )
}

/** A moment in the merchant's time zone. Until the zone is known, the text only takes its room. */
export function useWallTime(seconds: number): { text: string; zone: string; ready: boolean } {
  const known = useCell(merchantZone)
  const zone = known ?? browserZone()
  return { text: wallTime(seconds, zone), zone, ready: known !== undefined }
}

/** A dash in place of a missing value. */
export const None = () => (
  <span className="text-ink-3">
    <span aria-hidden="true">–</span>
  </span>
)

/** A value masked to its first 5 and last 4 characters, with a copy button. `full` shows it whole. */
export function CopyText({ value, full, label }: { value: string; full?: boolean; label?: string }) {
  if (value === '') return <None />
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <span title={full ? undefined : value} className={cx('num min-w-0', full ? 'break-all' : 'whitespace-nowrap')}>
        {full ? value : mask(value)}
      </span>
      <CopyButton value={value} {...(label && { label })} />
    </span>
  )
}

/**
 * Copies a value; `label` names it. Tables have many of these, so the icon is a CSS background rather than an element.
 */
export function CopyButton({ value, label }: { value: string; label?: string }) {
  const t = useMessages('common')
  const [copied, setCopied] = useState<string>()
  const done = copied === value
  const name = done ? t.copied : label ? t.copyNamed(label) : t.copy
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(value)
      setTimeout(() => setCopied(undefined), copiedShownMs)
    } catch {
      showToast('error', t.copyFailed)
    }
  }
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      onClick={copy}
      className={cx(
        'relative inline-flex size-7 shrink-0 items-center justify-center rounded-lg hover:bg-sunken pointer-coarse:size-9',
        done ? 'text-good' : 'copy-mark text-ink-3 hover:text-ink',
      )}
    >
      {done && (
        <>
          <Icon name="check" size={16} />
          <span role="status" className="sr-only">
            {t.copied}
          </span>
        </>
      )}
    </button>
  )
}

const copiedShownMs = 1_500
