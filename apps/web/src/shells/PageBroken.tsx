import { useMessages } from '../i18n/messages.ts'
import { Button } from '../ui/controls/Button.tsx'

/** Shown when a page fails to render or load (after a server update its old files are gone). */
export function PageBroken() {
  const t = useMessages('common')
  return (
    <div role="alert" className="flex min-h-[60vh] flex-col items-center justify-center gap-1 text-center">
      <h1 className="text-xl font-semibold">{t.pageBroken}</h1>
      <p className="text-ink-2">{t.checkConnection}</p>
      <Button className="mt-6" look="primary" icon="refresh" onClick={() => location.reload()}>
        {t.reload}
      </Button>
    </div>
  )
}
