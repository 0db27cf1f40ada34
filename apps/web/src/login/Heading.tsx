import type { ReactNode } from 'react'

export const Heading = ({ title, text }: { title: string; text: string }) => (
  <div className="mb-6">
    <h1 className="text-xl leading-7 font-semibold tracking-tight">{title}</h1>
    <p className="mt-1 text-[13px] text-ink-2">{text}</p>
  </div>
)

/** An error of the whole form. */
export const FormError = ({ children }: { children: ReactNode }) => (
  <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-[13px] text-bad empty:hidden">
    {children}
  </p>
)

/** A button that looks like a link: it changes the view, not the URL. */
export const TextButton = ({ onClick, children }: { onClick(): void; children: ReactNode }) => (
  <button
    type="button"
    onClick={onClick}
    className="rounded-sm text-accent-text underline-offset-2 hover:underline pointer-coarse:min-h-11"
  >
    {children}
  </button>
)
