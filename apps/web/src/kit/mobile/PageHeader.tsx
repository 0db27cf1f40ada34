import type { ReactNode } from 'react'

/** `PageHeader` of phones, whose shell shows the title: actions are as wide as the page. */
export const PageHeader = ({ title, text, actions }: { title: string; text?: ReactNode; actions?: ReactNode }) => (
  <header className="mb-4 flex flex-col gap-3 empty:hidden">
    <h1 className="sr-only">{title}</h1>
    {text && <p className="text-[13px] text-ink-2">{text}</p>}
    {actions && <div className="flex flex-wrap gap-2 *:grow">{actions}</div>}
  </header>
)
