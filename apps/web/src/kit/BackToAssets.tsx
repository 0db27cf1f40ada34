import { useState } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { previousPath } from '../lib/previousPath.ts'
import { Link } from '../ui/controls/Link.tsx'
import { Icon } from '../ui/icons.tsx'

const assets = '/property'

/** A link back to the assets page, for who came from there. */
export function BackToAssets() {
  const t = useMessages('ledger')
  // What is shown stays, also once a filter has changed the URL.
  const [isShown] = useState(() => previousPath.get() === assets)
  if (!isShown) return null
  return (
    <Link to={assets} className="mb-2 inline-flex items-center gap-1 text-[13px] pointer-coarse:min-h-11">
      <Icon name="chevronLeft" size={14} />
      {t.backToAssets}
    </Link>
  )
}
