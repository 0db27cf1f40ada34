/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import { cx } from '../ui/classes.ts'
import type { CheckoutMessages } from './checkout-messages.ts'
import type { Checkout } from './follow.ts'
import { formatTimeLeft } from './stage.ts'

/** Seconds until expiry by the server's clock; the device's clock may be wrong. */
export function useSecondsLeft({ expire_time, now }: Checkout, heardAt: number): number {
  const [here, setHere] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setHere(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return expire_time - now - Math.max(0, here - heardAt) / 1_000
}

export function TimeLeft({ seconds, t }: { seconds: number; t: CheckoutMessages }) {
  return (
    <p class="text-[13px] whitespace-nowrap text-ink-2">
      {t.timeLeft}{' '}
      <span role="timer" class={cx('num font-medium', seconds < 120 ? 'text-bad' : 'text-ink')}>
        {formatTimeLeft(seconds)}
      </span>
    </p>
  )
}
