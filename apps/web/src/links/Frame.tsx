/** @jsxImportSource preact */
import { languageList, languages } from '@coffer/contract/languages.ts'
import type { ComponentChildren } from 'preact'
import { language } from '../i18n/language.ts'
import { buttonClass, cardClass } from '../ui/classes.ts'

interface Inside {
  children?: ComponentChildren
}

export interface FrameProps extends Inside {
  title: string
  text?: string
  footer: string
  /** Changes the language. */
  onLanguage(next: (typeof languageList)[number]): void
}

/** The frame of a page that is opened by a link: one card, and the choice of language. */
export function Frame({ title, text, footer, onLanguage, children }: FrameProps) {
  const next = languageList[(languageList.indexOf(language.get()) + 1) % languageList.length] ?? 'en'
  return (
    <div class="mx-auto flex min-h-dvh w-full max-w-[520px] flex-col px-4 pt-4 pb-6 sm:pt-10">
      <main class="flex-1">
        <section class={`${cardClass} flex flex-col gap-4 p-5 sm:p-6`}>
          <div>
            <h1 class="text-lg font-semibold wrap-anywhere">{title}</h1>
            {text && <p class="mt-1 text-sm text-ink-2">{text}</p>}
          </div>
          {children}
        </section>
      </main>
      <footer class="mt-6 flex items-center justify-between text-xs text-ink-3">
        <span>{footer}</span>
        <button
          type="button"
          class="-m-3 p-3 text-accent-text underline-offset-2 hover:underline"
          onClick={() => onLanguage(next)}
        >
          {languages[next].name}
        </button>
      </footer>
    </div>
  )
}

interface NoAnswerProps extends FrameProps {
  again: string
  onAgain(): void
}

/** A link that is not valid, or a server that did not answer. */
export const NoAnswer = ({ again, onAgain, ...frame }: NoAnswerProps) => (
  <Frame {...frame}>
    <button type="button" class={buttonClass('secondary')} onClick={onAgain}>
      {again}
    </button>
  </Frame>
)

/** A labelled control, with what is to be known about it. */
export const Field = ({ id, label, hint, children }: { id: string; label: string; hint?: string } & Inside) => (
  <div class="flex flex-col gap-1.5">
    <label for={id} class="text-[13px] font-medium text-ink-2">
      {label}
    </label>
    {children}
    {hint && (
      <p id={`${id}-hint`} class="text-xs text-ink-3">
        {hint}
      </p>
    )}
  </div>
)

/** Why the last try failed; empty before. */
export const Problem = ({ text }: { text: string }) => (
  <p role="alert" class="text-[13px] text-bad empty:hidden">
    {text}
  </p>
)

/** Labelled values. */
export const Facts = ({ rows }: { rows: [name: string, value: ComponentChildren][] }) => (
  <dl class="divide-y divide-line border-y border-line text-sm">
    {rows.map(([name, value]) => (
      <div key={name} class="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-2.5">
        <dt class="text-ink-3">{name}</dt>
        <dd class="num ml-auto max-w-full text-right break-words">{value}</dd>
      </div>
    ))}
  </dl>
)

/** An address, whole and in groups of four, so that it can be compared. */
export const Address = ({ value }: { value: string }) => (
  <span translate={false} class="font-mono text-[13px] leading-5">
    {(value.match(/.{1,4}/g) ?? []).map((group, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: groups never move
      <span key={index} class={`mr-1.5 inline-block ${index % 2 === 1 ? 'text-ink-2' : ''}`}>
        {group}
      </span>
    ))}
  </span>
)
