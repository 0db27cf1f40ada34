import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertUsdtToAsset, type ValuationPayment, valueDeposit } from './value.ts'

const assets = {
  usdt6: { id: 'eth:USDT', symbol: 'USDT', decimals: 6 },
  usdt18: { id: 'bsc:USDT', symbol: 'USDT', decimals: 18 },
  usdc: { id: 'eth:USDC', symbol: 'USDC', decimals: 6 },
  eth: { id: 'eth:ETH', symbol: 'ETH', decimals: 18 },
  junk: { id: 'eth:JUNK', symbol: 'JUNK', decimals: 6 },
}
const price = (price: string) => ({ price })
/** A payment of 10 USDT on eth. */
const payment: ValuationPayment = {
  assetId: 'eth:USDT',
  token: 'USDT',
  requested: 10_000_000n,
  decimals: 6,
  usdt: 10_000_000n,
  mixed: true,
  rates: { USDT: price('1'), USDC: price('0.5'), ETH: price('2500') },
}
const strict = { mixed: false }

// biome-ignore format: a table
const values: [
  what: string, asset: keyof typeof assets, amount: bigint, payment: Partial<ValuationPayment> | null, missing: bigint, counted: bigint, value: bigint,
][] = [
  ['the chosen asset', 'usdt6', 4_000_000n, {}, 10_000_000n, 4_000_000n, 4_000_000n],
  ['the same token on another network', 'usdt18', 4n * 10n ** 18n, {}, 10_000_000n, 4_000_000n, 4_000_000n],
  ['the same token on another network, not mixed', 'usdt18', 4n * 10n ** 18n, strict, 10_000_000n, 4_000_000n, 4_000_000n],
  ['another token, at its locked rate', 'usdc', 4_000_000n, {}, 10_000_000n, 2_000_000n, 2_000_000n],
  ['another token, not mixed', 'usdc', 4_000_000n, strict, 10_000_000n, 0n, 2_000_000n],
  ['a token without a locked rate', 'junk', 4_000_000n, {}, 10_000_000n, 0n, 0n],
  ['a native coin', 'eth', 4n * 10n ** 15n, {}, 10_000_000n, 10_000_000n, 10_000_000n],
  ['16 units below the missing amount', 'usdt18', 9_999_984n * 10n ** 12n, {}, 10_000_000n, 10_000_000n, 9_999_984n],
  ['17 units below the missing amount', 'usdt18', 9_999_983n * 10n ** 12n, {}, 10_000_000n, 9_999_983n, 9_999_983n],
  ['16 units below the requested amount, nothing missing', 'usdt18', 9_999_984n * 10n ** 12n, {}, 0n, 9_999_984n, 9_999_984n],
  ['no asset chosen yet', 'usdt6', 4_000_000n, { assetId: null, token: null, requested: 0n, ...strict }, 0n, 0n, 4_000_000n],
  ['USDT at a fixed address', 'usdt6', 4_000_000n, null, 0n, 0n, 4_000_000n],
  ['another token at a fixed address', 'usdc', 4_000_000n, null, 0n, 0n, 0n],
]
for (const [what, asset, amount, given, missing, counted, value] of values) {
  test(`value of a deposit: ${what}`, () => {
    const of = given === null ? undefined : { ...payment, ...given }
    assert.deepEqual(valueDeposit(amount, assets[asset], of, missing), { counted, usdt: value * 10n ** 12n })
  })
}

test('the value of USDT has every digit of the amount', () => {
  const amount = 12_345678901234567891n
  assert.equal(valueDeposit(amount, assets.usdt18, payment, 0n).usdt, amount)
})

test('a value is worth its part of what is requested, rounded up; one that is unknown is worth no known amount', () => {
  const worth = (value: bigint) => convertUsdtToAsset(value, { ...payment, requested: 3n })
  assert.deepEqual([10n ** 19n, 10n ** 18n, 1n, 0n].map(worth), [3n, 1n, 1n, null])
})
