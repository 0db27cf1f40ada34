import { useEffect, useRef, useState } from 'react'
import { queryClient } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icons.tsx'

/** How far (px) the page is pulled before it is read again. */
const enoughPx = 72

/** Reads the page's data again when it is pulled down from its top. */
export function PullToRefresh() {
  const t = useMessages('phone')
  const [busy, setBusy] = useState(false)
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let from: number | undefined
    let pulled = 0
    const draw = () => {
      if (!mark.current) return
      mark.current.style.transform = `translateY(${Math.min(pulled, enoughPx) / 1.5}px)`
      mark.current.style.opacity = String(Math.min(pulled / enoughPx, 1))
    }
    const begin = ({ touches, target }: TouchEvent) => {
      const inPage = (target as Element).closest('main')
      from = scrollY === 0 && inPage && touches.length === 1 ? touches[0]?.clientY : undefined
    }
    const move = ({ touches }: TouchEvent) => {
      if (from === undefined) return
      pulled = scrollY > 0 ? 0 : Math.max(0, ((touches[0]?.clientY ?? from) - from) / 2)
      draw()
    }
    const end = async () => {
      const enough = pulled >= enoughPx
      from = undefined
      pulled = 0
      if (enough) {
        setBusy(true)
        await queryClient.invalidateQueries()
        setBusy(false)
      }
      draw()
    }
    const options = { passive: true }
    addEventListener('touchstart', begin, options)
    addEventListener('touchmove', move, options)
    addEventListener('touchend', end)
    addEventListener('touchcancel', end)
    return () => {
      removeEventListener('touchstart', begin)
      removeEventListener('touchmove', move)
      removeEventListener('touchend', end)
      removeEventListener('touchcancel', end)
    }
  }, [])
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-6 z-10 flex justify-center">
      <div
        ref={mark}
        className="flex size-10 items-center justify-center rounded-full bg-surface text-accent-text opacity-0 shadow-popup"
      >
        <Icon name="refresh" className={cx(busy && 'animate-spin')} />
        {busy && <span className="sr-only">{t.refreshing}</span>}
      </div>
    </div>
  )
}
