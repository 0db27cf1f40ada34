import { useMessages } from '../i18n/messages.ts'
import { Link } from '../ui/controls/Link.tsx'
import { Icon } from '../ui/icons.tsx'

/** A link back from pages that are reached only from the assets page. */
export function BackToAssets() {
  const t = useMessages('ledger')
  return (
    <Link to="/property" className="mb-2 inline-flex items-center gap-1 text-[13px] pointer-coarse:min-h-11">
      <Icon name="chevronLeft" size={14} />
      {t.backToAssets}
    </Link>
  )
}
