import { useMessages } from '../../i18n/messages.ts'
import { Action } from './Action.tsx'

/** Sends a callback again. */
export function Resend({ id, url }: { id: string; url: string }) {
  const t = useMessages('operator')
  return (
    <Action
      call="POST /api/operator/v1/callbacks/:id/resend"
      params={{ id }}
      label={t.resend}
      text={t.resendText(url)}
      done={t.resent}
    />
  )
}
