import type { ProofAction, SecurityChoice, SecurityGroup } from '../codes/proofs.ts'
import type { AccountAttempt, AccountEvent, emailCodePurpose, phoneCodePurpose } from '../codes.ts'

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

export type SubjectWord =
  | keyof typeof emailCodePurpose
  | keyof typeof phoneCodePurpose
  | ProofAction
  | SecurityGroup
  | SecurityChoice

/** Events whose subject is made of `SubjectWord`s; that of others is a number, an address or a name. */
const inWords = ['code_sent', 'action_confirmed', 'security_tightened', 'security_loosened']

/** The subject of an entry of the audit log in words. What is no word, such as an email, is shown as it is. */
export function subjectText(
  { subjectWord }: { subjectWord: Record<SubjectWord, string> },
  { type, subject }: { type: string; subject: string },
): string {
  if (!inWords.includes(type)) return subject
  const words: Record<string, string> = subjectWord
  return subject
    .split(' ')
    .map(each => (Object.hasOwn(words, each) ? words[each] : each))
    .join(' · ')
}
