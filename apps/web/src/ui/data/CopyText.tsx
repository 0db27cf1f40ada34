import { mask } from '@coffer/contract/kit/texts.ts'
import { memo, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { showToast } from '../../lib/toast.ts'
import { cx } from '../classes.ts'
import { Icon } from '../icons.tsx'
import { splitIntoGroups } from './splitIntoGroups.ts'
import { NoValue } from './Values.tsx'

/** An address, hash or number, whole and in the groups in which every page shows it, so that people can compare it. */
export const GroupedText = ({ value, className }: { value: string; className: string }) => (
  // The space after the last group of a line stands outside.
  <span translate="no" className={cx('-mr-1.5 text-balance', className)}>
    {splitIntoGroups(value).map((group, index) => (
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

const isOrderNumber = (value: string) => /^\d{32}$/.test(value)
/** On one line of every phone that is not narrower. */
const unbroken = 'break-all text-[13px] min-[360px]:whitespace-nowrap'

/** A value with a copy button. */
export const CopyText = memo(({ value, look = 'masked', label }: CopyTextProps) => {
  if (value === '') return <NoValue />
  const masked = look === 'masked' && mask(value) !== value
  return (
    <span className={cx('inline-flex max-w-full gap-0.5', look === 'groups' ? 'items-start' : 'items-center')}>
      {look === 'groups' ? (
        <GroupedText value={value} className="min-w-0 py-1 font-mono text-[13px] leading-5" />
      ) : (
        <span
          {...(masked && { title: value })}
          className={cx(
            'num min-w-0',
            look !== 'whole' ? 'whitespace-nowrap' : isOrderNumber(value) ? unbroken : 'break-all',
          )}
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
      // Nobody can select what a mask leaves out, so the message has it.
      if (masked) showToast('error', t.copyFailedMasked(value), { stays: true })
      else showToast('error', t.copyFailed)
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
