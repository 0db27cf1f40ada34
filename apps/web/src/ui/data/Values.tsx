import { limits } from '@coffer/contract/limits.ts'
import { mask } from '@coffer/contract/validators.ts'
import { useState } from 'react'
import { formatAmount, formatDay, formatTime } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { showToast } from '../../lib/toast.ts'
import { useCell } from '../../lib/useCell.ts'
import { cx } from '../classes.ts'
import { Icon } from '../icons.tsx'

interface AmountProps {
  /** A decimal string. Empty is shown as a dash. */
  value: string
  /** The unit behind it: USDT, a token, a currency. */
  unit?: string
  decimals?: number
  /** Green for money in, red for money out, with a sign. */
  flow?: 'in' | 'out'
  /** In a column: takes the room of all its decimals, so that the points stand under each other. */
  column?: boolean
  className?: string
}

/** The zeros at the end that are not written: faint, and not part of the text. */
const zerosAfter = 'after:text-line-strong after:content-[attr(data-zeros)]'
const zerosBefore = 'before:mr-1 before:text-line-strong before:content-[attr(data-zeros)]'

export function Amount({ value, unit, decimals = limits.amountDecimals, flow, column, className }: AmountProps) {
  const inLanguage = useCell(language)
  if (value === '') return <None />
  const sign = flow === 'in' ? '+' : flow === 'out' && !value.startsWith('-') ? '−' : ''
  const digits = formatAmount(value, inLanguage, decimals)
  const missing = column ? decimals - (digits.split('.')[1]?.length ?? 0) : 0
  const zeros = missing > 0 && { 'data-zeros': '0'.repeat(missing) }
  return (
    <span
      {...(!unit && zeros)}
      className={cx(
        'num whitespace-nowrap',
        flow === 'in' && 'text-good',
        flow === 'out' && 'text-bad',
        !unit && zeros && zerosAfter,
        className,
      )}
    >
      {sign}
      {digits}
      {unit && (
        <span {...zeros} className={cx('text-ink-3', zeros ? zerosBefore : 'ml-1')}>
          {unit}
        </span>
      )}
    </span>
  )
}

/** A moment (YYYY-MM-DD HH:mm:ss) or with `day` a date. 0 is shown as a dash. `seconds` is unix time. */
export function Time({ seconds, day, className }: { seconds: number; day?: boolean; className?: string }) {
  const inLanguage = useCell(language)
  if (!seconds) return <None />
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} className={cx('num whitespace-nowrap', className)}>
      {day ? formatDay(seconds, inLanguage) : formatTime(seconds)}
    </time>
  )
}

/** What stands where there is no value. */
export const None = () => (
  <span className="text-ink-3">
    <span aria-hidden="true">–</span>
  </span>
)

/** A long value, cut in the middle (first 5, last 4), with a button that copies all of it. `full` shows it whole. */
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
 * Copies a value that stands beside it or is not shown at all. `label` says what is copied. Tables have many of these:
 * the mark is drawn by the button itself, without elements of its own.
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
