import { useMessages } from '../../i18n/messages.ts'
import { Action, reason } from './Action.tsx'

/** Resumes the halted hot wallet of a chain. */
export function ResumeWallet({ id }: { id: string }) {
  const t = useMessages('operator')
  return (
    <Action
      call="POST /api/operator/v1/wallets/:id/resume"
      params={{ id }}
      label={t.resumeWallet}
      text={t.resumeWalletText}
      {...reason(t.reason)}
    />
  )
}
