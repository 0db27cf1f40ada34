import { useMessages } from '../i18n/messages.ts'

export function Sandbox() {
  const t = useMessages('login')
  return (
    <p className="mt-5 max-w-[400px] text-center text-[13px] text-ink-2">
      {t.sandbox}{' '}
      <a
        href="/sandbox"
        target="_blank"
        rel="noreferrer"
        className="rounded-sm text-accent-text whitespace-nowrap underline underline-offset-2"
      >
        {t.openInbox}
      </a>
    </p>
  )
}
