/** @jsxImportSource preact */
import { languageList, languages } from '@coffer/contract/languages.ts'
import type { ComponentChildren } from 'preact'
import { language } from '../i18n/language.ts'
import { cardClass } from '../ui/classes.ts'

interface Props {
  title: string
  text?: string
  footer: string
  /** Changes the language. */
  onLanguage(next: (typeof languageList)[number]): void
  children?: ComponentChildren
}

/** The frame of a page that is opened by a link: one card, and the choice of language. */
export function Frame({ title, text, footer, onLanguage, children }: Props) {
  const next = languageList[(languageList.indexOf(language.get()) + 1) % languageList.length] ?? 'en'
  return (
    <div class="mx-auto flex min-h-dvh w-full max-w-[520px] flex-col px-4 pt-4 pb-6 sm:pt-10">
      <main class="flex-1">
        <section class={`${cardClass} flex flex-col gap-4 p-5 sm:p-6`}>
          <div>
            <h1 class="text-lg font-semibold">{title}</h1>
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
