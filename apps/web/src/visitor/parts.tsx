/** @jsxImportSource preact */
import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { type Language, languageList, languages } from '@coffer/contract/languages.ts'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { language } from '../i18n/language.ts'
import { cx } from '../ui/classes.ts'
import { splitIntoGroups } from '../ui/data/splitIntoGroups.ts'

/** What the frame of a page shows in any state. */
export interface FrameProps {
  footer: string
  /** Changes the language. */
  onLanguage(next: Language): void
}

/** The frame of a page that needs no account: its contents, and the choice of language. */
export function Frame({
  footer,
  onLanguage,
  children,
  width,
}: FrameProps & { width: string; children: ComponentChildren }) {
  const next = languageList[(languageList.indexOf(language.get()) + 1) % languageList.length] ?? 'en'
  return (
    <div class={cx('mx-auto flex min-h-dvh w-full flex-col px-4 pt-4 pb-6 sm:pt-10', width)}>
      <main class="flex-1">{children}</main>
      <footer class="mt-6 flex items-center justify-between text-xs text-ink-3">
        <span>{footer}</span>
        <button
          type="button"
          class="-m-3.5 p-3.5 text-accent-text underline-offset-2 hover:underline"
          onClick={() => onLanguage(next)}
        >
          {languages[next].name}
        </button>
      </footer>
    </div>
  )
}

/**
 * Moves the focus to the heading of each stage but the first, as its predecessor's controls are no longer there. A step
 * within the page marks its own.
 */
export function useHeadingFocus(stage: string | undefined): void {
  const first = useRef<string>(undefined)
  useEffect(() => {
    first.current ??= stage
    if (stage === undefined || stage === first.current) return
    first.current = ''
    const [step, page] = ['[data-step]', 'h1'].map(each => document.querySelector(`main ${each}`))
    const heading = (step ?? page) as HTMLElement | null
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }, [stage])
}

/** Names the document. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}

/** An address or hash, whole and in the groups in which every page shows it, so that it can be compared. */
export const GroupedText = ({
  value,
  class: look = 'inline-block font-mono text-[13px] leading-5',
}: {
  value: string
  class?: string
}) => (
  // The space after the last group of a line stands outside.
  <span translate={false} class={cx('-mr-1.5 text-balance', look)}>
    {splitIntoGroups(value).map((group, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: groups never move
      <span key={index} class={cx('mr-1.5 inline-block', index % 2 === 1 && 'text-ink-2 in-[a]:text-inherit')}>
        {group}
      </span>
    ))}
  </span>
)

/** An amount with all its digits, in the page's language. */
export const exactAmount = (amount: string): string => formatExactAmount(amount, language.get())
