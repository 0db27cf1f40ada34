import { cx } from '../classes.ts'

export const boxClass =
  'size-4 shrink-0 appearance-none border border-line-strong bg-surface bg-center bg-no-repeat transition-colors checked:border-accent checked:bg-accent disabled:opacity-50'
export const radioClass = cx(boxClass, 'rounded-full checked:shadow-[inset_0_0_0_3px_var(--surface)]')
