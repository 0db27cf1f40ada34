import type { Body } from '@coffer/contract'
import { amountOf, amountSent } from '../../ui/controls/typedAmount.ts'

/** Rules as saved. */
export type Rule = Body<'PUT /api/v1/account/withdrawal-policy'>['rules'][number]
type Window = Extract<Rule, { kind: 'window' }>
export type Per = Window['per']

/** Units in which the length of a window is entered, in seconds. */
export const secondsPerUnit = { hours: 3_600, days: 86_400 } as const
export type Unit = keyof typeof secondsPerUnit

/** A window as it is edited. */
export interface WindowDraft {
  per: Per
  length: string
  unit: Unit
  limit: string
}

/** Whether a window is wrong. One that was added since the last submission is not wrong before it has a limit. */
export const isWrong = (window: WindowDraft, tried: readonly WindowDraft[] = [window]): boolean =>
  !(isLength(window) && amountOf(window.limit) !== null) && (window.limit !== '' || tried.includes(window))

/** A policy as it is edited: texts of inputs, null for a rule that is off. */
export interface Draft {
  single: string | null
  windows: WindowDraft[]
  /** Hours that an address has been in the address book. */
  destination: string | null
  hours: { days: number[]; from: string; to: string } | null
  approval: string | null
  /** The same for all receivers; empty for ten times as much. */
  approvalInAll: string
  /** Email of who approves; empty for the operator. */
  approver: string
  /** Value above which a passkey confirms. */
  passkey: string | null
  passkeyInAll: string
  /** Seconds for which its confirmation counts. */
  within: number
}

/** As long as the challenge of a passkey lasts. */
const withinDefault = 300

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
const two = (part: number) => String(part).padStart(2, '0')
/** Minutes of a day as HH:mm; the end of the day is 00:00. */
export const formatTimeOfDay = (minutes: number): string => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`

const hourSeconds = secondsPerUnit.hours

/** The rules to be edited. */
export function draftOf(rules: readonly Rule[]): Draft {
  const draft: Draft = {
    single: null,
    windows: [],
    destination: null,
    hours: null,
    approval: null,
    approvalInAll: '',
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
export function rulesOf(draft: Draft): Rule[] {
  const { single, windows, destination, hours, approval, approver, passkey, within } = draft
  const inAll = (text: string) => (text === '' ? {} : { above_in_all: amountSent(text) })
  const secondsOf = (length: string, unit: Unit) => Math.round(Number(amountSent(length)) * secondsPerUnit[unit])
  const rules: Rule[] = []
  if (single !== null) rules.push({ kind: 'single', limit: amountSent(single) })
  for (const { per, length, unit, limit } of windows)
    rules.push({ kind: 'window', per, seconds: secondsOf(length, unit), limit: amountSent(limit) })
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
      above: amountSent(approval),
      ...inAll(draft.approvalInAll),
      ...(approver && { approver }),
    })
  if (passkey !== null)
    rules.push({ kind: 'fresh_factor', above: amountSent(passkey), ...inAll(draft.passkeyInAll), within })
  return rules
}

/** Whether the length of a window is one that the server takes: a minute to 366 days. */
export function isLength({ length, unit }: Pick<WindowDraft, 'length' | 'unit'>): boolean {
  const seconds = Number(amountOf(length)) * secondsPerUnit[unit]
  return seconds >= 60 && seconds <= 366 * secondsPerUnit.days
}

/** Whether the text is hours up to 30 days. */
export const isCoolDown = (text: string): boolean =>
  text.trim() === '0' || (amountOf(text) !== null && Number(amountOf(text)) <= 30 * 24)

export const isClock = (text: string): boolean => /^\d{2}:\d{2}$/.test(text)
