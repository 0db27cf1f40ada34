import assert from 'node:assert/strict'
import { test } from 'node:test'
import { volume } from '@coffer/local/testing/full.ts'
import { RLP } from '@ethereumjs/rlp'
import { createSeededRandom } from '../fake/random.ts'
import { parseHexBytes } from '../hex.ts'
import { encodeFromEnd, encodeRlp, type RlpItem, RlpList, withRlp, writeHexBytes, writeQuantity } from './rlp.ts'

test('encodes as @ethereumjs/rlp does', () => {
  const dice = createSeededRandom(1)
  const some = (depth: number): RlpItem => {
    const length = [0, 1, 2, 20, 32, 55, 56, 256, 300_000][dice.below(dice.chance(0.005) ? 9 : 8)]!
    const bytes = Buffer.from(Array.from({ length }, () => dice.below(256)))
    const kind = dice.below(depth > 0 ? 3 : 2)
    if (kind === 0) return bytes
    if (kind === 1) return [0, 1, 0x7f, 0x80, 0xffff, 2 ** 32, 2 ** 52 - 1][dice.below(7)]!
    return Array.from({ length: dice.below(20) }, () => some(depth - 1))
  }
  for (let i = 0; i < volume(500, 2_000); i++) {
    const item = some(3)
    assert.deepEqual(Buffer.from(encodeRlp(item)), Buffer.from(RLP.encode(item as never)))
  }
})

test('writes hex and quantities as @ethereumjs/rlp does, after the byte of a type', () => {
  for (const text of [
    '0x',
    '0x00',
    '0x7f',
    '0x80',
    `0x${'Ab'.repeat(27)}`,
    `0x${'cD'.repeat(28)}`,
    `0x${'ef'.repeat(300_000)}`,
  ])
    assert.deepEqual(
      Buffer.from(encodeFromEnd(end => writeHexBytes(text, end))),
      Buffer.from(RLP.encode(text as never)),
    )
  for (const digits of [
    '0',
    '1',
    '7f',
    '00ff',
    '1fffffffffffff',
    '0'.repeat(60),
    `0${'9a'.repeat(31)}`,
    'f'.repeat(64),
  ])
    assert.deepEqual(
      Buffer.from(encodeFromEnd(end => writeQuantity(`0x${digits}`, end))),
      Buffer.from(RLP.encode(BigInt(`0x${digits}`))),
    )
  assert.equal(encodeFromEnd(end => writeHexBytes('0x01', end), 0x7e)[0], 0x7e)
})

test('refuses what is not hex, and characters whose low byte is a digit', () => {
  const wide = String.fromCharCode(0x164)
  for (const text of ['', '12', '0x1', '0x123', '0xzz', '0x12 4', '0x1g', `0x${'00'.repeat(300_000)}g0`])
    assert.throws(() => encodeFromEnd(end => writeHexBytes(text, end)), /invalid bytes/)
  for (const length of [1, 2, 20, 32, 300]) {
    for (const at of [0, length, 2 * length - 1]) {
      const digits = [...'ab'.repeat(length)].with(at, wide).join('')
      assert.throws(() => encodeFromEnd(end => writeHexBytes(`0x${digits}`, end)), /invalid bytes/)
      assert.throws(() => encodeFromEnd(end => writeQuantity(`0x${digits}`, end)), /invalid/)
      assert.throws(() => parseHexBytes(`0x${digits}`), /invalid bytes/)
    }
  }
})

test('walks the items of a list, and refuses one that ends too early', () => {
  const bytes = encodeRlp([5, new Uint8Array(60).fill(7), [1, 2], new Uint8Array()])
  const list = new RlpList(bytes)
  const contents: string[] = []
  while (list.next()) contents.push(Buffer.from(list.content).toString('hex'))
  assert.deepEqual(contents, ['05', '07'.repeat(60), '0102', ''])
  for (const wrong of [bytes.slice(0, -1), new Uint8Array(), Uint8Array.of(0x85), Uint8Array.of(0xc2, 0x83, 1)])
    assert.throws(() => {
      const walked = new RlpList(wrong)
      while (walked.next());
    }, /no list|exceeds/)
})

test('what is encoded for a moment is whole where the memory ends', () => {
  const item = [new Uint8Array(200).fill(7), new Uint8Array(300).fill(9)]
  const wanted = Buffer.from(encodeRlp(item))
  // Takes up the memory in steps, so that the item is written at many places before its end.
  for (let step = 0; step < 8_000; step++) {
    encodeRlp(new Uint8Array(57 + (step % 40)))
    assert.ok(
      withRlp(item, bytes => wanted.equals(bytes)),
      `step ${step}`,
    )
  }
})
