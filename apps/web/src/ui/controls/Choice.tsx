import { type ReactNode, useId } from 'react'
import { cx } from '../classes.ts'
import { boxClass, radioClass } from './boxClass.ts'

interface ChoiceProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange(checked: boolean): void
  /** Hides the label visually, for table rows. */
  hideLabel?: boolean
}

function Labelled({ id, hint, label, hideLabel, disabled, children }: LabelledProps) {
  return (
    <div
      className={cx(
        'flex items-start gap-2.5 pointer-coarse:relative pointer-coarse:min-h-11 pointer-coarse:items-center',
        disabled && 'text-ink-3',
      )}
    >
      <span className="flex h-5 items-center">{children}</span>
      <span className={hideLabel ? 'sr-only' : 'min-w-0 text-sm'}>
        {/* For a thumb, the whole line is the target. */}
        <label htmlFor={id} className="pointer-coarse:after:absolute pointer-coarse:after:inset-0">
          {label}
        </label>
        {hint && (
          <span id={`${id}-hint`} className="block text-xs text-ink-3">
            {hint}
          </span>
        )}
      </span>
    </div>
  )
}

type LabelledProps = Omit<ChoiceProps, 'checked' | 'onChange'> & { id: string; children: ReactNode }
const described = (id: string, hint: ReactNode) => ({ id, 'aria-describedby': hint ? `${id}-hint` : undefined })

export const Checkbox = (props: ChoiceProps) => <Box {...props} className={cx(boxClass, 'tick rounded-sm')} />

export const Switch = (props: ChoiceProps) => (
  <Box
    {...props}
    role="switch"
    className="relative h-5 w-9 shrink-0 appearance-none rounded-full bg-line-strong transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-on-accent before:transition-transform checked:bg-accent checked:before:translate-x-4 disabled:opacity-50 pointer-coarse:after:absolute pointer-coarse:after:-inset-3"
  />
)

type BoxProps = ChoiceProps & { role?: 'switch'; className: string }

function Box({ checked, onChange, role, className, ...rest }: BoxProps) {
  const id = useId()
  return (
    <Labelled id={id} {...rest}>
      <input
        {...described(id, rest.hint)}
        {...(role && { role, 'aria-checked': checked })}
        type="checkbox"
        checked={checked}
        disabled={rest.disabled}
        onChange={event => onChange(event.currentTarget.checked)}
        className={className}
      />
    </Labelled>
  )
}

interface RadioGroupProps<V extends string> {
  legend: ReactNode
  value: V
  options: readonly { value: V; label: ReactNode; hint?: ReactNode; disabled?: boolean }[]
  onChange(value: V): void
}

export function RadioGroup<V extends string>({ legend, value, options, onChange }: RadioGroupProps<V>) {
  const name = useId()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-[13px] font-medium text-ink-2">{legend}</legend>
      {options.map(option => (
        <Labelled key={option.value} id={`${name}-${option.value}`} {...option}>
          <input
            {...described(`${name}-${option.value}`, option.hint)}
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className={radioClass}
          />
        </Labelled>
      ))}
    </fieldset>
  )
}
