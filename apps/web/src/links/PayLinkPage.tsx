/** @jsxImportSource preact */
import type { RouteData } from '@coffer/contract'
import { useEffect, useState } from 'preact/hooks'
import { language } from '../i18n/language.ts'
import { buttonClass, controlClass, cx } from '../ui/classes.ts'
import { stripHiddenCharacters } from '../ui/controls/hidden.ts'
import {
  describeAmountAmbiguity,
  describeAmountError,
  describeTypedAmount,
  toRequestAmount,
} from '../ui/controls/typedAmount.ts'
import { callPublicApi } from '../visitor/call.ts'
import { addEmbedParameter } from '../visitor/embedded.ts'
import type { VisitorPageProps } from '../visitor/open.tsx'
import { exactAmount, useTitle } from '../visitor/parts.tsx'
import {
  DetailList,
  type DetailRow,
  Field,
  LinkPageCard,
  LinkPagePlaceholder,
  Problem,
  useCallResult,
  useProblem,
} from './parts.tsx'

type Link = RouteData<'GET /api/v1/public/payment-link/:token'>
type Words = typeof import('../i18n/en/pay-link.ts').default

/** What a payment link asks for. Its button opens a payment and leads to the checkout. */
export function PayLinkPage({ token, t, frame }: VisitorPageProps<Words>) {
  const path = `public/payment-link/${encodeURIComponent(token)}`
  const { data: known, ...reading } = useCallResult(() => callPublicApi<Link>(path), t.offline)
  const title = known?.title ?? t.title
  useTitle(title)
  if (!known) return <LinkPagePlaceholder frame={frame} t={t} {...reading} />
  const { state, merchant_name, amount, currency, once, logo, sandbox } = known
  return (
    <LinkPageCard {...frame} title={title} text={state === 'open' ? (sandbox ? t.testMode : '') : t.closed[state]}>
      {logo && <img src={logo} alt="" class="max-h-12 max-w-40 self-start" />}
      <DetailList
        rows={[
          [t.payee, <bdi key="payee">{merchant_name}</bdi>],
          ...(amount
            ? [[t.amount, <strong key="amount">{inCurrency(amount, currency)}</strong>] satisfies DetailRow]
            : []),
        ]}
      />
      {(state === 'open' || state === 'used') && (
        <Pay path={path} link={known} t={t} note={state === 'open' && once ? t.once : ''} />
      )}
    </LinkPageCard>
  )
}

const inCurrency = (amount: string, currency: string) => `${exactAmount(amount)} ${currency}`

/** A reload may repeat what was sent, but a second click must not. */
const visit = Math.random().toString(36).slice(2) + Date.now().toString(36)

function Pay({ path, link, t, note }: { path: string; link: Link; t: Words; note: string }) {
  const { amount: fixed, currency, min_amount: min, max_amount: max, state } = link
  const [amount, setAmount] = useState('')
  const [busy, setBusy] = useState(false)
  const { problem, error, refuse, marked } = useProblem('amount')
  useEffect(() => {
    // Back from the checkout.
    const shown = () => setBusy(false)
    addEventListener('pageshow', shown)
    return () => removeEventListener('pageshow', shown)
  }, [])
  const asks = fixed === '' && state === 'open'
  const pay = async (go = (to: string) => location.assign(to)) => {
    if (busy) return
    const wrong = asks && (amount.trim() === '' ? t.amountNeeded : describeAmountError(amount, t.amounts))
    if (wrong) return refuse(wrong, 'amount')
    setBusy(true)
    refuse('')
    const given = toRequestAmount(amount)
    const answer = await callPublicApi<{ trade_no: string }>(
      path,
      asks ? { amount: given } : {},
      [visit, given].join('-'),
    )
    if (answer.ok) return go(addEmbedParameter(`/pay/${answer.data.trade_no}`))
    refuse(answer.message || t.offline, answer.field)
    setBusy(false)
  }
  // Nothing to enter: the checkout takes the place of this page, so that its way back does not lead here again.
  const isSettled = !asks && state === 'open'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, not whenever the page is drawn
  useEffect(() => {
    if (isSettled) void pay(to => location.replace(to))
  }, [isSettled])
  const range = [min && t.atLeast(inCurrency(min, currency)), max && t.atMost(inCurrency(max, currency)), note]
  return (
    <form
      class="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        void pay()
      }}
    >
      {asks && (
        <AmountField
          label={t.amountIn(currency)}
          amount={amount}
          error={error}
          marked={marked}
          t={t}
          onType={(seen, isCleaned) => {
            setAmount(seen)
            refuse(isCleaned ? t.hiddenRemoved : '')
          }}
        />
      )}
      <p id="range" class="text-xs text-ink-3 empty:hidden">
        {range.filter(Boolean).join(' · ')}
      </p>
      <Problem text={problem} />
      <button type="submit" class={buttonClass('primary', 'large')} disabled={busy}>
        {state === 'used' ? t.view : t.pay}
      </button>
    </form>
  )
}

interface AmountFieldProps {
  label: string
  amount: string
  error: string
  marked: ReturnType<typeof useProblem>['marked']
  t: Words
  /** `isCleaned`: hidden characters were removed from what was typed. */
  onType(amount: string, isCleaned: boolean): void
}

/** The amount, and how it is read. */
function AmountField({ label, amount, error, marked, t, onType }: AmountFieldProps) {
  const doubt = describeAmountAmbiguity(amount, t.amounts)
  return (
    <>
      <Field id="amount" label={label} error={error}>
        <input
          id="amount"
          class={`${controlClass} num h-12 text-xl`}
          inputMode="decimal"
          autoComplete="off"
          maxLength={30}
          aria-describedby="read range"
          {...marked}
          value={amount}
          onInput={event => {
            const input = event.currentTarget
            const seen = stripHiddenCharacters(input.value)
            onType(seen, seen !== input.value)
            input.value = seen
          }}
        />
      </Field>
      <p id="read" aria-live="polite" class={cx('-mt-2 text-xs empty:hidden', doubt ? 'text-bad' : 'text-ink-2')}>
        {doubt || describeTypedAmount(amount, t.amounts, language.get())}
      </p>
    </>
  )
}
