import { merchantStatus } from '@coffer/contract/codes.ts'
import { useMessages } from '../../i18n/messages.ts'
import type { User } from './useUser.ts'

/** Why the last request was refused, if operators said it. */
export function RefusalReason({ user, className }: { user: User; className: string }) {
  const t = useMessages('onboarding')
  if (user.status !== merchantStatus.failed_audit || !user.audit_reason) return null
  return (
    <div className={`rounded-lg bg-sunken px-4 py-3 text-sm ${className}`}>
      <p className="text-[13px] font-medium text-ink-2">{t.reason}</p>
      <p className="mt-0.5 break-words whitespace-pre-line">{user.audit_reason}</p>
    </div>
  )
}
