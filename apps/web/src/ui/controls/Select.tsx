import type { ComponentProps } from 'react'
import { controlClass, cx } from '../classes.ts'
import { Icon } from '../icons.tsx'
import { includeSelected, type SelectOption } from './options.ts'

export type { SelectOption }

type Props<V extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  value: V
  options: readonly SelectOption<V>[]
  onChange(value: V): void
  /** The first option, with the empty value: "All", "Please select". */
  placeholder?: string
}

/**
 * The native select, which supports keyboards, phones and screen readers without any code. For long lists or lists with
 * images use Combobox.
 */
export function Select<V extends string>({ value, options, onChange, placeholder, className, ...rest }: Props<V>) {
  return (
    <span className={cx('relative flex min-w-0', className)}>
      <select
        {...rest}
        value={value}
        className={cx(controlClass, 'appearance-none truncate pr-9')}
        onChange={event => onChange(event.currentTarget.value as V)}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {includeSelected(options, value).map(option => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon
        name="chevronDown"
        size={16}
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-3"
      />
    </span>
  )
}
