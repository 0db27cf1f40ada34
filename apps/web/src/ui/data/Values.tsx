import { formatAmount, formatExactAmount } from '@coffer/contract/format-amount.ts'
import { mask } from '@coffer/contract/texts.ts'
import { type CSSProperties, memo, useState } from 'react'
import { formatDay } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { dayOf, wallTime } from '../../lib/days.ts'
import { showToast } from '../../lib/toast.ts'
import { useCell } from '../../lib/useCell.ts'
import { browserZone, shownZone } from '../../lib/zone.ts'
import { cx } from '../classes.ts'
import { Icon } from '../icons.tsx'
import { fractionWidth } from './amountRoom.ts'
import { Digits } from './Digits.tsx'
import { inGroups } from './inGroups.ts'

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
  if (value === '') return <None />
  const sign = flow === 'in' ? '+' : flow === 'out' && !value.startsWith('-') ? '−' : ''
  const [digits, whole] = [formatAmount(value, inLanguage, unit), formatExactAmount(value, inLanguage, unit)]
  const room = column && { style: { '--fraction': fractionWidth(value, unit) } as CSSProperties }
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
  const known = useCell(shownZone)
  const zone = known ?? browserZone()
  return { text: wallTime(seconds, zone), zone, ready: known !== undefined }
}

/** A dash in place of a missing value. */
export const None = () => (
  <span className="text-ink-3">
    <span aria-hidden="true">–</span>
  </span>
)

/** An address, hash or number, whole and in the groups in which every page shows it, so that people can compare it. */
export const Grouped = ({ value, className }: { value: string; className: string }) => (
  // The space after the last group of a line stands outside.
  <span translate="no" className={cx('-mr-1.5 text-balance', className)}>
    {inGroups(value).map((group, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: groups never move
      <span key={index} className={cx('mr-1.5 inline-block', index % 2 === 1 && 'text-ink-2')}>
        {group}
      </span>
    ))}
  </span>
)

interface CopyTextProps {
  value: string
  label?: string
  /**
   * `groups` shows an address, hash or number whole, in groups of four that people can compare; `whole` shows any text
   * whole. `masked`, for dense tables, keeps the first 5 and last 4 characters; the rest is in the tooltip.
   */
  look?: 'masked' | 'whole' | 'groups'
}

/** A value with a copy button. */
export const CopyText = memo(({ value, look = 'masked', label }: CopyTextProps) => {
  if (value === '') return <None />
  const masked = look === 'masked' && mask(value) !== value
  return (
    <span className={cx('inline-flex max-w-full gap-0.5', look === 'groups' ? 'items-start' : 'items-center')}>
      {look === 'groups' ? (
        <Grouped value={value} className="min-w-0 py-1 text-left font-mono text-[13px] leading-5" />
      ) : (
        <span
          {...(masked && { title: value })}
          className={cx('num min-w-0', look === 'whole' ? 'break-all' : 'whitespace-nowrap')}
        >
          {masked ? mask(value) : value}
        </span>
      )}
      <CopyButton value={value} masked={masked} {...(label && { label })} />
    </span>
  )
})

/**
 * Copies a value; `label` names it. Beside a masked value the whole one is its description, which a table also shows on
 * keyboard focus. Tables have many of these, so the icon is a CSS background rather than an element.
 */
export function CopyButton({ value, label, masked }: { value: string; label?: string; masked?: boolean }) {
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
      title={masked ? value : name}
      data-masked={masked || undefined}
      onClick={copy}
      className={cx(
        'inline-flex size-7 shrink-0 items-center justify-center rounded-lg hover:bg-sunken pointer-coarse:-m-1 pointer-coarse:size-11',
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
