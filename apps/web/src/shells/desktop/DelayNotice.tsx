import { useQuery } from '@tanstack/react-query'
import { isLiveStreamOpen } from '../../api/live.ts'
import { apiQuery, queryClient } from '../../api/query.ts'
import { joinList } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Icon } from '../../ui/icons.tsx'

/** How often (ms) to check for delayed chains while the page is visible. */
const everyMs = 30_000

/**
 * A notice while live updates have stopped, or while a chain is read with a delay, so that recent deposits are missing.
 */
export function DelayNotice() {
  const t = useMessages('shell')
  const { tryAgain } = useMessages('common')
  const isLive = useCell(isLiveStreamOpen)
  const { data: user } = useQuery({ ...apiQuery('GET /api/v1/user/info', {}), refetchInterval: everyMs })
  const delayed = user?.delayed_chains ?? []
  if (isLive && delayed.length === 0) return null
  return (
    <p
      role="status"
      className="flex items-center gap-3 border-b border-line bg-accent-soft px-4 py-2 text-[13px] sm:px-6"
    >
      <Icon name="info" size={16} className="shrink-0 text-accent-text" />
      <span className="min-w-0 grow">{isLive ? t.delayed(joinList(delayed)) : t.notLive}</span>
      {!isLive && (
        <Button look="ghost" size="small" onClick={() => void queryClient.invalidateQueries()}>
          {tryAgain}
        </Button>
      )}
    </p>
  )
}
