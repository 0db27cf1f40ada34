import { type CallbackState, callbackStatus, codeNameOf } from '@coffer/contract/codes.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Badge, type BadgeKind } from './Badge.tsx'

const callbackKinds: Record<CallbackState, BadgeKind> = {
  pending: 'processing',
  delivered: 'success',
  retrying: 'error',
  given_up: 'error',
  withheld: 'closed',
}

export function CallbackBadge({ status }: { status: number }) {
  const t = useMessages('shell')
  const state = codeNameOf(callbackStatus, status)
  return <Badge kind={state ? callbackKinds[state] : 'closed'}>{state ? t.callbackStates[state] : t.unknown}</Badge>
}
