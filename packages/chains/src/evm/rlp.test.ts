import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RLP } from '@ethereumjs/rlp'
import { seeded } from '../fake/random.ts'
import { encodeRlp, type Item } from './rlp.ts'

test('encodes as @ethereumjs/rlp does', () => {
  const dice = seeded(1)
  const some = (depth: number): Item => {
    const length = [0, 1, 2, 20, 32, 55, 56, 256, 300_000][dice.below(dice.chance(0.005) ? 9 : 8)]!
    const bytes = Buffer.from(Array.from({ length }, () => dice.below(256)))
    const kind = dice.below(depth > 0 ? 4 : 3)
    if (kind === 0) return bytes
    if (kind === 1) return `0x${bytes.toString('hex')}`
    if (kind === 2) return [0, 1, 0x7f, 0x80, 0xffff, 2 ** 32, 2 ** 52 - 1][dice.below(7)]!
    return Array.from({ length: dice.below(20) }, () => some(depth - 1))
  }
  for (let i = 0; i < 2_000; i++) {
    const item = some(3)
    assert.deepEqual(Buffer.from(encodeRlp(item)), Buffer.from(RLP.encode(item as never)))
  }
  assert.equal(encodeRlp(['0x01'], 0x7e)[0], 0x7e)
})

test('refuses what is not hex of whole bytes', () => {
  for (const text of ['', '12', '0x1', '0x123', '0xzz', '0x12 4', '0x1g', `0x${'00'.repeat(300_000)}g0`])
    assert.throws(() => encodeRlp([text]), /invalid bytes/)
})
