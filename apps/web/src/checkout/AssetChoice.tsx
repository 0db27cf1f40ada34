/** @jsxImportSource preact */
import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import { useEffect, useState } from 'preact/hooks'
import { language } from '../i18n/language.ts'
import { buttonClass, cx } from '../ui/classes.ts'
import { radioClass } from '../ui/controls/boxClass.ts'
import { callPublicApi } from '../visitor/call.ts'
import type { CheckoutMessages } from './checkout-messages.ts'
import type { Checkout } from './follow.ts'
import { Notice } from './Notice.tsx'
import { CancelLink } from './ReturnLink.tsx'
import { TimeLeft, useSecondsLeft } from './TimeLeft.tsx'

interface Props {
  view: Checkout
  heardAt: number
  t: CheckoutMessages
  onChosen(view: Checkout): void
}

/** Choice of chain and token. A single choice is made automatically. */
export function AssetChoice({ view, heardAt, t, onChosen }: Props) {
  const left = useSecondsLeft(view, heardAt)
  const { choices, chosen, trade_no } = view
  const [picked, setPicked] = useState(chosen?.asset_id ?? choices[0]?.asset_id)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const only = !chosen && choices.length === 1 ? choices[0]?.asset_id : undefined

  const choose = async (assetId: string) => {
    setBusy(true)
    setProblem('')
    const answer = await callPublicApi<Checkout>(`checkout/${trade_no}/choose`, { asset_id: assetId })
    if (answer.ok) onChosen(answer.data)
    else setProblem(answer.message || t.offline)
    setBusy(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: chosen once, by the first view with a single choice
  useEffect(() => {
    if (only) void choose(only)
  }, [only])

  if (choices.length === 0) return <NoChoices view={view} t={t} />
  return (
    <form
      class="p-5"
      onSubmit={event => {
        event.preventDefault()
        if (picked && !busy) void choose(picked)
      }}
    >
      <div class="flex flex-wrap items-baseline justify-between gap-x-3">
        <h1 class="text-lg font-semibold">{t.titles.choose}</h1>
        <TimeLeft seconds={left} t={t} />
      </div>
      <fieldset class="mt-4">
        <legend class="text-[13px] text-ink-2">{t.network}</legend>
        <div class="mt-2 divide-y divide-line overflow-hidden rounded-lg border border-line-strong">
          {choices.map(choice => (
            <Choice
              key={choice.asset_id}
              choice={choice}
              isPicked={picked === choice.asset_id}
              onPick={() => setPicked(choice.asset_id)}
            />
          ))}
        </div>
      </fieldset>
      {problem && (
        <div class="mt-3">
          <Notice>{problem}</Notice>
        </div>
      )}
      <button type="submit" disabled={!picked || busy} class={cx(buttonClass('primary', 'large'), 'mt-4 w-full')}>
        {t.continue}
      </button>
      {view.cancel_url && <CancelLink url={view.cancel_url} t={t} />}
    </form>
  )
}

function NoChoices({ view, t }: Pick<Props, 'view' | 't'>) {
  return (
    <section class="p-5">
      <h1 class="text-lg font-semibold">{t.titles.choose}</h1>
      <p role="status" class="mt-2 text-sm text-ink-2">
        {t.noChoices}
      </p>
      {view.cancel_url && <CancelLink url={view.cancel_url} t={t} />}
    </section>
  )
}

interface ChoiceProps {
  choice: Checkout['choices'][number]
  isPicked: boolean
  onPick(): void
}

const Choice = ({ choice, isPicked, onPick }: ChoiceProps) => (
  <label
    class={cx(
      'flex min-h-14 cursor-pointer flex-wrap items-center gap-x-3 px-4 py-2.5 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-ring',
      isPicked ? 'bg-accent-soft' : 'hover:bg-sunken',
    )}
  >
    <input type="radio" name="asset" class={radioClass} checked={isPicked} onChange={onPick} />
    {choice.logo && <img src={choice.logo} alt="" width={28} height={28} class="size-7" />}
    <span class="min-w-[min(50%,80px)] flex-1">
      <span class="block text-[15px] font-medium">{choice.token}</span>
      <span class="block text-xs text-ink-3">{[choice.chain, choice.net_work].filter(Boolean).join(' · ')}</span>
    </span>
    <span class="num ml-auto text-right text-sm wrap-anywhere" title={choice.amount}>
      {formatAmount(choice.amount, language.get())}
    </span>
  </label>
)
