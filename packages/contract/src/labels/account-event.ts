import type { AccountAttempt, AccountEvent } from '../codes.ts'

interface Names {
  accountEvent: Record<AccountEvent, string>
  accountAttempt: Record<AccountAttempt, string>
}

/** Name of an entry of the audit log: what happened, or what was attempted. An unknown type is shown as it is. */
export function accountEventName(
  { accountEvent, accountAttempt }: Names,
  { type, outcome }: { type: string; outcome: string },
): string {
  const attempted = outcome === 'refused' && Object.hasOwn(accountAttempt, type)
  const names: Record<string, string> = attempted ? accountAttempt : accountEvent
  return names[type] ?? type
}
