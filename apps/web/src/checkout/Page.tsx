/** @jsxImportSource preact */
import { paymentStatus } from '@coffer/contract/codes.ts'
import { languages } from '@coffer/contract/languages.ts'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { language } from '../i18n/language.ts'
import { buttonClass, cardClass } from '../ui/classes.ts'
import type { PageProps } from '../visitor/open.tsx'
import { Frame, useTitle } from '../visitor/parts.tsx'
import { Choose } from './Choose.tsx'
import { type Checkout, followPayment, type Known } from './follow.ts'
import { Header } from './Header.tsx'
import { Notice } from './Notice.tsx'
import { Outcome } from './Outcome.tsx'
import { Send } from './Send.tsx'
import { type Stage, stageOf } from './stage.ts'
import { TestMode } from './TestMode.tsx'
import { Transactions } from './Transactions.tsx'
import { CancelLink } from './WayBack.tsx'
import type { Words } from './words.ts'

/** The checkout: follows the payment and shows its current stage. */
export function Page({ token: tradeNo, t, frame }: PageProps<Words>) {
  const [known, setKnown] = useState<Known>({ state: 'loading' })
  const [choosing, setChoosing] = useState(false)
  const following = useRef<ReturnType<typeof followPayment>>(undefined)
  useEffect(() => {
    const it = followPayment(tradeNo, setKnown, {
      fetch: (input, init) => fetch(input, init),
      openEvents: url => new EventSource(url),
      now: () => Date.now(),
      language: () => languages[language.get()].tag,
    })
    following.current = it
    return it.stop
  }, [tradeNo])

  const view = known.state === 'here' ? known.view : undefined
  const stage = view && (choosing && view.choices.length > 0 ? 'choose' : stageOf(view))
  useTitle(stage ? `${t.titles[stage]} · ${t.title}` : t.title)
  return (
    <Frame {...frame} width="max-w-[480px]">
      {known.state === 'loading' && <div class={`${cardClass} h-[520px]`} aria-busy="true" />}
      {known.state === 'missing' && <Plain title={t.notFound} text={t.notFoundText} />}
      {known.state === 'failed' && (
        <Plain title={t.failed} text={known.message}>
          <button type="button" class={buttonClass('secondary', 'large')} onClick={() => following.current?.read()}>
            {t.tryAgain}
          </button>
        </Plain>
      )}
      {known.state === 'here' && view && stage && (
        <>
          {view.sandbox && <TestMode tradeNo={tradeNo} t={t} />}
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
            {view.cancel_url && (stage === 'choose' || stage === 'wait') && <CancelLink url={view.cancel_url} t={t} />}
          </article>
        </>
      )}
    </Frame>
  )
}

interface BodyProps {
  stage: Stage
  view: Checkout
  heardAt: number
  t: Words
  onChosen(view: Checkout): void
  onChange(): void
}

function Body({ stage, view, heardAt, t, onChosen, onChange }: BodyProps) {
  const failed = useMemo(() => view.status === paymentStatus.dropped, [view.status])
  if (stage === 'choose') return <Choose view={view} heardAt={heardAt} t={t} onChosen={onChosen} />
  const sending = stage === 'wait' || stage === 'partial'
  return (
    <>
      {failed && <Notice>{t.chainFailure}</Notice>}
      {sending && view.chosen ? (
        <Send stage={stage} view={view} chosen={view.chosen} heardAt={heardAt} t={t} onChange={onChange} />
      ) : (
        <Outcome stage={stage} view={view} t={t} />
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
