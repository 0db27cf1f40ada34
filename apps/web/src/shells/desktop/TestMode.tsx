import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { OutsideLink } from '../../ui/controls/Link.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'

/** Says on every page of a sandbox that no money is real, and leads to what stands in for payers, mailbox and operator. */
export function TestMode() {
  const t = useMessages('shell')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  if (!user?.sandbox) return null
  const places = { wallet: t.testWallet, inbox: t.testInbox, approval: t.testApproval }
  return (
    <section
      aria-label={t.testMode}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-4 py-1.5 text-[13px] sm:px-6"
    >
      <span className="flex items-center gap-2">
        <Badge kind="processing">{t.testMode}</Badge>
        <span className="text-ink-2 max-sm:sr-only">{t.testModeText}</span>
      </span>
      <span className="flex gap-4">
        {Object.entries(places).map(([place, name]) => (
          <OutsideLink key={place} href={`/sandbox#${place}`} className="pointer-coarse:py-3">
            {name}
          </OutsideLink>
        ))}
      </span>
    </section>
  )
}
