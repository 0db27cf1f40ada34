import type { ComponentProps } from 'react'
import { controlClass, cx } from '../classes.ts'

export type TextInputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  value: string
  onChange(value: string): void
}

export const TextInput = ({ onChange, className, type = 'text', ...rest }: TextInputProps) => (
  <input
    {...rest}
    type={type}
    className={cx(controlClass, className)}
    onChange={event => onChange(event.currentTarget.value)}
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
