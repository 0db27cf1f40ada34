import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getAddress } from 'viem/utils'
import { formatEvmAddress, parseEvmAddress } from './address.ts'

const bytes20 = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(bytes => `0x${Buffer.from(bytes).toString('hex')}`)

test('computes the same checksum as viem', () => {
  fc.assert(fc.property(bytes20, address => assert.equal(formatEvmAddress(address), getAddress(address))))
})

test('parses checksummed, lower-case and upper-case addresses', () => {
  fc.assert(
    fc.property(bytes20, address => {
      fc.pre(!/^0x0{40}$/.test(address))
      assert.equal(parseEvmAddress(formatEvmAddress(address)), address)
      assert.equal(parseEvmAddress(address), address)
      assert.equal(parseEvmAddress(`0x${address.slice(2).toUpperCase()}`), address)
    }),
  )
})

test('rejects an address with one letter in the wrong case', () => {
  const right = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
  assert.equal(parseEvmAddress(right), right.toLowerCase())
  for (let i = 2; i < right.length; i++) {
    const letter = right[i]!
    const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    if (swapped === letter) continue
    assert.equal(parseEvmAddress(right.slice(0, i) + swapped + right.slice(i + 1)), null)
  }
})

test('rejects text that is not an address, and the zero address', () => {
  const wrong = ['', '0x', `0x${'0'.repeat(40)}`, `0x${'a'.repeat(39)}`, `0x${'a'.repeat(41)}`, 'a'.repeat(40)]
  for (const text of [...wrong, `0X${'a'.repeat(40)}`, `0x${'g'.repeat(40)}`, ` 0x${'a'.repeat(40)}`]) {
    assert.equal(parseEvmAddress(text), null, text)
  }
})
