import { useEffect } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { recover } from '../../lib/recover.ts'
import { Button } from '../../ui/controls/Button.tsx'

/**
 * Shown when a page fails to render or load (after a server update its old files are gone). The browser remembers a
 * failed file, so the whole page is reloaded once the server answers.
 */
export function PageBroken() {
  const t = useMessages('common')
  useEffect(() => recover({ probe, reload: () => location.reload(), now: Date.now, last }), [])
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

const probe = () =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
const key = 'reloaded'
const last = {
  get: () => Number(sessionStorage.getItem(key) ?? 0),
  set: (time: number) => sessionStorage.setItem(key, String(time)),
}
