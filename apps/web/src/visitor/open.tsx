/** @jsxImportSource preact */
import type { Language } from '@coffer/contract/languages.ts'
import { type ComponentType, render } from 'preact'
import { useState } from 'preact/hooks'
import { language, rememberLanguage } from '../i18n/language.ts'
import type { FrameProps } from './parts.tsx'
import '../theme/theme.ts'

type Tables<Words> = Record<Language, () => Promise<{ default: Words }>>

/** What a page gets: the secret or number of its link, its messages, and what its frame shows in any state. */
export interface VisitorPageProps<Words> {
  token: string
  t: Words
  frame: FrameProps
}

interface OpenProps<Words> {
  Page: ComponentType<VisitorPageProps<Words>>
  token: string
  tables: Tables<Words>
  words: Words
}

function Open<Words extends { footer: string }>({ Page, token, tables, words }: OpenProps<Words>) {
  const [t, setWords] = useState(words)
  const onLanguage = async (next: Language) => {
    const words = (await tables[next]()).default
    rememberLanguage(next)
    setWords(words)
  }
  return <Page token={token} t={t} frame={{ footer: t.footer, onLanguage }} />
}

/** Shows a page in the visitor's language, once the messages of `tables` are there. */
export async function openPage<Words extends { footer: string }>(
  Page: ComponentType<VisitorPageProps<Words>>,
  tables: Tables<Words>,
  token = location.pathname.split('/')[2] ?? '',
): Promise<void> {
  rememberLanguage(language.get())
  const { default: words } = await tables[language.get()]()
  render(<Open Page={Page} token={token} tables={tables} words={words} />, document.getElementById('root')!)
}
