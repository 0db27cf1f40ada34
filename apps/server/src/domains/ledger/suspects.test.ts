import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AddressFlows, findAddressesMissingDeposits, findExcess, type SurplusReading } from './suspects.ts'

const flows = (came: bigint, gone = 0n): AddressFlows => new Map([['a', { came, gone }]])
/** What a reading at head 20 found of an address that held so much. */
const read = (held: bigint, known: AddressFlows): SurplusReading => ({
  more: findExcess(new Map([['a', held]]), known),
  head: 20,
  final: 10,
  isUnsure: false,
})

test('something was left out at an address that held more than all deposits up to then brought', () => {
  const cases: [why: string, held: bigint, before: AddressFlows, after: AddressFlows, leftOut: string[]][] = [
    ['no more than deposits brought', 10n, flows(10n), flows(10n), []],
    ['more than deposits brought', 15n, flows(10n), flows(10n), ['a']],
    ['a deposit that was not seen yet', 15n, flows(10n), flows(15n), []],
    ['swept meanwhile, and paid again later', 10n, flows(10n), flows(10n, 10n), []],
    ['swept before, and paid again', 10n, flows(10n, 9n), flows(20n, 9n), []],
    ['swept before, and more since', 12n, flows(20n, 9n), flows(20n, 19n), ['a']],
    ['nothing was known there', 5n, new Map(), new Map(), ['a']],
    ['nothing is left there, whatever was taken', 0n, flows(10n, 15n), flows(10n, 15n), []],
  ]
  for (const [why, held, before, after, leftOut] of cases)
    assert.deepEqual(findAddressesMissingDeposits(read(held, before), 20, after), leftOut, why)
})

test('nothing was left out for certain before the head of the last reading is final', () => {
  const reading = read(15n, flows(10n))
  assert.deepEqual(
    [findAddressesMissingDeposits(reading, 19, flows(10n)), findAddressesMissingDeposits(reading, 20, flows(10n))],
    [null, ['a']],
  )
  assert.equal(findAddressesMissingDeposits({ ...reading, head: 0 }, 20, flows(10n)), null, 'without a reading before')
})
