/** @jsxImportSource preact */
import { paymentStatus } from '@coffer/contract/codes.ts'
import type { CheckoutStage } from '@coffer/contract/payments/stage.ts'
import { formatPayersTime } from '../i18n/format.ts'
import { cx } from '../ui/classes.ts'
import { exactAmount } from '../visitor/parts.tsx'
import type { CheckoutMessages } from './checkout-messages.ts'
import type { Checkout } from './follow.ts'
import { MerchantContact, UncountedDeposits } from './MerchantContact.tsx'
import { Notice } from './Notice.tsx'
import { formatAmountsInOtherTokens } from './PaymentInstructions.tsx'
import { ReturnLink } from './ReturnLink.tsx'
import {
  chooseOutcomeText,
  resolveReturnLink,
  selectLateDeposits,
  selectReturnedDeposits,
  selectUndecidedDeposits,
  shouldContactMerchant,
} from './stage.ts'

/** Outcomes after which the payer may have to ask the merchant. */
const asksToContact: ReadonlySet<string | null> = new Set([
  'timed_out',
  'timed_out_partial',
  'timed_out_late',
  'in_doubt',
  'marked_invalid',
])

/** The outcome of the payment and a link back to the merchant. */
export function PaymentOutcome({ stage, view, t }: { stage: CheckoutStage; view: Checkout; t: CheckoutMessages }) {
  const { chosen, merchant_name, deposits, status } = view
  const back = resolveReturnLink(view, stage)
  const lateOnes = selectLateDeposits(view)
  const text = chooseOutcomeText(stage, view)
  const late = lateOnes.length > 0
  const surplus = chosen && chosen.surplus !== '0' && status === paymentStatus.paid
  const last = deposits.at(-1)
  const sent = formatAmountsInOtherTokens(view, 'credited')
  // What came is not the merchant's: its own notice says what becomes of it.
  const isElsewhere = selectUndecidedDeposits(view).length + selectReturnedDeposits(view).length > 0
  return (
    <section class="p-5">
      <div class="flex items-center gap-3">
        <Sign stage={stage} />
        <h1 class="text-lg font-semibold">{t.titles[stage]}</h1>
      </div>
      <p role="status" class="mt-2 text-sm text-ink-2">
        {text && t.texts[text]}
      </p>
      {stage === 'paid' && chosen && chosen.paid !== '0' && (
        <p class="num mt-4 text-2xl font-semibold wrap-anywhere">
          {sent || exactAmount(chosen.paid)}{' '}
          <span class={cx('text-base font-medium text-ink-2', sent && 'block')}>
            {sent ? t.countsAs(`${exactAmount(chosen.paid)} ${chosen.token}`) : chosen.token}
          </span>
          {last && (
            <span class="mt-1 block text-[13px] font-normal text-ink-3">{formatPayersTime(last.seen_time)}</span>
          )}
        </p>
      )}
      {text === 'timed_out' && !isElsewhere && <p class="mt-2 text-sm text-ink-2">{t.timeoutPaid}</p>}
      <div class="mt-4 empty:hidden">
        {surplus && <Notice>{t.surplus(exactAmount(chosen.surplus), chosen.token)}</Notice>}
        {late && <Notice>{lateOnes.some(({ state }) => state === 'seen') ? t.lateSeenText : t.lateText}</Notice>}
        <UncountedDeposits view={view} t={t} />
      </div>
      {(surplus || late || shouldContactMerchant(view) || asksToContact.has(text)) && (
        <MerchantContact view={view} t={t} />
      )}
      {back && <ReturnLink key={back.url} {...back} merchant={merchant_name} t={t} />}
    </section>
  )
}

function Sign({ stage }: { stage: CheckoutStage }) {
  const good = stage === 'paid' || stage === 'refunded'
  const open = stage === 'confirm' || stage === 'refunding'
  const look = good ? 'bg-good-soft text-good' : open ? 'bg-accent-soft text-accent-text' : 'bg-sunken text-ink-2'
  return (
    <span class={cx('flex size-9 shrink-0 items-center justify-center rounded-full', look)}>
      <svg
        aria-hidden="true"
        viewBox="0 0 20 20"
        class="size-5"
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-linecap="round"
      >
        {good ? (
          <path d="m4 10.5 4 4 8-9" />
        ) : open ? (
          <path d="M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14ZM10 6.5V10l2.5 1.5" />
        ) : (
          <path d="M10 5v6M10 14.5v.1" />
        )}
      </svg>
    </span>
  )
}
