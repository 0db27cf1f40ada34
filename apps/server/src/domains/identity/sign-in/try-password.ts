import type { Deps } from '../../../deps.ts'
import { tx } from '../../../kit/db.ts'
import { countCall, type RateLimit, resetThrottle, throttle, undoCountedCall } from '../../../kit/throttle.ts'
import type { UnitOfWork } from '../../../kit/unit-of-work.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { findVisitorStanding } from '../../people/devices.ts'
import { createIpQuota, requireWorkForCall } from '../work/work.ts'

/** Wrong passwords for one account, from one known device or one network. */
const ownLimit = { max: 10, seconds: 900 }
/** Wrong passwords a day after which the person is notified, once in that day. */
const warnAfter = 10
const daySeconds = 86_400

/** How passwords of a realm may be guessed, and whom that is reported to. */
export interface GuessingRules<P> {
  /** Names the call, and the counters. */
  call: string
  /** Sign-ins from one network. */
  ip: RateLimit
  /** Wrong passwords from all networks together that the account has not signed in from. Known ones do not count. */
  strangers: readonly { counter: string; limit: RateLimit; dearest: number }[]
  idOf: (person: P) => string
  /** Notifies a person whose password is guessed. */
  warn: (deps: Deps, uow: UnitOfWork, person: P, from: Visitor) => void
}

interface Attempt<P> {
  email: string
  password: string
  from: Visitor
  /** Whose e-mail it is; undefined for an unknown one, which takes the same work. */
  person: P | undefined
}

/**
 * Checks the password of a sign-in. Returns whether it is right, and what takes back the attempt once somebody is
 * signed in. Strangers who guess never lock out anybody: beyond their shares an attempt costs work, except on a device
 * that signed in before. Throws Refusal('work_needed') or Refusal('frequent_operation').
 */
export async function tryPassword<P extends { password_hash: string | null }>(
  deps: Deps,
  rules: GuessingRules<P>,
  { email, password, from, person }: Attempt<P>,
): Promise<{ matches: boolean; forgive: () => Promise<void> }> {
  const { call } = rules
  const { known, device, key } = await findVisitorStanding(deps.pool, person && rules.idOf(person), from)
  const own = `${call} ${email} ${key}`
  const strangers = known
    ? []
    : rules.strangers.map(({ counter, ...share }) => ({ key: `${call} ${email}${counter}`, ...share }))
  await tx(deps.pool, async c => {
    const counting = { ...deps, pool: c }
    if (device) return throttle(counting, own, ownLimit)
    const ofVisitor = [createIpQuota(deps, call, from.ip, rules.ip), { key: own, limit: ownLimit, dearest: 64 }]
    return requireWorkForCall(counting, { call, mailbox: email, shares: [...ofVisitor, ...strangers], from })
  })
  const matches = await deps.passwords.verify(person?.password_hash ?? null, password, key)
  if (person && !matches) warnOfGuessing(deps, rules, person, from)
  return {
    matches,
    forgive: async () => {
      await resetThrottle(deps, own)
      for (const counted of strangers) await undoCountedCall(deps, counted.key)
    },
  }
}

/**
 * Counts a wrong password and, after ten in a day, notifies the person once. Does not wait: the time of a refused
 * sign-in must not reveal whether the account exists.
 */
function warnOfGuessing<P>(deps: Deps, { idOf, warn }: GuessingRules<P>, person: P, from: Visitor): void {
  const count = async () => {
    const id = idOf(person)
    if ((await countCall(deps, `wrong passwords ${id}`, daySeconds)) < warnAfter) return
    await tx(deps.pool, async (c, uow) => {
      if ((await countCall({ ...deps, pool: c }, `guessing notice ${id}`, daySeconds)) <= 1)
        warn(deps, uow, person, from)
    })
  }
  count().catch(error => deps.log.error({ err: error }, 'nobody was told of wrong passwords'))
}
