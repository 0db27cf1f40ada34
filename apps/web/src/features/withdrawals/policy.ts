import type { RouteBody } from '@coffer/contract'
import { parseTypedAmount, toRequestAmount } from '../../ui/controls/typedAmount.ts'

/** Rules as saved. */
export type WithdrawalRule = RouteBody<'PUT /api/v1/account/withdrawal-policy'>['rules'][number]
type Window = Extract<WithdrawalRule, { kind: 'window' }>
export type LimitWindowScope = Window['per']

/** Units in which the length of a window is entered, in seconds. */
export const secondsPerUnit = { hours: 3_600, days: 86_400 } as const
export type WindowUnit = keyof typeof secondsPerUnit

/** A window as it is edited. */
export interface WindowDraft {
  per: LimitWindowScope
  length: string
  unit: WindowUnit
  limit: string
}

/** Whether a window is wrong. One that was added since the last submission is not wrong before it has a limit. */
export const isInvalidWindow = (window: WindowDraft, tried: readonly WindowDraft[] = [window]): boolean =>
  !(isValidWindowLength(window) && parseTypedAmount(window.limit) !== null) &&
  (window.limit !== '' || tried.includes(window))

/** A policy as it is edited: texts of inputs, null for a rule that is off. */
export interface PolicyDraft {
  single: string | null
  windows: WindowDraft[]
  /** Hours that an address has been in the address book. */
  destination: string | null
  hours: { days: number[]; from: string; to: string } | null
  approval: string | null
  /** The same for all receivers; empty for ten times as much. */
  approvalInAll: string
  /** Who approves: the operator or whoever opens a link, a role, or a member (`person:` and the id). */
  approvedBy: ApprovedBy
  /** Email of who approves by a link; empty for the operator. */
  approver: string
  /** Value above which a passkey confirms. */
  passkey: string | null
  passkeyInAll: string
  /** Seconds for which its confirmation counts. */
  within: number
}

/** Who approves, as it is chosen. */
export type ApprovedBy = 'outside' | 'owner' | 'finance' | `person:${string}`

/** As long as the challenge of a passkey lasts. */
const withinDefault = 300

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
const two = (part: number) => String(part).padStart(2, '0')
/** Minutes of a day as HH:mm; the end of the day is 00:00. */
export const formatTimeOfDay = (minutes: number): string => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`

const hourSeconds = secondsPerUnit.hours

/** The rules to be edited. */
export function toPolicyDraft(rules: readonly WithdrawalRule[]): PolicyDraft {
  const draft: PolicyDraft = {
    single: null,
    windows: [],
    destination: null,
    hours: null,
    approval: null,
    approvalInAll: '',
    approvedBy: 'outside',
    approver: '',
    passkey: null,
    passkeyInAll: '',
    within: withinDefault,
  }
  for (const rule of rules) {
    if (rule.kind === 'single') draft.single = rule.limit
    if (rule.kind === 'window') {
      const unit = rule.seconds % secondsPerUnit.days === 0 ? 'days' : 'hours'
      draft.windows.push({
        per: rule.per,
        length: String(rule.seconds / secondsPerUnit[unit]),
        unit,
        limit: rule.limit,
      })
    }
    if (rule.kind === 'destination') draft.destination = String(rule.cool_down / hourSeconds)
    if (rule.kind === 'hours')
      draft.hours = { days: [...rule.days], from: formatTimeOfDay(rule.from), to: formatTimeOfDay(rule.to) }
    if (rule.kind === 'approval') {
      draft.approval = rule.above
      draft.approvalInAll = rule.above_in_all ?? ''
      draft.approver = rule.approver ?? ''
      draft.approvedBy = rule.person ? `person:${rule.person}` : (rule.role ?? 'outside')
    }
    if (rule.kind === 'fresh_factor') {
      draft.passkey = rule.above
      draft.passkeyInAll = rule.above_in_all ?? ''
      draft.within = rule.within
    }
  }
  return draft
}

/** The edited rules, as they are saved. */
export function toPolicyRules(draft: PolicyDraft): WithdrawalRule[] {
  const { single, windows, destination, hours, approval, passkey, within } = draft
  const inAll = (text: string) => (text === '' ? {} : { above_in_all: toRequestAmount(text) })
  const secondsOf = (length: string, unit: WindowUnit) =>
    Math.round(Number(toRequestAmount(length)) * secondsPerUnit[unit])
  const rules: WithdrawalRule[] = []
  if (single !== null) rules.push({ kind: 'single', limit: toRequestAmount(single) })
  for (const { per, length, unit, limit } of windows)
    rules.push({ kind: 'window', per, seconds: secondsOf(length, unit), limit: toRequestAmount(limit) })
  if (destination !== null) rules.push({ kind: 'destination', cool_down: secondsOf(destination, 'hours') })
  if (hours !== null)
    rules.push({
      kind: 'hours',
      days: hours.days.toSorted((a, b) => a - b),
      from: minutesOf(hours.from),
      to: minutesOf(hours.to),
    })
  if (approval !== null)
    rules.push({
      kind: 'approval',
      above: toRequestAmount(approval),
      ...inAll(draft.approvalInAll),
      ...approverOf(draft),
    })
  if (passkey !== null)
    rules.push({ kind: 'fresh_factor', above: toRequestAmount(passkey), ...inAll(draft.passkeyInAll), within })
  return rules
}

/** Who approves, as a rule says it. */
function approverOf({ approvedBy, approver }: PolicyDraft) {
  if (approvedBy === 'owner' || approvedBy === 'finance') return { role: approvedBy }
  if (approvedBy !== 'outside') return { person: approvedBy.slice('person:'.length) }
  return approver === '' ? {} : { approver }
}

/** Whether the length of a window is one that the server takes: a minute to 366 days. */
export function isValidWindowLength({ length, unit }: Pick<WindowDraft, 'length' | 'unit'>): boolean {
  const seconds = Number(parseTypedAmount(length)) * secondsPerUnit[unit]
  return seconds >= 60 && seconds <= 366 * secondsPerUnit.days
}

/** Whether the text is hours up to 30 days. */
export const isValidCoolDownHours = (text: string): boolean =>
  text.trim() === '0' || (parseTypedAmount(text) !== null && Number(parseTypedAmount(text)) <= 30 * 24)

export const isTimeOfDay = (text: string): boolean => /^\d{2}:\d{2}$/.test(text)
