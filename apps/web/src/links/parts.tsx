/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { buttonClass, cardClass } from '../ui/classes.ts'
import type { PublicApiAnswer } from '../visitor/call.ts'
import { Frame, type FrameProps } from '../visitor/parts.tsx'

interface Inside {
  children?: ComponentChildren
}

interface SheetProps extends FrameProps, Inside {
  title: string
  text?: string
}

/** A page that is opened by a link: one card. */
export const LinkPageCard = ({ title, text, children, ...frame }: SheetProps) => (
  <Frame {...frame} width="max-w-[520px]">
    <section class={`${cardClass} flex flex-col gap-4 p-5 sm:p-6`}>
      <div>
        <h1 class="text-lg font-semibold wrap-anywhere">{title}</h1>
        {text && <p class="mt-1 text-sm text-ink-2">{text}</p>}
      </div>
      {children}
    </section>
  </Frame>
)

/**
 * The answer of a call that is sent when the page opens and by `load`, or why there is none, and whether that may pass.
 */
export function useCallResult<T>(ask: () => Promise<PublicApiAnswer<T>>, offline: string) {
  const [data, setData] = useState<T | null>(null)
  const [problem, setProblem] = useState('')
  const [mayPass, setMayPass] = useState(false)
  const load = async () => {
    const answer = await ask()
    if (answer.ok) setData(answer.data)
    setProblem(answer.ok ? '' : answer.message || offline)
    setMayPass(!answer.ok && (!answer.message || answer.retryAfter !== undefined))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once
  useEffect(() => void load(), [])
  return { data, setData, problem, mayPass, load }
}

interface WaitingProps {
  frame: FrameProps
  t: { title: string; loading: string; failed: string; notValid: string; tryAgain: string }
  problem: string
  mayPass: boolean
  load(): unknown
}

/** A page before its answer: it is loading, or its link is not valid, or the server did not answer. */
export const LinkPagePlaceholder = ({ frame, t, problem, mayPass, load }: WaitingProps) => (
  <LinkPageCard {...frame} title={problem ? (mayPass ? t.failed : t.notValid) : t.title} text={problem || t.loading}>
    {mayPass && (
      <button type="button" class={buttonClass('secondary')} onClick={load}>
        {t.tryAgain}
      </button>
    )}
  </LinkPageCard>
)

interface FieldProps extends Inside {
  id: string
  label: string
  hint?: string
  /** Why its value was refused, in place of the hint. */
  error?: string
}

/** A labelled control, with what is to be known about it. */
export const Field = ({ id, label, hint, error, children }: FieldProps) => (
  <div class="flex flex-col gap-1.5">
    <label for={id} class="text-[13px] font-medium text-ink-2">
      {label}
    </label>
    {children}
    {hint && !error && (
      <p id={`${id}-hint`} class="text-xs text-ink-3">
        {hint}
      </p>
    )}
    {error !== undefined && (
      <p id={`${id}-error`} role="alert" class="text-xs text-bad empty:hidden">
        {error}
      </p>
    )}
  </div>
)

/** Why the last try failed: as the error of its field, which then has the focus, or as the problem of the whole. */
export function useProblem(name: string) {
  const ref = useRef<HTMLInputElement>(null)
  const [{ problem, wrong }, set] = useState({ problem: '', wrong: false })
  const refuse = (problem: string, field?: string) => {
    set({ problem, wrong: field === name })
    if (field === name) ref.current?.focus()
  }
  const marked = { ref, 'aria-invalid': wrong, ...(wrong && { 'aria-describedby': `${name}-error` }) }
  return { problem: wrong ? '' : problem, error: wrong ? problem : '', refuse, marked }
}

/** Why the last try failed; empty before. */
export const Problem = ({ text }: { text: string }) => (
  <p role="alert" class="text-[13px] text-bad empty:hidden">
    {text}
  </p>
)

/** A labelled value; `below` its label, for one that takes lines of its own. */
export type DetailRow = [name: string, value: ComponentChildren, place?: 'below']

/** Labelled values. */
export const DetailList = ({ rows }: { rows: DetailRow[] }) => (
  <dl class="divide-y divide-line border-t border-line text-sm not-last:border-b">
    {rows.map(([name, value, place]) => (
      <div key={name} class="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-2.5">
        <dt class="text-ink-3">{name}</dt>
        <dd class={place ? 'num w-full' : 'num ml-auto max-w-full text-right break-words'}>{value}</dd>
      </div>
    ))}
  </dl>
)
