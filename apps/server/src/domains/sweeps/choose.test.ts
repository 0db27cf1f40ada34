import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ethereum } from '@coffer/chains'
import { powerOfTen } from '@coffer/core'
import fc from 'fast-check'
import type { Deps } from '../../deps.ts'
import { toPriceSymbol } from '../../kit/price-symbol.ts'
import { fixedPrices } from '../../testing/money.ts'
import { chooseSweepCandidates } from './choose.ts'

const usdt = { price_of: toPriceSymbol('USDT'), decimals: 6 }
const now = 10_000_000
/** 2 USDT, at 2,000 an ether. */
const cost = powerOfTen(15)
const deps = { clock: () => now, prices: fixedPrices({ USDT: '1', ETH: '2000' }, () => now) } as unknown as Deps

const addresses = fc.array(
  fc.record({
    amount: fc.oneof(fc.bigInt(0n, 4_000_000n), fc.bigInt(0n, 100_000_000n)),
    since: fc.integer({ min: 0, max: now }),
    automatic: fc.boolean(),
    minimum: fc.option(fc.bigInt(0n, 5_000_000n)),
    wanted: fc.boolean(),
  }),
  { maxLength: 12 },
)

test('an address is swept only if it holds more than its sweep costs, whatever its age, and whoever waits for it', async () => {
  const candidate = { merchant_id: 'm', key_index: 1, leased_for: 'token' as const, signature: null, asked: false }
  let swept = 0
  await fc.assert(
    fc.asyncProperty(addresses, fc.boolean(), async (held, isNeeded) => {
      const candidates = held.map((each, i) => ({ ...candidate, ...each, address: `0x${i}` }))
      const chosen = await chooseSweepCandidates(deps, ethereum, usdt, { candidates, cost, isNeeded })
      swept += chosen.length
      assert.deepEqual(
        chosen.filter(each => each.amount <= 2_000_000n),
        [],
      )
      // What pays is not left either: a merchant's request, or a withdrawal that waits, takes all of it.
      const pays = candidates.filter(each => each.amount > 2_000_000n && (each.wanted || isNeeded))
      assert.ok(pays.every(each => chosen.some(({ address }) => address === each.address)))
    }),
  )
  assert.ok(swept > 0)
})
