/** Classes shared by several components, or with the checkout, which has no React. Keep them few. */
export const cx = (...parts: (string | false | null | undefined)[]): string => parts.filter(Boolean).join(' ')

/** The amount with which details begin, by `<Figure>`. */
export const headlineClass =
  'num @container min-w-0 grow basis-48 text-2xl leading-8 font-semibold tracking-tight max-sm:text-[32px] max-sm:leading-10'

/** What is shown while newer data is read. Paler text would be too faint to read. */
export const staleClass = '**:text-ink-3!'

const buttonBase =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap select-none transition-colors disabled:opacity-50 aria-disabled:opacity-50 max-[259px]:shrink max-[259px]:text-center max-[259px]:whitespace-normal'

export const buttonLooks = {
  primary: 'bg-accent text-on-accent hover:enabled:bg-accent-hover active:enabled:bg-accent-press',
  secondary: 'border border-line-strong bg-surface text-ink hover:enabled:bg-sunken',
  ghost: 'text-ink-2 hover:enabled:bg-sunken hover:enabled:text-ink',
  danger: 'bg-bad-fill text-on-accent hover:enabled:bg-bad-fill-hover',
} as const
export type ButtonLook = keyof typeof buttonLooks

export const buttonSizes = {
  small: 'h-8 px-3 text-[13px] pointer-coarse:h-11',
  medium: 'h-9 px-4 text-sm pointer-coarse:h-11',
  large: 'h-11 px-5 text-[15px]',
} as const
export type ButtonSize = keyof typeof buttonSizes

export const buttonClass = (look: ButtonLook = 'secondary', size: ButtonSize = 'medium'): string =>
  cx(buttonBase, buttonLooks[look], buttonSizes[size])

/** The box of text-like controls; its border is red on error. */
export const controlClass =
  'h-9 w-full min-w-0 rounded-lg border border-line-strong bg-surface px-3 text-sm text-ink placeholder:text-ink-3 ' +
  'transition-colors hover:enabled:border-ink-3 focus:border-ring focus:outline-2 focus:-outline-offset-1 focus:outline-ring ' +
  'aria-invalid:border-bad aria-invalid:focus:border-bad aria-invalid:focus:outline-bad disabled:bg-sunken disabled:text-ink-3 pointer-coarse:h-11 pointer-coarse:text-base'

export const linkClass = 'rounded-sm text-accent-text underline-offset-2 hover:underline'
export const cardClass = 'rounded-lg border border-line bg-surface'
export const popupClass = 'rounded-lg bg-surface text-ink shadow-popup outline-none'
/** An item of a menu or listbox. */
export const itemClass =
  'flex min-h-9 w-full cursor-default items-center gap-2 rounded-md px-3 py-1.5 text-left text-sm outline-none select-none ' +
  'hover:bg-sunken data-highlighted:bg-sunken data-disabled:opacity-50 pointer-coarse:min-h-11'
