import { useMessages } from '../i18n/messages.ts'

/** Stands at /m/ as long as there is no layout for phones. */
export function PhoneNotice() {
  const t = useMessages('shell')
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-1 px-6 text-center">
      <h1 className="text-xl font-semibold">{t.phoneNotice}</h1>
      <p className="text-ink-2">{t.phoneNoticeText}</p>
    </main>
  )
}
