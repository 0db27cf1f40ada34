/** @jsxImportSource preact */
import { cx, linkClass } from '../ui/classes.ts'
import { exactAmount, GroupedText } from '../visitor/parts.tsx'
import type { CheckoutMessages } from './checkout-messages.ts'
import type { Checkout } from './follow.ts'

/** What becomes of a deposit, in words. */
function stateText(
  { state, returned, accepted, held, ...deposit }: Checkout['deposits'][number],
  t: CheckoutMessages,
): string {
  if (returned !== 'no') return t.returnedStates[returned]
  if (state === 'seen' && !accepted) return t.notAccepted
  if (held) return t.held
  return state === 'seen' ? t.confirmations(deposit.confirmations, deposit.required_confirmations) : t.states[state]
}

/** The detected deposits with their confirmations. */
export function Transactions({ view: { deposits }, t }: { view: Checkout; t: CheckoutMessages }) {
  if (deposits.length === 0) return null
  return (
    <section class="border-t border-line px-5 py-4">
      <h2 class="text-[13px] font-medium text-ink-2">{t.transactions}</h2>
      <ul class="divide-y divide-line">
        {deposits.map(deposit => (
          <li key={`${deposit.txid} ${deposit.seen_time} ${deposit.amount}`} class="py-3 last:pb-0">
            <div class="flex items-baseline justify-between gap-3">
              <span class="num text-[15px] font-medium">
                {exactAmount(deposit.amount)} {deposit.token}
              </span>
              <span
                class={cx(
                  'text-[13px]',
                  deposit.state === 'credited' && deposit.returned === 'no' ? 'text-good' : 'text-ink-2',
                )}
              >
                {stateText(deposit, t)}
                {deposit.late && deposit.returned === 'no' && ` · ${t.late}`}
              </span>
            </div>
            {deposit.state === 'seen' && deposit.accepted && (
              <progress
                class="mt-2 block h-1 w-full overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-theme [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-theme"
                max={deposit.required_confirmations}
                value={deposit.confirmations}
                aria-label={t.confirmations(deposit.confirmations, deposit.required_confirmations)}
              />
            )}
            <p class="mt-1 text-xs text-ink-3">
              <span class="mb-0.5 block text-ink-2">{deposit.chain}</span>
              <a
                class={deposit.browser_url && linkClass}
                href={deposit.browser_url || undefined}
                target="_blank"
                rel="noreferrer"
              >
                <GroupedText value={deposit.txid} class="font-mono" />
              </a>
            </p>
            {deposit.returned_to && (
              <p class="mt-2 text-xs text-ink-3">
                <span class="mb-0.5 block text-ink-2">{t.returnedTo}</span>
                <GroupedText value={deposit.returned_to} class="font-mono" />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
