import { type ReactNode, useId } from 'react'
import { cx } from '../classes.ts'

/** Props that associate a control with its label, hint and error. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: string | false | null | undefined
  required?: boolean
  /** Shown after the label of an optional field. */
  optional?: string
  className?: string
  children(control: ControlProps): ReactNode
}

/**
 * A label, a control and its error or hint: `<Field label={t.email}>{control => <TextInput {...control} />}</Field>`
 */
export function Field({ label, hint, error, required, optional, className, children }: FieldProps) {
  const id = useId()
  const describedBy = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  return (
    <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
      <label id={`${id}-label`} htmlFor={id} className="text-[13px] font-medium text-ink-2">
        {label}
        {optional && <span className="ml-1.5 font-normal text-ink-3">{optional}</span>}
      </label>
      {children({
        id,
        'aria-describedby': describedBy,
        'aria-invalid': error ? true : undefined,
        'aria-required': required ? true : undefined,
      })}
      {hint && !error && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} aria-live="polite" className="text-xs text-bad empty:hidden">
        {error || null}
      </p>
    </div>
  )
}
