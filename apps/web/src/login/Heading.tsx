import type { ReactNode } from 'react'
import type { LoginView } from './view.ts'

export const Heading = ({ title, text }: { title: string; text: string }) => (
  <div className="mb-6">
    <h1 className="text-xl leading-7 font-semibold tracking-tight">{title}</h1>
    <p className="mt-1 text-[13px] wrap-anywhere text-ink-2">{text}</p>
  </div>
)

/** An error of the whole form. */
export const FormError = ({ children }: { children: ReactNode }) => (
  <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-[13px] text-bad empty:hidden">
    {children}
  </p>
)

const linkLook = 'rounded-sm text-accent-text underline underline-offset-2 pointer-coarse:min-h-11'

/** A link to another view of the page. */
export const ViewLink = ({ to, children }: { to: LoginView; children: ReactNode }) => (
  <a href={to === 'signIn' ? '#' : `#${to}`} className={linkLook}>
    {children}
  </a>
)

/** A button that looks like a link: it changes neither the view nor the URL. */
export const TextButton = ({ onClick, children }: { onClick(): void; children: ReactNode }) => (
  <button type="button" onClick={onClick} className={linkLook}>
    {children}
  </button>
)
