import { useId } from 'react'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { cx } from '../../ui/classes.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { describeAmountAmbiguity, describeTypedAmount } from '../../ui/controls/typedAmount.ts'
import type { LimitWindowScope, WindowDraft, WindowUnit } from './policy.ts'

interface Props {
  window: WindowDraft
  wrong: boolean
  onChange(next: WindowDraft): void
  onRemove(): void
}

/** A limit of what leaves within a time: of the whole account, of a token, or to an address. */
export function WindowFields({ window, wrong, onChange, onRemove }: Props) {
  const t = useMessages('withdrawals')
  const { amounts } = useMessages('common')
  const inLanguage = useCell(language)
  const id = useId()
  const doubt = describeAmountAmbiguity(window.limit, amounts)
  const pers = Object.entries(t.pers) as [LimitWindowScope, string][]
  const unitNames = Object.entries(t.units) as [WindowUnit, string][]
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label={t.counts}
        className="w-full sm:w-44"
        value={window.per}
        options={pers.map(([value, label]) => ({ value, label }))}
        onChange={per => onChange({ ...window, per })}
      />
      <TextInput
        aria-label={t.length}
        aria-invalid={wrong || undefined}
        inputMode="decimal"
        className="num max-w-20"
        maxLength={6}
        value={window.length}
        onChange={length => onChange({ ...window, length })}
      />
      <Select
        aria-label={t.unit}
        className="w-28"
        value={window.unit}
        options={unitNames.map(([value, label]) => ({ value, label }))}
        onChange={unit => onChange({ ...window, unit })}
      />
      <TextInput
        aria-label={t.limitUsdt}
        aria-invalid={wrong || doubt !== null || undefined}
        aria-describedby={`${id}-note`}
        inputMode="decimal"
        placeholder={t.limitUsdt}
        className="num max-w-40"
        maxLength={30}
        value={window.limit}
        onChange={limit => onChange({ ...window, limit })}
      />
      <span aria-hidden="true" className="text-sm text-ink-3">
        USDT
      </span>
      <IconButton icon="trash" label={t.removeWindow} onClick={onRemove} />
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={cx('w-full text-xs empty:hidden', doubt ? 'text-bad' : 'text-ink-2')}
      >
        {doubt ?? describeTypedAmount(window.limit, amounts, inLanguage)}
      </p>
    </div>
  )
}
