/** @jsxImportSource preact */

import { sumsByToken } from '@coffer/contract/kit/decimal.ts'
import type { CheckoutStage } from '@coffer/contract/payments/stage.ts'
import { useMemo, useState } from 'preact/hooks'
import { buttonClass, cx } from '../ui/classes.ts'
import { qrPath } from '../ui/data/qrPath.ts'
import { exactAmount, GroupedText } from '../visitor/parts.tsx'
import type { CheckoutMessages } from './checkout-messages.ts'
import type { Checkout } from './follow.ts'
import { MerchantContact, UncountedDeposits } from './MerchantContact.tsx'
import { CancelLink } from './ReturnLink.tsx'
import { isCountedDeposit, selectUncountedDeposits, shouldContactMerchant } from './stage.ts'
import { TimeLeft, useSecondsLeft } from './TimeLeft.tsx'

interface Props {
  stage: CheckoutStage
  view: Checkout
  chosen: NonNullable<Checkout['chosen']>
  heardAt: number
  t: CheckoutMessages
  onChange(): void
}

/** Payment instructions: amount, address, QR code and time left. */
export function PaymentInstructions({ stage, view, chosen, heardAt, t, onChange }: Props) {
  const partial = stage === 'partial'
  const left = useSecondsLeft(view, heardAt)
  // Transfers from now on are late. The payment stays open until the chain has been read up to the deadline.
  if (left <= 0) return <TimeOver view={view} t={t} />
  return (
    <section class="p-5">
      <div class="flex flex-wrap items-baseline justify-between gap-x-3">
        <h1 class="text-lg font-semibold">{t.titles[stage]}</h1>
        <TimeLeft seconds={left} t={t} />
      </div>
      {partial && (
        <p role="status" class="mt-1 text-sm text-ink-2">
          {partialText(view, chosen, t)}
        </p>
      )}

      {selectUncountedDeposits(view).length > 0 && (
        <div class="mt-3">
          <UncountedDeposits view={view} t={t} />
          {shouldContactMerchant(view) && <MerchantContact view={view} t={t} />}
        </div>
      )}

      <Instructions chosen={chosen} partial={partial} t={t} />
      <Code chosen={chosen} t={t} />

      <p class="mt-5 text-[13px] text-ink-2">{t.warning(chosen.token, chosen.chain, chosen.counted)}</p>
      <p role="status" class="mt-3 flex gap-2 border-t border-line pt-3 text-[13px] text-ink-2">
        <span aria-hidden="true" class="mt-1.5 size-2 shrink-0 rounded-full bg-theme motion-safe:animate-pulse" />
        {t.waiting}
      </p>
      {view.choices.length > 1 && (
        <button
          type="button"
          onClick={onChange}
          class="-mx-2 mt-1 min-h-11 px-2 text-[13px] text-accent-text underline-offset-2 hover:underline"
        >
          {t.change}
        </button>
      )}
      {stage === 'wait' && view.cancel_url && <CancelLink url={view.cancel_url} t={t} />}
    </section>
  )
}

interface ChosenProps {
  chosen: Props['chosen']
  t: CheckoutMessages
}

/** The amount and the address, to copy. */
function Instructions({ chosen, partial, t }: ChosenProps & { partial: boolean }) {
  const { token, chain, net_work, address, rest } = chosen
  return (
    <dl class="mt-4">
      <dt class="text-[13px] text-ink-2">{partial ? t.rest : t.amount}</dt>
      <dd class="mt-1 flex items-center justify-between gap-2">
        <span class="num min-w-0 text-2xl font-semibold wrap-anywhere">
          {exactAmount(rest)} <span class="text-base font-medium text-ink-2">{token}</span>
        </span>
        <Copy text={rest} name={partial ? t.rest : t.amount} t={t} />
      </dd>
      <dd class="mt-1.5 text-xs text-ink-3">{t.exact(chosen.minimum && `${exactAmount(chosen.minimum)} ${token}`)}</dd>

      <dt class="mt-4 text-[13px] text-ink-2">{t.address}</dt>
      <dd class="mt-1 flex items-start justify-between gap-2">
        <GroupedText value={address} class="num min-w-0 text-[15px] leading-6 font-medium" />
        <Copy text={address} name={t.address} t={t} />
      </dd>
      <dd class="mt-1 text-[13px] font-medium">{t.addressKind(token, chain, net_work, chosen.counted.length === 0)}</dd>
    </dl>
  )
}

/**
 * The QR code: of the address, which every wallet reads. A link to a token's transfer begins with the token's contract,
 * and a wallet that knows only the beginning sends the tokens there, for good: such a link comes second, with what to
 * check.
 */
function Code({ chosen: { token, address, uri: given }, t }: ChosenProps) {
  const [asLink, setAsLink] = useState(false)
  // Chains without a payment URI scheme get the bare address.
  const uri = given === address ? '' : given
  return (
    <div class="mt-5 flex flex-col items-center gap-3">
      <Qr text={asLink && uri ? uri : address} label={asLink && uri ? t.qr(token) : t.qrAddress} />
      {uri && (
        <fieldset class="flex rounded-lg border border-line-strong p-0.5 text-[13px]">
          <legend class="sr-only">{t.qr(token)}</legend>
          {[false, true].map(kind => (
            <label
              key={String(kind)}
              class={cx(
                'flex h-10 cursor-pointer items-center rounded-md px-4 has-focus-visible:outline-2 has-focus-visible:outline-ring',
                asLink === kind ? 'bg-accent-soft font-medium text-accent-text' : 'text-ink-2',
              )}
            >
              <input
                type="radio"
                name="qr"
                class="sr-only"
                checked={asLink === kind}
                onChange={() => setAsLink(kind)}
              />
              {kind ? t.qrWallet : t.qrPlain}
            </label>
          ))}
        </fieldset>
      )}
      {uri && <p class={cx('text-[13px] text-ink-2', !asLink && 'sm:hidden')}>{t.walletNote}</p>}
      {uri && <OpenWallet uri={uri} t={t} />}
    </div>
  )
}

/** How long (ms) a phone takes to open a wallet. */
const walletMs = 1_500

/** Opens the payment in a wallet of the phone, and says how else to pay when none has opened. */
function OpenWallet({ uri, t }: { uri: string; t: CheckoutMessages }) {
  const [stayed, setStayed] = useState(false)
  const wait = () => setTimeout(() => setStayed(document.visibilityState === 'visible'), walletMs)
  return (
    <div class="w-full sm:hidden">
      <a href={uri} onClick={wait} class={cx(buttonClass('secondary', 'large'), 'w-full')}>
        {t.openWallet}
      </a>
      <p role="status" class="mt-2 text-[13px] text-ink-2 empty:hidden">
        {stayed && t.noWallet}
      </p>
    </div>
  )
}

/** What was received so far. Deposits in other tokens are named as they were sent, beside what they count for. */
function partialText(view: Checkout, { token, paid, pending }: Props['chosen'], t: CheckoutMessages): string {
  const counted = `${exactAmount(paid === '0' ? pending : paid)} ${token}`
  const sent = formatAmountsInOtherTokens(view, paid === '0' ? 'seen' : 'credited')
  return sent ? t.partialOther(sent, counted) : t.partialText(counted)
}

/** What counts for the payment, as it was sent; empty if it is all in the token of the payment. */
export function formatAmountsInOtherTokens({ deposits, chosen }: Checkout, state: 'seen' | 'credited'): string {
  const sent = deposits.filter(each => each.state === state && isCountedDeposit(each, chosen))
  if (sent.every(({ token }) => token === chosen?.token)) return ''
  return sumsByToken(sent, exactAmount).join(' + ')
}

function TimeOver({ view, t }: { view: Checkout; t: CheckoutMessages }) {
  return (
    <section class="p-5">
      <h1 class="text-lg font-semibold">{t.timeUp}</h1>
      <p role="status" class="mt-2 text-sm text-ink-2">
        {t.timeOver}
      </p>
      {view.cancel_url && <CancelLink url={view.cancel_url} isOver t={t} />}
    </section>
  )
}

const shownMs = 1_600

function Copy({ text, name, t }: { text: string; name: string; t: CheckoutMessages }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), shownMs)
  }
  return (
    <button type="button" class={buttonClass('secondary', 'small')} aria-label={t.copyNamed(name)} onClick={copy}>
      <span aria-live="polite">{copied ? t.copied : t.copy}</span>
    </button>
  )
}

/** Dark on white in both themes, as scanners expect. */
function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
      class="size-[244px] max-w-full rounded-lg border border-line"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
