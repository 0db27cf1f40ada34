import { nameOf, type WithdrawalState, withdrawalStatus } from '@coffer/contract/codes.ts'
import { memo } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Badge, type BadgeKind } from '../../ui/feedback/Badge.tsx'

const kinds: Record<WithdrawalState, BadgeKind> = {
  auditing: 'processing',
  audit_rejected: 'error',
  transferring: 'processing',
  confirming: 'processing',
  accomplished: 'success',
  canceled: 'closed',
  abnormal: 'error',
}

/** The label of a withdrawal's status; unknown codes of a newer server are shown as numbers. */
export const statusText = (t: Messages<'withdrawals'>, status: number): string => {
  const state = nameOf(withdrawalStatus, status)
  return state ? t.states[state] : String(status)
}

export const WithdrawalBadge = memo(({ status }: { status: number }) => {
  const t = useMessages('withdrawals')
  const state = nameOf(withdrawalStatus, status)
  return <Badge kind={state ? kinds[state] : 'closed'}>{statusText(t, status)}</Badge>
})
