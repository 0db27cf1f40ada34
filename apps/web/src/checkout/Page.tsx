/** @jsxImportSource preact */

import { paymentStatus } from '@coffer/contract/codes.ts'
import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { languages } from '@coffer/contract/languages.ts'
import { type CheckoutStage, checkoutStageOf } from '@coffer/contract/payments/stage.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { language } from '../i18n/language.ts'
import { streamWhileVisible } from '../lib/streamWhileVisible.ts'
import { buttonClass, cardClass, linkClass } from '../ui/classes.ts'
import { notifyEmbedder } from '../visitor/embedded.ts'
import type { VisitorPageProps } from '../visitor/open.tsx'
import { Frame, useHeadingFocus, useTitle } from '../visitor/parts.tsx'
import { AssetChoice } from './AssetChoice.tsx'
import type { CheckoutMessages } from './checkout-messages.ts'
import { type Checkout, type CheckoutState, followPayment } from './follow.ts'
import { Notice } from './Notice.tsx'
import { PaymentInstructions } from './PaymentInstructions.tsx'
import { PaymentOutcome } from './PaymentOutcome.tsx'
import { Transactions } from './Transactions.tsx'

/** The checkout: follows the payment and shows its current stage. */
export function CheckoutPage({ token: tradeNo, t, frame }: VisitorPageProps<CheckoutMessages>) {
  const [known, setKnown] = useState<CheckoutState>({ state: 'loading' })
  const [choosing, setChoosing] = useState(false)
  const following = useRef<ReturnType<typeof followPayment>>(undefined)
  useEffect(() => {
    const it = followPayment(tradeNo, setKnown, {
      fetch: (input, init) => fetch(input, init),
      openEvents: streamWhileVisible,
      now: () => Date.now(),
      language: () => languages[language.get()].tag,
    })
    following.current = it
    return it.stop
  }, [tradeNo])

  const view = known.state === 'here' ? known.view : undefined
  const stage = view && (choosing && view.choices.length > 0 ? 'choose' : checkoutStageOf(view))
  useEffect(() => {
    if (stage === 'paid') notifyEmbedder('paid', tradeNo)
    if (stage === 'timed_out' || stage === 'closed') notifyEmbedder('expired', tradeNo)
  }, [stage, tradeNo])
  useHeadingFocus(stage)
  useTitle(stage ? `${t.titles[stage]} · ${t.title}` : t.title)
  return (
    <Frame {...frame} width="max-w-[480px]">
      {known.state === 'loading' && <div class={`${cardClass} h-[520px]`} aria-busy="true" />}
      {known.state === 'missing' && <Plain title={t.notFound} text={t.notFoundText} />}
      {known.state === 'failed' && (
        <Plain title={t.failed} text={known.message || t.offline}>
          <button type="button" class={buttonClass('secondary', 'large')} onClick={() => following.current?.read()}>
            {t.tryAgain}
          </button>
        </Plain>
      )}
      {known.state === 'here' && view && stage && (
        <>
          {view.sandbox && (
            <TestMode tradeNo={tradeNo} open={stage === 'choose' || stage === 'wait' || stage === 'partial'} t={t} />
          )}
          {!known.online && <Notice>{t.offline}</Notice>}
          {view.delayed && <Notice>{t.delayed}</Notice>}
          <article class={cardClass}>
            <Header view={view} t={t} />
            <Body
              stage={stage}
              view={view}
              heardAt={known.heardAt}
              t={t}
              onChosen={next => {
                setChoosing(false)
                following.current?.take(next)
              }}
              onChange={() => setChoosing(true)}
            />
          </article>
        </>
      )}
    </Frame>
  )
}

interface BodyProps {
  stage: CheckoutStage
  view: Checkout
  heardAt: number
  t: CheckoutMessages
  onChosen(view: Checkout): void
  onChange(): void
}

function Body({ stage, view, heardAt, t, onChosen, onChange }: BodyProps) {
  if (stage === 'choose') return <AssetChoice view={view} heardAt={heardAt} t={t} onChosen={onChosen} />
  const sending = stage === 'wait' || stage === 'partial'
  return (
    <>
      {view.status === paymentStatus.dropped && (
        <div class="-mb-3 px-5 pt-5">
          <Notice>{t.chainFailure}</Notice>
        </div>
      )}
      {sending && view.chosen ? (
        <PaymentInstructions
          stage={stage}
          view={view}
          chosen={view.chosen}
          heardAt={heardAt}
          t={t}
          onChange={onChange}
        />
      ) : (
        <PaymentOutcome stage={stage} view={view} t={t} />
      )}
      <Transactions view={view} t={t} />
    </>
  )
}

function Plain({ title, text, children }: { title: string; text: string; children?: preact.ComponentChildren }) {
  return (
    <section class={`${cardClass} flex flex-col items-start gap-3 p-6`}>
      <h1 class="text-lg font-semibold">{title}</h1>
      {text && <p class="text-sm text-ink-2">{text}</p>}
      {children}
    </section>
  )
}

/** Says that the server is a sandbox, and pays from its wallet. */
function TestMode({ tradeNo, open, t }: { tradeNo: string; open: boolean; t: CheckoutMessages }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const pay = async () => {
    setBusy(true)
    const { sandboxActs } = await import('../lib/inSandbox.ts')
    await sandboxActs.pay(tradeNo).catch(({ message }: Error) => setProblem(message || t.offline))
    setBusy(false)
  }
  return (
    <aside
      aria-label={t.testMode}
      class="mb-3 flex flex-wrap items-center justify-between gap-x-4 rounded-lg border border-line bg-accent-soft px-5 py-1 text-[13px]"
    >
      <strong class="py-2 font-medium">{t.testMode}</strong>
      <span class="flex flex-wrap items-center gap-x-4">
        {open && (
          <button type="button" class={buttonClass('secondary', 'small')} disabled={busy} onClick={() => void pay()}>
            {t.testWallet}
          </button>
        )}
        <a class={`${linkClass} py-3`} href={`/sandbox?trade_no=${tradeNo}#wallet`} target="_blank" rel="noreferrer">
          {t.testOther}
        </a>
      </span>
      <p role="alert" class="w-full pb-2 text-bad empty:hidden">
        {problem}
      </p>
    </aside>
  )
}

/** Merchant, subject and value of the payment. */
function Header({ view, t }: { view: Checkout; t: CheckoutMessages }) {
  const { merchant_name: name, logo, subject, fiat_name, fiat_amount, usdt_amount, rate } = view
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
      <div class="min-w-[min(50%,132px)] flex-1">
        <p class="line-clamp-2 text-[15px] leading-5 font-medium break-words">{t.payTo(name)}</p>
        {subject && <p class="mt-0.5 text-[13px] break-words text-ink-2">{subject}</p>}
      </div>
      <p class="num ml-auto max-w-full text-right wrap-anywhere">
        <span class="text-lg font-semibold">
          {fiat_name
            ? `${formatAmount(fiat_amount, here, fiat_name)} ${fiat_name}`
            : `${formatAmount(usdt_amount, here)} USDT`}
        </span>
        {rate && (
          <span class="block text-xs text-ink-3">
            ≈ {formatAmount(usdt_amount, here)} USDT
            <span class="mt-0.5 block">
              {t.rate(fiat_name, formatAmount(rate.price, here))}
              {rate.source === 'merchant' && ` · ${t.merchantRate}`}
            </span>
          </span>
        )}
      </p>
    </header>
  )
}
