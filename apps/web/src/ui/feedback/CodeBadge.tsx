import { codeNameOf, type WithdrawalState } from '@coffer/contract/codes.ts'
import { Badge, type BadgeKind } from './Badge.tsx'

export const withdrawalBadgeKinds: Record<WithdrawalState, BadgeKind> = {
  auditing: 'processing',
  audit_rejected: 'error',
  transferring: 'processing',
  confirming: 'processing',
  accomplished: 'success',
  canceled: 'closed',
  abnormal: 'error',
}

interface CodeBadgeProps<S extends string> {
  codes: Record<S, number>
  kinds: Record<S, BadgeKind>
  labels: Record<S, string>
  code: number
}

/** The badge of a state by its code; unknown codes of a newer server are shown as numbers. */
export function CodeBadge<S extends string>({ codes, kinds, labels, code }: CodeBadgeProps<S>) {
  const state = codeNameOf(codes, code)
  return <Badge kind={state ? kinds[state] : 'closed'}>{state ? labels[state] : code}</Badge>
}
