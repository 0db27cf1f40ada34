import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { isSandbox } from '../../lib/sandbox.ts'
import { useCell } from '../../lib/useCell.ts'
import { cx, linkClass } from '../classes.ts'
import { Button } from './Button.tsx'

interface Props {
  /** Sends the code. Resolves with the seconds until another may be requested, or false on failure; never rejects. */
  send(): Promise<number | false>
  disabled?: boolean
  /** Where the code arrives, and what a sandbox fills in from its inbox. */
  inbox: { to: string; fill(code: string): void }
  /** The field of the code. */
  children: ReactNode
}

/** A field for a 6-digit code, and a button that requests one and counts down until the next request. */
export function SendCode({ send, disabled, inbox, children }: Props) {
  const t = useMessages('common')
  const [busy, setBusy] = useState(false)
  const [left, setLeft] = useState(0)
  const [sent, setSent] = useState<'' | 'sent' | 'filled'>('')
  const box = useRef<HTMLDivElement>(null)
  const inSandbox = useCell(isSandbox)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  const press = async () => {
    setBusy(true)
    const next = inSandbox && (await (await import('../../lib/inSandbox.ts')).awaitNextCode(inbox.to))
    const wait = await send()
    setBusy(false)
    if (wait === false) return
    setLeft(wait)
    setSent('sent')
    if (!next) return
    const field = () => box.current?.querySelector('input')
    const before = field()?.value
    const code = await next()
    if (code === '' || field()?.value !== before) return
    inbox.fill(code)
    // The button is disabled meanwhile, and a key pressed there would do nothing.
    if (box.current?.contains(document.activeElement) || document.activeElement === document.body) field()?.focus()
    setSent('filled')
  }
  return (
    <div className="flex flex-col gap-1.5">
      <div ref={box} className="flex gap-2">
        {children}
        <Button busy={busy} disabled={disabled || left > 0} onClick={() => void press()} className="num min-w-32">
          {left > 0 ? t.resendIn(left) : t.sendCode}
        </Button>
      </div>
      {sent && inSandbox && (
        <a href="/sandbox#inbox" target="_blank" rel="noreferrer" className={cx(linkClass, 'w-fit text-[13px]')}>
          {sent === 'filled' ? t.filledIn : t.openInbox}
        </a>
      )}
    </div>
  )
}
