import { useEffect, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from './Button.tsx'

interface Props {
  /** Sends the code. Resolves with the seconds until another may be requested, or false on failure; never rejects. */
  send(): Promise<number | false>
  disabled?: boolean
}

/** Requests a 6-digit code and counts down until the next request. */
export function SendCode({ send, disabled }: Props) {
  const t = useMessages('common')
  const [busy, setBusy] = useState(false)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  const press = async () => {
    setBusy(true)
    const wait = await send()
    setBusy(false)
    if (wait !== false) setLeft(wait)
  }
  return (
    <Button busy={busy} disabled={disabled || left > 0} onClick={() => void press()} className="num min-w-32">
      {left > 0 ? t.resendIn(left) : t.sendCode}
    </Button>
  )
}
