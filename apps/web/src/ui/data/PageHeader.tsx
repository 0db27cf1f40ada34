import type { ReactNode } from 'react'

interface Props {
  title: ReactNode
  text?: ReactNode
  actions?: ReactNode
}

/** Title, description and actions at the top of a page. */
export const PageHeader = ({ title, text, actions }: Props) => (
  <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      <h1 className="text-xl leading-7 font-semibold tracking-tight">{title}</h1>
      {text && <p className="mt-0.5 max-w-2xl text-[13px] text-ink-3">{text}</p>}
    </div>
    {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
  </header>
)
