import { useMessages } from '../../i18n/messages.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'

/** Shown for unknown paths and code 403. */
export function NotFound() {
  const t = useMessages('common')
  return (
    <div className="flex min-h-[60vh] flex-col items-center justify-center gap-1 text-center">
      <h1 className="text-2xl font-semibold tracking-tight">{t.noMatch}</h1>
      <p className="text-ink-2">{t.notFound}</p>
      <Link to="/" look="none" className={`${buttonClass('primary')} mt-6`}>
        {t.backHome}
      </Link>
    </div>
  )
}
