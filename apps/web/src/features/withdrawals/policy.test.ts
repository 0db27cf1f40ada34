import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatTimeOfDay,
  isInvalidWindow,
  isValidCoolDownHours,
  isValidWindowLength,
  toPolicyDraft,
  toPolicyRules,
  type WithdrawalRule,
} from './policy.ts'

const rules: WithdrawalRule[] = [
  { kind: 'single', limit: '1000' },
  { kind: 'window', per: 'merchant', seconds: 86_400, limit: '5000' },
  { kind: 'window', per: 'destination', seconds: 5_400, limit: '20.5' },
  { kind: 'destination', cool_down: 86_400 },
  { kind: 'hours', days: [1, 5], from: 480, to: 1_110 },
  { kind: 'approval', above: '250', above_in_all: '900' },
  { kind: 'fresh_factor', above: '500', within: 120 },
]

test('rules survive being edited', () => {
  assert.deepEqual(toPolicyRules(toPolicyDraft(rules)), rules)
  assert.deepEqual(toPolicyRules(toPolicyDraft([])), [])
  for (const named of [{ role: 'finance' as const }, { person: 'ann' }, { approver: 'out@audit.example' }]) {
    const rule: WithdrawalRule = { kind: 'approval', above: '250', ...named }
    assert.deepEqual(toPolicyRules(toPolicyDraft([rule])), [rule])
  }
})

test('windows are edited in whole days where they can be', () => {
  assert.deepEqual(
    toPolicyDraft(rules).windows.map(({ length, unit }) => [length, unit]),
    [
      ['1', 'days'],
      ['1.5', 'hours'],
    ],
  )
})

test('days are saved in their order, and the end of a day is midnight', () => {
  const hours = { days: [5, 0, 3], from: '08:00', to: formatTimeOfDay(1_440) }
  const [saved] = toPolicyRules({ ...toPolicyDraft([]), hours })
  assert.deepEqual(saved, { kind: 'hours', days: [0, 3, 5], from: 480, to: 0 })
})

test('a limit that was added since the last submission is not wrong yet', () => {
  const made = () => ({ per: 'merchant', length: '1', unit: 'days', limit: '' }) as const
  const refused = made()
  const added = made()
  assert.deepEqual(
    [isInvalidWindow(refused), isInvalidWindow(refused, [refused]), isInvalidWindow(added, [refused])],
    [true, true, false],
  )
  assert.deepEqual(
    [isInvalidWindow({ ...added, limit: 'x' }, []), isInvalidWindow({ ...added, limit: '5' }, [added])],
    [true, false],
  )
})

test('lengths and cool-downs are those that the server takes', () => {
  assert.deepEqual(
    ['0', '0.01', '0.02', '8784', '8785', 'x'].map(length => isValidWindowLength({ length, unit: 'hours' })),
    [false, false, true, true, false, false],
  )
  assert.deepEqual(['0', '24', '720', '721', '', '-1'].map(isValidCoolDownHours), [
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
