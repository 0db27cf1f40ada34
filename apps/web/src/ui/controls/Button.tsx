import type { RouteKey } from '@coffer/contract'
import type { ComponentProps, ReactNode } from 'react'
import { useMay } from '../../lib/refused.ts'
import { type ButtonLook, type ButtonSize, buttonClass, cx } from '../classes.ts'
import { Icon, type IconName } from '../icons.tsx'

interface Native extends Omit<ComponentProps<'button'>, 'type'> {
  /** What it is for: a role without this call has no such button. */
  call?: RouteKey
}

export interface ButtonProps extends Native {
  look?: ButtonLook
  size?: ButtonSize
  icon?: IconName
  type?: 'button' | 'submit'
  /** Shows a spinner and disables the button. */
  busy?: boolean
}

export function Button({
  look,
  size,
  icon,
  busy,
  children,
  className,
  disabled,
  type = 'button',
  call,
  ...rest
}: ButtonProps) {
  const may = useMay()
  if (call && !may(call)) return null
  return (
    <button
      type={type}
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(buttonClass(look, size), className)}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} size={16} className="-ml-0.5" />}
      {children}
    </button>
  )
}

/** A square icon button; `label` is its accessible name and tooltip. */
export function IconButton({
  icon,
  label,
  size = 'medium',
  className,
  badge,
  call,
  ...rest
}: Native & { icon: IconName; label: string; size?: 'small' | 'medium'; badge?: ReactNode }) {
  const may = useMay()
  if (call && !may(call)) return null
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cx(
        'relative inline-flex shrink-0 items-center justify-center rounded-lg text-ink-2 transition-colors hover:enabled:bg-sunken hover:enabled:text-ink disabled:opacity-50 pointer-coarse:size-11',
        size === 'small' ? 'size-7' : 'size-9',
        className,
      )}
    >
      <Icon name={icon} size={size === 'small' ? 16 : 20} />
      {badge}
    </button>
  )
}

const Spinner = () => (
  <span
    aria-hidden="true"
    className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent motion-reduce:animate-none"
  />
)
