/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { buttonClass } from '../ui/classes.ts'
import type { Words } from './words.ts'

const shownMs = 1_600

export function Copy({ text, name, t }: { text: string; name: string; t: Words }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), shownMs)
  }
  return (
    <button type="button" class={buttonClass('secondary', 'small')} aria-label={t.copyNamed(name)} onClick={copy}>
      <span aria-live="polite">{copied ? t.copied : t.copy}</span>
    </button>
  )
}
