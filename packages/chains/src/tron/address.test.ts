import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatTronAddress, parseTronAddress } from './address.ts'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const bytes20 = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .filter(bytes => bytes.some(byte => byte !== 0))
  .map(bytes => `0x${Buffer.from(bytes).toString('hex')}`)
const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

/** Encodes base58check independently of the library, as one large number. */
function encode(payload: Buffer, check = checksum(payload)): string {
  const all = Buffer.concat([payload, check])
  let text = ''
  for (let rest = BigInt(`0x${all.toString('hex')}`); rest > 0n; rest /= 58n) text = ALPHABET[Number(rest % 58n)] + text
  return '1'.repeat(all.findIndex(byte => byte !== 0)) + text
}

function checksum(payload: Buffer): Buffer {
  const once = createHash('sha256').update(payload).digest()
  return createHash('sha256').update(once).digest().subarray(0, 4)
}

const withPrefix = (prefix: number, address: string) =>
  Buffer.concat([Buffer.from([prefix]), Buffer.from(address.slice(2), 'hex')])

test('converts well-known addresses between both forms', () => {
  const known: [shown: string, stored: string][] = [
    [usdt, '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', '0xeca9bc828a3005b9a3b909f2cc5c2a54794de05f'],
    ['TLUqyV9rGYXZ2E8kXe6J3P1rvYV1Au1Goe', '0x734c2f23ab41c52308d1206c4eb5fe8e124e6898'],
    ['TVtFTiSQmeMkdpusjefUcPcEeTPtqnhz3D', '0xda727d310b98700af4cec797e43991899668d6f3'],
    ['TLyqzVGLV1srkB7dToTAEqgDSfPtXRJZYH', '0x78c842ee63b253f8f0d2955bbc582c661a078c9d'],
  ]
  for (const [shown, stored] of known) {
    assert.equal(parseTronAddress(shown), stored)
    assert.equal(formatTronAddress(stored), shown)
  }
})

test('round-trips, and agrees with another implementation', () => {
  fc.assert(
    fc.property(bytes20, address => {
      const shown = formatTronAddress(address)
      assert.match(shown, /^T[1-9A-HJ-NP-Za-km-z]{33}$/)
      assert.equal(shown, encode(withPrefix(0x41, address)))
      assert.equal(parseTronAddress(shown), address)
    }),
  )
})

test('rejects any changed letter and any two letters swapped', () => {
  fc.assert(
    fc.property(bytes20, fc.nat(33), fc.constantFrom(...ALPHABET), (address, at, letter) => {
      const shown = formatTronAddress(address)
      fc.pre(shown[at] !== letter)
      assert.equal(parseTronAddress(shown.slice(0, at) + letter + shown.slice(at + 1)), null)
    }),
  )
  fc.assert(
    fc.property(bytes20, fc.nat(32), (address, at) => {
      const shown = formatTronAddress(address)
      fc.pre(shown[at] !== shown[at + 1])
      assert.equal(parseTronAddress(shown.slice(0, at) + shown[at + 1] + shown[at] + shown.slice(at + 2)), null)
    }),
  )
})

test('rejects a wrong prefix, length or checksum', () => {
  fc.assert(
    fc.property(bytes20, fc.nat(255), (address, prefix) => {
      fc.pre(prefix !== 0x41)
      assert.equal(parseTronAddress(encode(withPrefix(prefix, address))), null)
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 40 }), bytes => {
      fc.pre(bytes.length !== 20)
      assert.equal(parseTronAddress(encode(Buffer.from([0x41, ...bytes]))), null)
    }),
  )
  fc.assert(
    fc.property(bytes20, fc.uint8Array({ minLength: 4, maxLength: 4 }), (address, check) => {
      const payload = withPrefix(0x41, address)
      fc.pre(!checksum(payload).equals(check))
      assert.equal(parseTronAddress(encode(payload, Buffer.from(check))), null)
    }),
  )
})

test('rejects arbitrary text without throwing', () => {
  const hostile = [
    '',
    'T',
    usdt.slice(1),
    `${usdt}t`,
    ` ${usdt}`,
    `${usdt}\n`,
    `${usdt}\u0000`,
    `\u202e${usdt}`,
    usdt.toLowerCase(),
    usdt.toUpperCase(),
    usdt.replace('T', '\u0422'),
    usdt.replace('L', 'l'),
    '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
    '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c',
    `tron:${usdt}`,
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    encode(withPrefix(0x41, `0x${'0'.repeat(40)}`)),
    'T'.repeat(34),
    'T'.repeat(100_000),
    '1'.repeat(34),
  ]
  for (const text of hostile) assert.equal(parseTronAddress(text), null, JSON.stringify(text.slice(0, 60)))
  // A string of fast-check takes half a second to make when its unit is any character.
  const text = fc.array(fc.nat(0x10ffff)).map(points => String.fromCodePoint(...points))
  fc.assert(fc.property(text, each => assert.equal(parseTronAddress(each), null)))
})
