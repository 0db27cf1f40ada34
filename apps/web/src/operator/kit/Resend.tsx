import { useMessages } from '../../i18n/messages.ts'
import { ActionButton } from './ActionButton.tsx'

/** Sends a callback again. */
export function Resend({ id, url }: { id: string; url: string }) {
  const t = useMessages('operator')
  return (
    <ActionButton
      call="POST /api/operator/v1/callbacks/:id/resend"
      params={{ id }}
      label={t.resend}
      text={t.resendText(url)}
      done={t.resent}
    />
  )
}
