/** @jsxImportSource preact */
import type { Language } from '@coffer/contract/languages.ts'
import { type ComponentType, render } from 'preact'
import { useState } from 'preact/hooks'
import { language, rememberLanguage } from '../i18n/language.ts'
import type { FrameProps } from './Frame.tsx'
import '../theme/theme.ts'
import './links.css'

type Tables<Words> = Record<Language, () => Promise<{ default: Words }>>

/** What a page of a link gets: the link's secret, its messages, and what its frame shows in any state. */
export interface LinkProps<Words> {
  token: string
  t: Words
  frame: Pick<FrameProps, 'footer' | 'onLanguage'>
}

interface OpenProps<Words> {
  Page: ComponentType<LinkProps<Words>>
  token: string
  tables: Tables<Words>
  words: Words
}

function Open<Words extends { footer: string }>({ Page, token, tables, words }: OpenProps<Words>) {
  const [t, setWords] = useState(words)
  const onLanguage = async (next: Language) => {
    rememberLanguage(next)
    setWords((await tables[next]()).default)
  }
  return <Page token={token} t={t} frame={{ footer: t.footer, onLanguage }} />
}

/** Shows the page of a link in the visitor's language, once the messages of `tables` are there. */
export async function openLink<Words extends { footer: string }>(
  Page: ComponentType<LinkProps<Words>>,
  tables: Tables<Words>,
  token: string,
): Promise<void> {
  rememberLanguage(language.get())
  const { default: words } = await tables[language.get()]()
  render(<Open Page={Page} token={token} tables={tables} words={words} />, document.getElementById('root')!)
}

/** The secret of a link in its path: /refund/<secret>. */
export const tokenInPath = () => location.pathname.split('/')[2] ?? ''
