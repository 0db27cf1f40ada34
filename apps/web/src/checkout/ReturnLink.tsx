/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import { buttonClass, cx } from '../ui/classes.ts'
import { isEmbedded } from '../visitor/embedded.ts'
import type { CheckoutMessages } from './checkout-messages.ts'
import { formatUrlHost } from './stage.ts'

/** Seconds until the page goes to the shop by itself. */
const leaveAfter = 8

interface Props {
  url: string
  auto: boolean
  merchant: string
  t: CheckoutMessages
}

/** The link to the shop. With `auto` the page goes there by itself, announces it, and can be stopped. */
export function ReturnLink({ url, auto, merchant, t }: Props) {
  const [left, setLeft] = useState(auto && !isEmbedded ? leaveAfter : null)
  useEffect(() => {
    if (left === 0) location.assign(url)
    if (!left) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left, url])
  return (
    <>
      <a href={url} target="_top" class={cx(buttonClass('primary', 'large'), 'mt-5 w-full')}>
        {t.back(merchant)}
      </a>
      {left === null ? (
        <p class="mt-2 text-center text-xs break-all text-ink-3">{formatUrlHost(url)}</p>
      ) : (
        <div class="mt-2 flex flex-wrap items-center justify-center gap-x-1 text-[13px] text-ink-2">
          {/* Read out once, not every second. */}
          <p role="status" class="sr-only">
            {t.leaving(formatUrlHost(url), leaveAfter)}
          </p>
          <p aria-hidden="true" class="num">
            {t.leaving(formatUrlHost(url), left)}
          </p>
          <button
            type="button"
            class="min-h-11 px-2 text-accent-text underline-offset-2 hover:underline"
            onClick={() => setLeft(null)}
          >
            {t.stay}
          </button>
        </div>
      )}
    </>
  )
}

/** The link out of a payment for which nothing was sent yet. Once its time is over, there is nothing to cancel. */
export const CancelLink = ({ url, isOver, t }: { url: string; isOver?: boolean; t: CheckoutMessages }) => (
  <p class="mt-1 -mb-2 text-[13px]">
    <a
      href={url}
      target="_top"
      class="inline-flex min-h-11 items-center text-accent-text underline-offset-2 hover:underline"
    >
      {isOver ? t.back(formatUrlHost(url)) : t.cancel(formatUrlHost(url))}
    </a>
  </p>
)
