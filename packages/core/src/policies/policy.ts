/**
 * A rule of a merchant's withdrawal policy. Values are in 10^-18 USDT, durations in seconds.
 * - `single`: the value of one withdrawal.
 * - `window`: the value of all withdrawals of the last `seconds`, of the merchant, of one asset or to one destination.
 * - `destination`: pays only addresses that have been in the address book for `coolDown` seconds.
 * - `hours`: pays only on these days (0 is Sunday), from a minute of the day to another, in the merchant's time zone.
 *   When `from` is not before `to`, the hours last over midnight and belong to the day on which they begin.
 * - `approval`: above the limits of `UncheckedAllowance`, somebody other than the initiator must approve: `approver`.
 * - `fresh_factor`: above the limits of `UncheckedAllowance`, a passkey must have confirmed within the last `within`
 *   seconds.
 *
 * `ofPlatform`: it is not the merchant's own, but holds for merchants of the platform.
 */
export type PolicyRule = { ofPlatform?: boolean } & (
  | { kind: 'single'; limit: bigint }
  | { kind: 'window'; per: WindowScope; seconds: number; limit: bigint }
  | { kind: 'destination'; coolDown: number }
  | { kind: 'hours'; days: readonly number[]; from: number; to: number }
  | ({ kind: 'approval'; approver: Approver } & UncheckedAllowance)
  | ({ kind: 'fresh_factor'; within: number } & UncheckedAllowance)
)

/**
 * Who approves: the members of a role, one member, who opens the link mailed to an address, or the operator ('').
 */
export type Approver = `role:${string}` | `person:${string}` | `${string}@${string}` | ''

/**
 * What may leave within 24 hours without the check of a rule, in 10^-18 USDT: `above` to one receiver, `aboveInAll` to
 * all. A payout that is split counts as one.
 */
export type UncheckedAllowance = { above: bigint; aboveInAll: bigint }

/** Window in which a rule counts what left without its check (s). */
export const uncheckedSeconds = 86_400
/** `aboveInAll` of a rule that does not name it, in multiples of `above`. */
export const defaultAllowanceFactor = 10n

export const policyKinds = ['single', 'window', 'destination', 'hours', 'approval', 'fresh_factor'] as const
export type PolicyKind = PolicyRule['kind']
export const windowScopes = ['merchant', 'asset', 'destination'] as const
export type WindowScope = (typeof windowScopes)[number]

/** The facts by which a withdrawal is evaluated. Times are unix seconds. */
export type PolicyFacts = {
  /** In 10^-18 USDT. */
  value: bigint
  now: number
  /** Day of the week and minute of the day in the merchant's time zone. */
  local: { day: number; minute: number }
  /** When the destination was put into the address book; null if it is not in it. */
  knownSince: number | null
  /** When a passkey last confirmed for this withdrawal; null if none did. */
  passkeyAt: number | null
  /**
   * What withdrawals that are not cancelled or rejected have used of a window, this one not included, and when its
   * oldest part leaves the window (null if there is none).
   */
  used: (rule: Extract<PolicyRule, { kind: 'window' }>) => { value: bigint; until: number | null }
  /** What left within `uncheckedSeconds` without the check of a rule, to the receiver of this withdrawal and to all. */
  unchecked: (rule: AllowanceRule) => { toReceiver: bigint; inAll: bigint }
}

export type AllowanceRule = Extract<PolicyRule, UncheckedAllowance>

/**
 * What one rule says. `per` is what its limit counts, null where it counts nothing. `used`, `limit` and `left` are in
 * 10^-18 USDT, null where the rule has no amount. `until`: when a refusal ends by itself, null if it does not.
 */
export type PolicyReport = {
  rule: PolicyRule
  allowed: boolean
  per: WindowScope | null
  used: bigint | null
  limit: bigint | null
  left: bigint | null
  until: number | null
}

/** `approval`: allowed once somebody else approves. `factor`: allowed once a passkey confirms. */
export type PolicyDecision = { outcome: 'allowed' | 'approval' | 'factor' | 'refused'; reports: PolicyReport[] }

const minutesOfDay = 1440
const minutesOfWeek = 7 * minutesOfDay

/**
 * Evaluates a withdrawal by every rule. All must allow it; the reports are in the order of the rules. A rule with two
 * limits, both of which are exceeded, has a report for each.
 */
export function evaluateRules(rules: readonly PolicyRule[], facts: PolicyFacts): PolicyDecision {
  const reports = rules.flatMap(rule => reportsOf(rule, facts))
  const refusing = new Set(reports.filter(each => !each.allowed).map(each => each.rule.kind))
  const asks = (kind: PolicyKind) => refusing.has(kind)
  const outcome = policyKinds.some(kind => kind !== 'approval' && kind !== 'fresh_factor' && asks(kind))
    ? 'refused'
    : asks('fresh_factor')
      ? 'factor'
      : asks('approval')
        ? 'approval'
        : 'allowed'
  return { outcome, reports }
}

function reportsOf(rule: PolicyRule, facts: PolicyFacts): PolicyReport[] {
  const { value, now, local, knownSince, passkeyAt } = facts
  const none = { rule, per: null, used: null, limit: null, left: null, until: null }
  switch (rule.kind) {
    case 'single':
      return [{ ...none, allowed: value <= rule.limit, limit: rule.limit, left: rule.limit }]
    case 'window': {
      const used = facts.used(rule)
      const left = rule.limit > used.value ? rule.limit - used.value : 0n
      const allowed = value <= left
      // Waiting helps only when the withdrawal fits an empty window.
      const until = allowed || value > rule.limit ? null : used.until
      return [{ rule, allowed, per: rule.per, used: used.value, limit: rule.limit, left, until }]
    }
    case 'destination': {
      const until = knownSince === null ? null : knownSince + rule.coolDown
      const allowed = until !== null && now >= until
      return [{ ...none, allowed, until: allowed ? null : until }]
    }
    case 'hours': {
      const minute = local.day * minutesOfDay + local.minute
      const allowed = isOpenAt(rule, minute)
      return [{ ...none, allowed, until: allowed ? null : nextOpening(rule, minute, now) }]
    }
    case 'approval':
      return uncheckedReports(rule, facts)
    case 'fresh_factor': {
      const isFresh = passkeyAt !== null && now - passkeyAt <= rule.within
      const unchecked = uncheckedReports(rule, facts)
      return isFresh ? unchecked.slice(0, 1).map(each => ({ ...each, allowed: true })) : unchecked
    }
  }
}

/**
 * Reports the limits of a rule, per receiver and in all, that a withdrawal exceeds; where it exceeds none, the one of
 * which less is left.
 */
function uncheckedReports(rule: AllowanceRule, facts: PolicyFacts): PolicyReport[] {
  const { toReceiver, inAll } = facts.unchecked(rule)
  const limits = [
    { per: 'destination', used: toReceiver, limit: rule.above },
    { per: 'merchant', used: inAll, limit: rule.aboveInAll },
  ] as const
  const reports = limits.map(each => {
    const left = each.limit > each.used ? each.limit - each.used : 0n
    return { rule, allowed: facts.value <= left, ...each, left, until: null }
  })
  const exceeded = reports.filter(({ allowed }) => !allowed)
  if (exceeded.length > 0) return exceeded
  return [reports.reduce((tighter, each) => (each.left < tighter.left ? each : tighter))]
}

type Hours = Extract<PolicyRule, { kind: 'hours' }>

/** Whether the hours contain a minute of the week, counted from Sunday's midnight. */
function isOpenAt({ days, from, to }: Hours, minute: number): boolean {
  const day = Math.floor(minute / minutesOfDay)
  const at = minute % minutesOfDay
  if (from < to) return days.includes(day) && at >= from && at < to
  return (days.includes(day) && at >= from) || (days.includes((day + 6) % 7) && at < to)
}

/** The unix time of the next opening, to the minute. A change of the clocks in between can move it by an hour. */
function nextOpening(rule: Hours, minute: number, now: number): number | null {
  for (let wait = 1; wait <= minutesOfWeek; wait++) {
    if (isOpenAt(rule, (minute + wait) % minutesOfWeek)) return now - (now % 60) + wait * 60
  }
  return null
}

/**
 * Whether replacing one policy by another could allow a withdrawal that was refused: some rule of before has no rule
 * after that is at least as strict.
 */
export const isPolicyLoosened = (before: readonly PolicyRule[], after: readonly PolicyRule[]): boolean =>
  before.some(rule => !after.some(other => isAsStrict(other, rule)))

/** Whether `rule` refuses whatever `other` refuses. */
function isAsStrict(rule: PolicyRule, other: PolicyRule): boolean {
  switch (rule.kind) {
    case 'single':
      return other.kind === 'single' && rule.limit <= other.limit
    case 'window':
      // Of a merchant's withdrawals those of one asset or destination are a part, of a longer window the shorter one
      // is.
      return (
        other.kind === 'window' &&
        (rule.per === other.per || rule.per === 'merchant') &&
        rule.seconds >= other.seconds &&
        rule.limit <= other.limit
      )
    case 'destination':
      return other.kind === 'destination' && rule.coolDown >= other.coolDown
    case 'hours':
      if (other.kind !== 'hours') return false
      for (let minute = 0; minute < minutesOfWeek; minute++) {
        if (isOpenAt(rule, minute) && !isOpenAt(other, minute)) return false
      }
      return true
    case 'approval':
      return other.kind === 'approval' && isAsLow(rule, other)
    case 'fresh_factor':
      return other.kind === 'fresh_factor' && isAsLow(rule, other) && rule.within <= other.within
  }
}

const isAsLow = (rule: UncheckedAllowance, other: UncheckedAllowance) =>
  rule.above <= other.above && rule.aboveInAll <= other.aboveInAll
