import { useEffect, useState } from 'react'
import { cx } from '../classes.ts'
import { Icon } from '../icons.tsx'
import { TextInput } from './TextInput.tsx'

interface Props {
  label: string
  /** In place of the label, where it is too long for the box. */
  placeholder?: string | undefined
  maxLength?: number | undefined
  value: string
  /** Called after typing pauses, and immediately on Enter. */
  onCommit(text: string): void
  /** Debounce. */
  delayMs?: number
  className?: string
}

/** A debounced search field. */
export function SearchInput({
  label,
  placeholder = label,
  maxLength,
  value,
  onCommit,
  delayMs = 400,
  className,
}: Props) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const wanted = text.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing restarts the timer, a new callback must not
  useEffect(() => {
    if (wanted === value) return
    const timer = setTimeout(() => onCommit(wanted), delayMs)
    return () => clearTimeout(timer)
  }, [wanted])
  return (
    <span className={cx('relative block', className)}>
      <Icon
        name="search"
        size={16}
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"
      />
      <TextInput
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        autoComplete="off"
        className="pl-9"
        value={text}
        onChange={setText}
        onKeyDown={event => event.key === 'Enter' && onCommit(wanted)}
      />
    </span>
  )
}
