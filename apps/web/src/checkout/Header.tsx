/** @jsxImportSource preact */
import { formatAmount } from '@coffer/contract/format-amount.ts'
import { language } from '../i18n/language.ts'
import type { Checkout } from './follow.ts'
import type { Words } from './words.ts'

/** Merchant, subject and value of the payment. */
export function Header({ view, t }: { view: Checkout; t: Words }) {
  const { merchant_name: name, logo, subject, fiat_name, fiat_amount, usdt_amount } = view
  const here = language.get()
  return (
    <header class="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-5 py-4">
      {logo ? (
        <img src={logo} alt="" width={40} height={40} class="size-10 rounded-lg object-cover" />
      ) : (
        <span
          aria-hidden="true"
          class="flex size-10 shrink-0 items-center justify-center rounded-lg bg-accent-soft font-semibold text-accent-text"
        >
          {name.slice(0, 1).toUpperCase()}
        </span>
      )}
      <div class="min-w-[min(50%,88px)] flex-1">
        <p class="line-clamp-2 text-[15px] leading-5 font-medium break-words">{t.payTo(name)}</p>
        {subject && <p class="mt-0.5 text-[13px] break-words text-ink-2">{subject}</p>}
      </div>
      <p class="num ml-auto max-w-full text-right wrap-anywhere">
        <span class="text-lg font-semibold">
          {fiat_name ? `${formatAmount(fiat_amount, here)} ${fiat_name}` : `${formatAmount(usdt_amount, here)} USDT`}
        </span>
        {fiat_name && <span class="block text-xs text-ink-3">≈ {formatAmount(usdt_amount, here)} USDT</span>}
      </p>
    </header>
  )
}
