/** @jsxImportSource preact */
import { formatExactAmount } from '@coffer/contract/format-amount.ts'
import { language } from '../i18n/language.ts'
import { cx } from '../ui/classes.ts'
import { inGroups } from '../ui/data/inGroups.ts'
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
                {formatExactAmount(deposit.amount, language.get())} {deposit.token}
              </span>
              <span class={cx('text-[13px]', deposit.state === 'credited' ? 'text-good' : 'text-ink-2')}>
                {deposit.state === 'seen'
                  ? t.confirmations(deposit.confirmations, deposit.required_confirmations)
                  : t.states[deposit.state]}
                {deposit.late && ` · ${t.late}`}
              </span>
            </div>
            {deposit.state === 'seen' && (
              <progress
                class="mt-2 block h-1 w-full overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-theme [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-theme"
                max={deposit.required_confirmations}
                value={deposit.confirmations}
                aria-label={t.confirmations(deposit.confirmations, deposit.required_confirmations)}
              />
            )}
            <p class="mt-1 text-xs text-ink-3">
              {deposit.browser_url ? (
                <a
                  class="text-accent-text underline-offset-2 hover:underline"
                  href={deposit.browser_url}
                  target="_blank"
                  rel="noreferrer"
                >
                  <Txid txid={deposit.txid} />
                </a>
              ) : (
                <Txid txid={deposit.txid} />
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Txid = ({ txid }: { txid: string }) => (
  <span class="font-mono" translate={false}>
    {inGroups(txid).map((group, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: groups never move
      <span key={index} class="mr-1 inline-block">
        {group}
      </span>
    ))}
  </span>
)
