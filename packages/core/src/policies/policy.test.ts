import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  evaluateRules,
  isPolicyLoosened,
  type PolicyDecision,
  type PolicyFacts,
  type PolicyReport,
  type PolicyRule,
  windowScopes,
} from './policy.ts'

const day = 86_400
/** A Monday, 00:00 UTC. */
const monday = 4 * day
const facts: PolicyFacts = {
  value: 100n,
  now: monday,
  local: { day: 1, minute: 0 },
  knownSince: null,
  passkeyAt: null,
  used: () => ({ value: 60n, until: 7 }),
  unchecked: () => ({ toReceiver: 0n, inAll: 0n }),
}
/** What left to the receiver and to all without a check. */
const sent = (toReceiver: bigint, inAll: bigint): Partial<PolicyFacts> => ({ unchecked: () => ({ toReceiver, inAll }) })
const approval = (above: bigint, aboveInAll = 10n * above): PolicyRule => ({
  kind: 'approval',
  approver: '',
  above,
  aboveInAll,
})
const factor = (above: bigint, within = 60, aboveInAll = 10n * above): PolicyRule => ({
  kind: 'fresh_factor',
  above,
  aboveInAll,
  within,
})

type Case = [
  what: string,
  rule: PolicyRule,
  facts: Partial<PolicyFacts>,
  outcome: PolicyDecision['outcome'],
  report: Partial<PolicyReport>,
]
const cases: Case[] = [
  ['a single withdrawal at its limit', { kind: 'single', limit: 100n }, {}, 'allowed', { left: 100n }],
  ['a single withdrawal above it', { kind: 'single', limit: 99n }, {}, 'refused', { limit: 99n, until: null }],
  ['the rest of a window', window(160n), {}, 'allowed', { used: 60n, left: 100n, until: null }],
  ['more than the rest', window(159n), {}, 'refused', { used: 60n, limit: 159n, left: 99n, until: 7 }],
  ['more than an empty window: waiting does not help', window(99n), {}, 'refused', { left: 39n, until: null }],
  ['a window that a limit was lowered under', window(50n), {}, 'refused', { left: 0n }],
  ['an address that is not in the book', { kind: 'destination', coolDown: 0 }, {}, 'refused', { until: null }],
  [
    'one just added',
    { kind: 'destination', coolDown: 9 },
    { knownSince: monday - 8 },
    'refused',
    { until: monday + 1 },
  ],
  ['one added before', { kind: 'destination', coolDown: 9 }, { knownSince: monday - 9 }, 'allowed', {}],
  ['the first minute of the hours', { kind: 'hours', days: [1], from: 0, to: 60 }, {}, 'allowed', {}],
  [
    'the minute after the last',
    hours(1, 0, 60),
    { local: { day: 1, minute: 60 } },
    'refused',
    { until: monday + 7 * day - 3600 },
  ],
  ['another day', hours(2, 60, 120), {}, 'refused', { until: monday + day + 3600 }],
  ['after midnight, of the day before', hours(0, 1380, 60), {}, 'allowed', {}],
  ['after midnight, of the same day', hours(1, 1380, 60), {}, 'refused', { until: monday + 1380 * 60 }],
  ['no day at all', { kind: 'hours', days: [], from: 0, to: 0 }, {}, 'refused', { until: null }],
  ['around the clock', { kind: 'hours', days: [0, 1], from: 0, to: 0 }, {}, 'allowed', {}],
  ['what needs no approval', approval(100n), {}, 'allowed', { left: 100n }],
  ['what needs one', approval(99n), {}, 'approval', { limit: 99n }],
  ['the rest to a receiver', approval(150n), sent(50n, 50n), 'allowed', { per: 'destination', used: 50n, left: 100n }],
  ['more to a receiver', approval(150n), sent(51n, 51n), 'approval', { per: 'destination', used: 51n, left: 99n }],
  ['the rest in all', approval(150n, 400n), sent(0n, 300n), 'allowed', { per: 'merchant', used: 300n, limit: 400n }],
  ['more in all', approval(150n, 400n), sent(0n, 301n), 'approval', { per: 'merchant', used: 301n, left: 99n }],
  ['less in all than to one', approval(150n, 99n), {}, 'approval', { per: 'merchant', limit: 99n }],
  ['what needs a passkey', factor(99n), {}, 'factor', {}],
  ['what needs one with the last day', factor(150n), sent(51n, 51n), 'factor', { used: 51n }],
  ['a fresh one', factor(99n), { passkeyAt: monday - 60 }, 'allowed', {}],
  ['an old one', factor(99n), { passkeyAt: monday - 61 }, 'factor', {}],
]

function window(limit: bigint): PolicyRule {
  return { kind: 'window', per: 'merchant', seconds: day, limit }
}
function hours(on: number, from: number, to: number): PolicyRule {
  return { kind: 'hours', days: [on], from, to }
}

for (const [what, rule, given, outcome, expected] of cases) {
  test(`${what}: ${outcome}`, () => {
    const decision = evaluateRules([rule], { ...facts, ...given })
    assert.equal(decision.outcome, outcome)
    const [report] = decision.reports
    assert.equal(report!.allowed, outcome === 'allowed')
    for (const [name, value] of Object.entries(expected)) assert.equal(report![name as keyof PolicyReport], value, name)
  })
}

test('a rule whose limits are both exceeded reports both, each with its figures', () => {
  const both = (rule: PolicyRule, given: Partial<PolicyFacts> = {}) =>
    evaluateRules([rule], { ...facts, ...sent(0n, 950n), ...given }).reports.map(
      ({ per, allowed, used, limit, left }) => ({
        per,
        allowed,
        used,
        limit,
        left,
      }),
    )
  const expected = [
    { per: 'destination', allowed: false, used: 0n, limit: 99n, left: 99n },
    { per: 'merchant', allowed: false, used: 950n, limit: 990n, left: 40n },
  ]
  assert.deepEqual(both(approval(99n)), expected)
  assert.deepEqual(both(factor(99n)), expected)
  assert.deepEqual(both(factor(99n), { passkeyAt: monday }), [{ ...expected[0], allowed: true }])
  assert.deepEqual(both(approval(99n, 2_000n)), [expected[0]], 'one exceeded')
})

test('a refusal comes before a passkey, and a passkey before an approval', () => {
  const approves = approval(0n)
  const confirms = factor(0n)
  const single: PolicyRule = { kind: 'single', limit: 1n }
  assert.equal(evaluateRules([], facts).outcome, 'allowed')
  assert.equal(evaluateRules([approves, confirms], facts).outcome, 'factor')
  const all = evaluateRules([approves, single, confirms], facts)
  assert.equal(all.outcome, 'refused')
  assert.deepEqual([...new Set(all.reports.map(each => each.rule))], [approves, single, confirms])
})

const small = fc.bigInt(0n, 200n)
const seconds = fc.constantFrom(0, 60, 3600, day)
const minute = fc.integer({ min: 0, max: 1439 })
const anyRule: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc.record({ kind: fc.constant('single' as const), limit: small }),
  fc.record({ kind: fc.constant('window' as const), per: fc.constantFrom(...windowScopes), seconds, limit: small }),
  fc.record({ kind: fc.constant('destination' as const), coolDown: seconds }),
  fc.record({
    kind: fc.constant('hours' as const),
    days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 4 }),
    from: minute,
    to: minute,
  }),
  fc.record({
    kind: fc.constant('approval' as const),
    approver: fc.constant(''),
    above: small,
    aboveInAll: small,
  }),
  fc.record({ kind: fc.constant('fresh_factor' as const), above: small, aboveInAll: small, within: seconds }),
)
const anyPolicy = fc.array(anyRule, { maxLength: 5 })

/** Withdrawals of one merchant, from which the use of every window follows. */
const anyHistory = fc.array(
  fc.record({
    ago: fc.integer({ min: 0, max: 2 * day }),
    value: small,
    asset: fc.constantFrom('this', 'other'),
    destination: fc.constantFrom('this', 'other'),
    passkey: fc.boolean(),
    approved: fc.boolean(),
  }),
)
const anyFacts: fc.Arbitrary<PolicyFacts> = fc
  .record({
    value: small,
    local: fc.record({ day: fc.integer({ min: 0, max: 6 }), minute }),
    knownFor: fc.option(seconds),
    passkeyAgo: fc.option(seconds),
    history: anyHistory,
  })
  .map(({ value, local, knownFor, passkeyAgo, history }) => ({
    value,
    now: monday,
    local,
    knownSince: knownFor === null ? null : monday - knownFor,
    passkeyAt: passkeyAgo === null ? null : monday - passkeyAgo,
    used: ({ per, seconds }) => ({
      value: history
        .filter(each => each.ago < seconds && (per === 'merchant' || each[per] === 'this'))
        .reduce((sum, each) => sum + each.value, 0n),
      until: null,
    }),
    unchecked: ({ kind }) => {
      const checked = kind === 'approval' ? 'approved' : 'passkey'
      const counted = history.filter(each => each.ago < day && !each[checked])
      const sum = (of: typeof history) => of.reduce((sum, each) => sum + each.value, 0n)
      return { toReceiver: sum(counted.filter(each => each.destination === 'this')), inAll: sum(counted) }
    },
  }))

test('a policy that loosens nothing allows nothing that was refused', () => {
  let compared = 0
  fc.assert(
    fc.property(anyPolicy, anyPolicy, anyFacts, (before, added, given) => {
      const tightened = before.map(tighten)
      for (const after of [tightened, [...before, ...added], added]) {
        if (isPolicyLoosened(before, after)) continue
        compared++
        if (evaluateRules(before, given).outcome !== 'allowed') {
          assert.notEqual(evaluateRules(after, given).outcome, 'allowed')
        }
      }
      assert.ok(!isPolicyLoosened(before, tightened) && !isPolicyLoosened(before, [...added, ...before]))
    }),
    { numRuns: 500 },
  )
  assert.ok(compared >= 1000)
})

/** Makes a rule a little stricter. */
function tighten(rule: PolicyRule): PolicyRule {
  switch (rule.kind) {
    case 'single':
      return { ...rule, limit: rule.limit / 2n }
    case 'window':
      return { ...rule, per: 'merchant', seconds: rule.seconds + 60 }
    case 'destination':
      return { ...rule, coolDown: rule.coolDown + 1 }
    case 'hours':
      return { ...rule, days: rule.days.slice(1) }
    case 'approval':
      return { ...rule, above: rule.above / 2n, aboveInAll: rule.aboveInAll / 3n }
    case 'fresh_factor':
      return { ...rule, within: rule.within / 2 }
  }
}

const loosening: [what: string, before: PolicyRule, after: PolicyRule[]][] = [
  ['a removed rule', { kind: 'single', limit: 5n }, []],
  ['a higher limit', { kind: 'single', limit: 5n }, [{ kind: 'single', limit: 6n }]],
  ['a window of one asset instead of all', window(5n), [{ kind: 'window', per: 'asset', seconds: day, limit: 5n }]],
  ['a shorter window', window(5n), [{ kind: 'window', per: 'merchant', seconds: 60, limit: 5n }]],
  ['a shorter cool-down', { kind: 'destination', coolDown: 5 }, [{ kind: 'destination', coolDown: 4 }]],
  ['one more minute', hours(1, 0, 60), [hours(1, 0, 61)]],
  ['an approval further up', approval(5n, 50n), [approval(6n, 50n)]],
  ['an approval further up in all', approval(5n, 50n), [approval(5n, 51n)]],
  ['a passkey further up in all', factor(5n, 5, 50n), [factor(5n, 5, 51n)]],
  ['an older passkey', factor(5n, 5), [factor(5n, 6)]],
]
for (const [what, before, after] of loosening) {
  test(`loosens: ${what}`, () => {
    assert.ok(isPolicyLoosened([before], after))
    assert.ok(!isPolicyLoosened(after, [before, ...after]))
  })
}

test('a window passes no more when a withdrawal is split', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(1n, 120n), { maxLength: 30 }), fc.bigInt(0n, 300n), (values, limit) => {
      let used = 0n
      for (const value of values) {
        const given = { ...facts, value, used: () => ({ value: used, until: null }) }
        if (evaluateRules([window(limit)], given).outcome === 'allowed') used += value
      }
      assert.ok(used <= limit)
    }),
  )
})

test('no more than the limits leaves in 24 hours without a check when a withdrawal is split', () => {
  const payout = fc.record({
    value: fc.bigInt(1n, 60n),
    to: fc.nat(3),
    later: fc.constantFrom(0, 60, day / 2, day - 1, day),
    checked: fc.boolean(),
  })
  const limits = fc.record({ above: fc.bigInt(0n, 60n), aboveInAll: fc.bigInt(0n, 150n), isFactor: fc.boolean() })
  fc.assert(
    fc.property(limits, fc.array(payout, { maxLength: 40 }), ({ isFactor, above, aboveInAll }, payouts) => {
      const rule = isFactor ? factor(above, 60, aboveInAll) : approval(above, aboveInAll)
      const left: { at: number; to: number; value: bigint }[] = []
      const sum = (at: number, to?: number) =>
        left
          .filter(each => each.at <= at && each.at > at - day && (to === undefined || each.to === to))
          .reduce((sum, each) => sum + each.value, 0n)
      let now = monday
      for (const { value, to, later, checked } of payouts) {
        now += later
        const unchecked = () => ({ toReceiver: sum(now, to), inAll: sum(now) })
        const passkeyAt = isFactor && checked ? now : null
        const { outcome } = evaluateRules([rule], { ...facts, value, now, passkeyAt, unchecked })
        // Checked, it leaves by whatever amount, and counts for nothing.
        if (checked) assert.ok(!isFactor || outcome === 'allowed')
        else if (outcome === 'allowed') left.push({ at: now, to, value })
      }
      for (const { at, to } of left) assert.ok(sum(at, to) <= above && sum(at) <= aboveInAll)
    }),
    { numRuns: 300 },
  )
})
