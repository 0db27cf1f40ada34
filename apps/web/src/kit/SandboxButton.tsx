import { useState } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { showToast } from '../lib/toast.ts'
import { Button, type ButtonProps } from '../ui/controls/Button.tsx'

/** Does what the operator or the payer does, in a sandbox only. `id` is of the merchant or the payment. */
export function SandboxButton({ act, id, ...look }: ButtonProps & { act: 'approve' | 'pay'; id: string }) {
  const { checkConnection } = useMessages('common')
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    const { sandboxActs } = await import('../lib/inSandbox.ts')
    await sandboxActs[act](id).catch((error: Error) => {
      showToast('error', error.message || checkConnection)
      setBusy(false)
    })
  }
  return <Button look="primary" busy={busy} onClick={() => void press()} {...look} />
}
