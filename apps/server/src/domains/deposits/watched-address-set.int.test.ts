import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressAt, moneyWorld } from '../../testing/money.ts'
import { reserveKeyIndex } from '../addresses/index-range.ts'
import { indexRangeSeconds } from '../addresses/store.ts'
import { WatchedAddressSet } from './watched-address-set.ts'

/** Reports whether a follower that starts now watches an address. */
async function watches(deps: Parameters<typeof reserveKeyIndex>[0], index: number): Promise<boolean> {
  const book = new WatchedAddressSet(deps, 'evm')
  await book.refresh()
  return book.filter([], true).isOurs(addressAt('evm', index))
}

test('a follower watches what running processes may give out later, and not what was skipped', async t => {
  const { deps, owner, pay } = await moneyWorld(t)
  await pay()
  assert.deepEqual([await watches(deps, 0), await watches(deps, 5)], [true, true])
  await owner.query('update address_counters set next_index = 50000')
  assert.deepEqual(
    [await watches(deps, 5), await watches(deps, 2_000), await watches(deps, 50_010)],
    [true, false, true],
  )
  const before = await reserveKeyIndex(deps, 'evm')
  assert.equal(before.index, 1)
  deps.pass(indexRangeSeconds)
  assert.equal((await reserveKeyIndex(deps, 'evm')).index, 50_000, 'a range is used for a time')
  deps.pass(indexRangeSeconds)
  assert.deepEqual([await watches(deps, 0), await watches(deps, 5)], [true, false])
})
