import { notificationStatus, notificationType } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { later } from '../../lib/later.tsx'
import { Icon } from '../../ui/icons.tsx'
import { type Notification, readBatch, useIsUnread } from './queries.ts'

const Announcement = later(() => import('./Announcement.tsx'))

const rowHeightPx = 24

/** Unread announcements: scrolls 0.5 px per frame and pauses 3 s on each. Static with reduced motion. */
export function Ticker() {
  const t = useMessages('shell')
  const isUnread = useIsUnread()
  const [opened, setOpened] = useState<Notification | null>(null)
  const query = { read: notificationStatus.unread, types: notificationType.announcement, current: 1, pageSize: 10 }
  const { data } = useQuery(apiQuery('GET /api/v1/message', { query }))
  const announcements = (data?.list ?? []).filter(isUnread)
  const box = useRef<HTMLDivElement>(null)
  useRolling(box, announcements.length)
  const open = (announcement: Notification) => {
    readBatch.mark(announcement.id)
    setOpened(announcement)
  }
  return (
    <div className="min-w-0 flex-1 px-2">
      {announcements.length > 0 && (
        <section aria-label={t.announcements} className="hidden items-center gap-2 text-[13px] text-ink-2 sm:flex">
          <Icon name="info" size={16} className="shrink-0 text-accent-text" />
          <div ref={box} style={{ height: rowHeightPx }} className="min-w-0 grow overflow-hidden">
            {announcements.map(announcement => (
              <button
                key={announcement.id}
                type="button"
                style={{ height: rowHeightPx }}
                onClick={() => open(announcement)}
                className="block max-w-full truncate text-left hover:text-ink hover:underline focus-visible:-outline-offset-2"
              >
                {announcement.title}
              </button>
            ))}
          </div>
        </section>
      )}
      {opened && <Announcement notification={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
const onReducedMotion = (changed: () => void) => {
  reducedMotion.addEventListener('change', changed)
  return () => reducedMotion.removeEventListener('change', changed)
}

function useRolling(box: RefObject<HTMLDivElement | null>, rows: number) {
  const still = useSyncExternalStore(onReducedMotion, () => reducedMotion.matches)
  useEffect(() => {
    const element = box.current
    if (!element || rows < 2 || still) return
    let frame = 0
    let restUntil = performance.now() + limits.tickerPauseMs
    let top = 0
    const roll = (now: number) => {
      frame = requestAnimationFrame(roll)
      if (now < restUntil || element.matches(':hover, :focus-within')) return
      top += limits.tickerPxPerFrame
      if (top % rowHeightPx === 0) restUntil = now + limits.tickerPauseMs
      if (top > (rows - 1) * rowHeightPx) {
        top = 0
        restUntil = now + limits.tickerPauseMs
      }
      element.scrollTop = top
    }
    frame = requestAnimationFrame(roll)
    return () => cancelAnimationFrame(frame)
  }, [box, rows, still])
}
