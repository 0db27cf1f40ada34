/** @jsxImportSource preact */
import { cx, linkClass } from '../ui/classes.ts'
import { exact, Grouped } from '../visitor/parts.tsx'
import type { Checkout } from './follow.ts'
import type { Words } from './words.ts'

/** The detected deposits with their confirmations. */
export function Transactions({ view: { deposits }, t }: { view: Checkout; t: Words }) {
  if (deposits.length === 0) return null
  return (
    <section class="border-t border-line px-5 py-4">
      <h2 class="text-[13px] font-medium text-ink-2">{t.transactions}</h2>
      <ul class="divide-y divide-line">
        {deposits.map(deposit => (
          <li key={`${deposit.txid} ${deposit.seen_time} ${deposit.amount}`} class="py-3 last:pb-0">
            <div class="flex items-baseline justify-between gap-3">
              <span class="num text-[15px] font-medium">
                {exact(deposit.amount)} {deposit.token}
              </span>
              <span class={cx('text-[13px]', deposit.state === 'credited' ? 'text-good' : 'text-ink-2')}>
                {deposit.state === 'seen' && !deposit.accepted
                  ? t.notAccepted
                  : deposit.held
                    ? t.held
                    : deposit.state === 'seen'
                      ? t.confirmations(deposit.confirmations, deposit.required_confirmations)
                      : t.states[deposit.state]}
                {deposit.late && ` · ${t.late}`}
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
                <Grouped value={deposit.txid} class="font-mono" />
              </a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
