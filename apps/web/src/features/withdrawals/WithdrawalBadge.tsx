import { codeNameOf, withdrawalStatus } from '@coffer/contract/codes.ts'
import { memo } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { CodeBadge, withdrawalBadgeKinds } from '../../ui/feedback/CodeBadge.tsx'

/** The label of a withdrawal's status; unknown codes of a newer server are shown as numbers. */
export const formatWithdrawalStatus = (t: Messages<'withdrawals'>, status: number): string => {
  const state = codeNameOf(withdrawalStatus, status)
  return state ? t.states[state] : String(status)
}

export const WithdrawalBadge = memo(({ status }: { status: number }) => {
  const t = useMessages('withdrawals')
  return <CodeBadge codes={withdrawalStatus} kinds={withdrawalBadgeKinds} labels={t.states} code={status} />
})
