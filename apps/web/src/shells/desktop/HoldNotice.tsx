import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useWallTime } from '../../ui/data/Values.tsx'
import { Icon } from '../../ui/icons.tsx'

/** A notice while nothing may leave the account: what holds it, since when, until when, and what ends it. */
export function HoldNotice() {
  const t = useMessages('desktop')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const hold = user?.hold
  const since = useWallTime(hold?.since ?? 0)
  const until = useWallTime(hold?.until ?? 0)
  if (!hold || !since.ready) return null
  return (
    <p
      role="status"
      className="flex items-center gap-3 border-b border-line bg-accent-soft px-4 py-2 text-[13px] sm:px-6"
    >
      <Icon name="info" size={16} className="shrink-0 text-accent-text" />
      {hold.cause === 'reported' ? t.heldReported(since.text) : t.heldChanged(since.text, until.text)}
    </p>
  )
}
