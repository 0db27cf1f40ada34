/** @jsxImportSource preact */
import { sumsByToken } from '@coffer/contract/kit/decimal.ts'
import { linkClass } from '../ui/classes.ts'
import { exactAmount } from '../visitor/parts.tsx'
import type { CheckoutMessages } from './checkout-messages.ts'
import type { Checkout } from './follow.ts'
import { Notice } from './Notice.tsx'
import { formatUrlHost, selectReturnedDeposits, selectUncountedDeposits, selectUndecidedDeposits } from './stage.ts'

interface Props {
  view: Checkout
  t: CheckoutMessages
}

/** Whom to contact, and the merchant’s own number of the order. */
export const MerchantContact = ({ view: { merchant_name, merchant_url, out_trade_no }, t }: Props) => (
  <dl class="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-[13px]">
    <dt class="text-ink-3">{t.merchant}</dt>
    <dd class="wrap-anywhere">
      {merchant_url ? (
        <a class={linkClass} href={merchant_url} target="_blank" rel="noreferrer">
          {merchant_name} · {formatUrlHost(merchant_url)}
        </a>
      ) : (
        merchant_name
      )}
    </dd>
    <dt class="text-ink-3">{t.number}</dt>
    <dd class="num wrap-anywhere">{out_trade_no}</dd>
  </dl>
)

/** What arrived but does not count for the payment. */
export function UncountedDeposits({ view, t }: Props) {
  const waiting = selectUndecidedDeposits(view)
  const returned = selectReturnedDeposits(view)
  const others = selectUncountedDeposits(view).filter(each => !waiting.includes(each) && !returned.includes(each))
  const [undecided, sent] = [waiting, others].map(each => sumsByToken(each, exactAmount).join(' + '))
  return (
    <>
      {undecided && <Notice>{t.undecided(undecided)}</Notice>}
      {(['coming', 'sent'] as const).map(state => {
        const amount = sumsByToken(
          returned.filter(each => each.returned === state),
          exactAmount,
        ).join(' + ')
        return amount && <Notice key={state}>{t.returning[state](amount)}</Notice>
      })}
      {sent && <Notice>{t.notCounted(sent)}</Notice>}
    </>
  )
}
