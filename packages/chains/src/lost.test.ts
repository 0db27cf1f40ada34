import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disperseContract } from './evm/contracts.ts'
import { chainAdapters } from './kinds.ts'
import { isLost } from './lost.ts'

const small = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

test('burn addresses, precompiled contracts and our contracts are lost, others are not', () => {
  const lost = [0xdead, 1, 9, 0x11, 0x100, 0x64, 0x1000, 0x2000].map(small)
  for (const each of [...lost, `0x${'dead'.repeat(10)}`, disperseContract.address])
    assert.equal(isLost(each), true, each)
  assert.equal(isLost(chainAdapters.tron.address.parse('TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy')!), true)
  // The zero address is none of any kind.
  for (const [kind, zero] of [
    ['evm', small(0)],
    ['tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
  ] as const)
    assert.equal(chainAdapters[kind].address.parse(zero), null)
  const wallets = ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045', `0x${'b'.repeat(40)}`, `0x1${'0'.repeat(39)}`]
  for (const each of wallets) assert.equal(isLost(each), false, each)
})
