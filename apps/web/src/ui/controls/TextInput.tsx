import type { ComponentProps } from 'react'
import { messages } from '../../i18n/messages.ts'
import { showToast } from '../../lib/toast.ts'
import { controlClass, cx } from '../classes.ts'
import { stripHiddenCharacters } from './hidden.ts'

export type TextInputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  value: string
  onChange(value: string): void
}

/** A field of one line. What is not seen of a pasted text is removed, and said to be. */
export const TextInput = ({ onChange, className, type = 'text', ...rest }: TextInputProps) => (
  <input
    {...rest}
    type={type}
    className={cx(controlClass, className)}
    onChange={({ currentTarget: { value } }) => {
      const seen = type === 'password' ? value : stripHiddenCharacters(value)
      if (seen !== value) showToast('info', messages('common').hiddenRemoved)
      onChange(seen)
    }}
  />
)

export type TextAreaProps = Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> & {
  value: string
  onChange(value: string): void
}

export const TextArea = ({ onChange, className, rows = 3, ...rest }: TextAreaProps) => (
  <textarea
    {...rest}
    rows={rows}
    className={cx(controlClass, 'h-auto py-2 pointer-coarse:h-auto', className)}
    onChange={event => onChange(event.currentTarget.value)}
  />
)
