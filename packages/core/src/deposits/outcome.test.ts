import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DepositComparison, decideDepositOutcome } from './outcome.ts'

type Row = [
  stored: DepositComparison['stored'],
  onChain: DepositComparison['chain'],
  block: 'shallow' | 'final',
  steps: string,
  incident?: string,
]

// biome-ignore format: a table
const following: Row[] = [
  // stored      on the chain  its block   what is done          incident
  ['none',       'same',       'shallow',  'see'],
  ['none',       'same',       'final',    'see credit'],
  ['dropped',    'same',       'shallow',  'see'],
  ['dropped',    'changed',    'final',    'see credit'],
  ['seen',       'same',       'shallow',  'place'],
  ['seen',       'same',       'final',    'place credit'],
  ['seen',       'retimed',    'shallow',  'drop see'],
  ['seen',       'retimed',    'final',    'drop see credit'],
  ['seen',       'changed',    'shallow',  'drop see'],
  ['seen',       'changed',    'final',    'drop see credit'],
  ['seen',       'missing',    'shallow',  ''],
  ['seen',       'missing',    'final',    'drop',               'deposit_denied'],
  ['seen',       'unread',     'shallow',  ''],
  ['seen',       'unread',     'final',    'credit'],
  ['credited',   'same',       'final',    'place'],
  ['credited',   'retimed',    'final',    'place'],
  ['credited',   'changed',    'shallow',  '',                   'deposit_changed'],
  ['credited',   'changed',    'final',    '',                   'deposit_changed'],
  ['credited',   'missing',    'final',    ''],
  ['credited',   'unread',     'final',    ''],
  ['doubted',    'same',       'shallow',  'restore'],
  ['doubted',    'same',       'final',    'restore'],
  ['doubted',    'retimed',    'shallow',  'restore'],
  ['doubted',    'changed',    'shallow',  '',                   'deposit_changed'],
  ['doubted',    'missing',    'final',    ''],
  ['undone',     'same',       'shallow',  'place',              'undone_deposit_is_back'],
  ['undone',     'changed',    'final',    'place',              'undone_deposit_is_back'],
  ['undone',     'missing',    'final',    ''],
]

/** What a repair does otherwise. */
// biome-ignore format: a table
const repairing: Row[] = [
  // stored      on the chain  its block   what is done          incident
  ['credited',   'changed',    'final',    'replace',            'deposit_changed'],
  ['doubted',    'changed',    'final',    'replace',            'deposit_changed'],
  ['credited',   'missing',    'final',    'doubt',              'deposit_denied'],
  ['credited',   'missing',    'shallow',  ''],
]

const check = (repairs: boolean, [stored, chain, block, steps, incident]: Row) => {
  const outcome = decideDepositOutcome({ stored, chain, isFinal: block === 'final', repairs, isHeld: false })
  assert.deepEqual([outcome.steps.join(' '), outcome.incident], [steps, incident])
}

for (const row of following)
  test(`${row[0]}, on the chain ${row[1]}, ${row[2]}: ${row[3] || 'unchanged'}`, () => check(false, row))

for (const row of repairing)
  test(`${row[0]}, on the chain ${row[1]}, ${row[2]}, in a repair: ${row[3] || 'unchanged'}`, () => check(true, row))

test('a deposit that is held is treated alike, and waits where it would be credited', () => {
  for (const [stored, chain, block] of [...following, ...repairing])
    for (const repairs of [false, true]) {
      const given = { stored, chain, isFinal: block === 'final', repairs }
      const { steps, incident } = decideDepositOutcome({ ...given, isHeld: false })
      const held = decideDepositOutcome({ ...given, isHeld: true })
      const waiting = steps.map(step => (step === 'credit' ? 'hold' : step === 'replace' ? 'ask' : step))
      assert.deepEqual([held.steps, held.incident], [waiting, incident])
    }
})

test('a repair changes nothing but credits', () => {
  for (const row of following) if (row[0] !== 'credited' && row[0] !== 'doubted') check(true, row)
})

test('a changed credit that an operator decides on is reversed and waits, and one that was given back is left alone', () => {
  const given = { chain: 'changed', isFinal: true, repairs: true } as const
  for (const stored of ['credited', 'doubted'] as const) {
    assert.deepEqual(decideDepositOutcome({ ...given, stored, isHeld: true }).steps, ['ask'])
    for (const isHeld of [false, true])
      assert.deepEqual(decideDepositOutcome({ ...given, stored, isHeld, isGivenBack: true }), {
        steps: [],
        incident: 'deposit_changed',
      })
  }
})
