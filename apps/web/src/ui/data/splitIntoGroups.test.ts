import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitIntoGroups } from './splitIntoGroups.ts'

test('groups keep every character of the address', () => {
  const address = `0x${'0123456789abcdef'.repeat(2)}01234567`
  assert.equal(splitIntoGroups(address).join(''), address)
})

test('no group is shorter than four characters, so that no line is', () => {
  assert.deepEqual(splitIntoGroups('TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'), [
    'TXYZop',
    'YRdj',
    '2D9X',
    'RtbG',
    '411X',
    'ZZ3k',
    'M5Vk',
    'AeBf',
  ])
  assert.deepEqual([...new Set(splitIntoGroups(`0x${'ab'.repeat(20)}`).map(group => group.length))], [6, 4])
})
