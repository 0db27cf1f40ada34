import { type ReactNode, useState } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { showToast } from '../lib/toast.ts'
import { Button, type ButtonProps } from '../ui/controls/Button.tsx'

interface Props extends Pick<ButtonProps, 'size' | 'className'> {
  act: 'approve' | 'pay'
  /** Of the merchant or the payment. */
  id: string
  children: ReactNode
}

/** Does what the operator or the payer does. Drawn in a sandbox only; the page reads the outcome like any other. */
export function SandboxButton({ act, id, ...look }: Props) {
  const { checkConnection } = useMessages('common')
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    try {
      const { acts } = await import('../lib/inSandbox.ts')
      await acts[act](id)
    } catch (error) {
      showToast('error', (error as Error).message || checkConnection)
      setBusy(false)
    }
  }
  return <Button look="primary" busy={busy} onClick={() => void press()} {...look} />
}
