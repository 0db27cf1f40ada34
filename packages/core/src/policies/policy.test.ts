import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  evaluateRules,
  loosens,
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
}

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
  ['what needs no approval', { kind: 'approval', above: 100n }, {}, 'allowed', { left: 100n }],
  ['what needs one', { kind: 'approval', above: 99n }, {}, 'approval', { limit: 99n }],
  ['what needs a passkey', { kind: 'fresh_factor', above: 99n, within: 60 }, {}, 'factor', {}],
  ['a fresh one', { kind: 'fresh_factor', above: 99n, within: 60 }, { passkeyAt: monday - 60 }, 'allowed', {}],
  ['an old one', { kind: 'fresh_factor', above: 99n, within: 60 }, { passkeyAt: monday - 61 }, 'factor', {}],
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

test('a refusal comes before a passkey, and a passkey before an approval', () => {
  const approval: PolicyRule = { kind: 'approval', above: 0n }
  const factor: PolicyRule = { kind: 'fresh_factor', above: 0n, within: 60 }
  const single: PolicyRule = { kind: 'single', limit: 1n }
  assert.equal(evaluateRules([], facts).outcome, 'allowed')
  assert.equal(evaluateRules([approval, factor], facts).outcome, 'factor')
  const all = evaluateRules([approval, single, factor], facts)
  assert.equal(all.outcome, 'refused')
  assert.deepEqual(
    all.reports.map(each => each.rule),
    [approval, single, factor],
  )
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
  fc.record({ kind: fc.constant('approval' as const), above: small }),
  fc.record({ kind: fc.constant('fresh_factor' as const), above: small, within: seconds }),
)
const anyPolicy = fc.array(anyRule, { maxLength: 5 })

/** Withdrawals of one merchant, from which the use of every window follows. */
const anyHistory = fc.array(
  fc.record({
    ago: fc.integer({ min: 0, max: 2 * day }),
    value: small,
    asset: fc.constantFrom('this', 'other'),
    destination: fc.constantFrom('this', 'other'),
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
  }))

test('a policy that loosens nothing allows nothing that was refused', () => {
  let compared = 0
  fc.assert(
    fc.property(anyPolicy, anyPolicy, anyFacts, (before, added, given) => {
      const tightened = before.map(tighten)
      for (const after of [tightened, [...before, ...added], added]) {
        if (loosens(before, after)) continue
        compared++
        if (evaluateRules(before, given).outcome !== 'allowed') {
          assert.notEqual(evaluateRules(after, given).outcome, 'allowed')
        }
      }
      assert.ok(!loosens(before, tightened) && !loosens(before, [...added, ...before]))
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
      return { ...rule, above: rule.above / 2n }
    case 'fresh_factor':
      return { ...rule, within: rule.within / 2 }
  }
}

const loosening: [what: string, before: PolicyRule, after: PolicyRule[]][] = [
  ['a rule that is gone', { kind: 'single', limit: 5n }, []],
  ['a higher limit', { kind: 'single', limit: 5n }, [{ kind: 'single', limit: 6n }]],
  ['a window of one asset instead of all', window(5n), [{ kind: 'window', per: 'asset', seconds: day, limit: 5n }]],
  ['a shorter window', window(5n), [{ kind: 'window', per: 'merchant', seconds: 60, limit: 5n }]],
  ['a shorter cool-down', { kind: 'destination', coolDown: 5 }, [{ kind: 'destination', coolDown: 4 }]],
  ['one more minute', hours(1, 0, 60), [hours(1, 0, 61)]],
  ['an approval further up', { kind: 'approval', above: 5n }, [{ kind: 'approval', above: 6n }]],
  [
    'an older passkey',
    { kind: 'fresh_factor', above: 5n, within: 5 },
    [{ kind: 'fresh_factor', above: 5n, within: 6 }],
  ],
]
for (const [what, before, after] of loosening) {
  test(`loosens: ${what}`, () => {
    assert.ok(loosens([before], after))
    assert.ok(!loosens(after, [before, ...after]))
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
