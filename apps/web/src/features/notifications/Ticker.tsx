import { limits } from '@coffer/contract/kit/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icons.tsx'
import { type MerchantNotification, unreadAnnouncementsQuery, useIsUnread } from './queries.ts'
import { readMarkBatch } from './readMarks.ts'

const Announcement = lazyComponent(() => import('./Announcement.tsx'))

const rowHeightPx = { header: 24, title: 44 }

/**
 * Unread announcements: scrolls 0.5 px per frame and pauses 3 s on each. Static with reduced motion. On a phone they
 * stand below the title of the page, where they cover and move nothing, each as high as a thumb needs.
 */
export default function Ticker({ look = 'header' }: { look?: keyof typeof rowHeightPx }) {
  const t = useMessages('shell')
  const isUnread = useIsUnread()
  const [opened, setOpened] = useState<MerchantNotification | null>(null)
  const { data } = useQuery(unreadAnnouncementsQuery)
  const unread = (data?.list ?? []).filter(isUnread)
  const box = useRef<HTMLDivElement>(null)
  const height = rowHeightPx[look]
  useRolling(box, unread.length, height)
  const open = (announcement: MerchantNotification) => {
    readMarkBatch.mark(announcement.id)
    setOpened(announcement)
  }
  return (
    <div className={look === 'header' ? 'min-w-0 flex-1 px-2' : 'contents'}>
      {unread.length > 0 && (
        <section
          aria-label={t.announcements}
          className={cx(
            look === 'header'
              ? 'hidden items-center gap-2 text-[13px] text-ink-2 sm:flex'
              : 'absolute inset-x-1 bottom-0 flex items-end gap-1 text-xs text-accent-text *:[svg]:mb-1.5',
          )}
        >
          <Icon name="info" size={16} className="shrink-0 text-accent-text" />
          <div ref={box} style={{ height }} className="min-w-0 grow overflow-hidden">
            {unread.map(announcement => (
              <button
                key={announcement.id}
                type="button"
                style={{ height }}
                onClick={() => open(announcement)}
                className={cx(
                  'max-w-full truncate text-left hover:underline focus-visible:-outline-offset-2',
                  look === 'header' ? 'block hover:text-ink' : 'flex w-full items-end pb-1.5',
                )}
              >
                <span className="truncate">{announcement.title}</span>
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

function useRolling(box: RefObject<HTMLDivElement | null>, rows: number, height: number) {
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
      if (top % height === 0) restUntil = now + limits.tickerPauseMs
      if (top > (rows - 1) * height) {
        top = 0
        restUntil = now + limits.tickerPauseMs
      }
      element.scrollTop = top
    }
    frame = requestAnimationFrame(roll)
    return () => cancelAnimationFrame(frame)
  }, [box, rows, height, still])
}
