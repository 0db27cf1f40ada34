import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { CallRefused, ChainUnavailable } from '../errors.ts'
import type { JsonRpcCall } from '../nodes/json-rpc.ts'
import { fetchImplementation } from './implementation.ts'

const keccak = (text: string) => bytesToHex(keccak_256(utf8ToBytes(text)))
/** The slot of a name of EIP-1967: the hash of the name, less one. */
const slotOf = (name: string) => `0x${(BigInt(`0x${keccak(`eip1967.proxy.${name}`)}`) - 1n).toString(16)}`
const slots = { implementation: slotOf('implementation'), beacon: slotOf('beacon') }
const zos = `0x${keccak('org.zeppelinos.proxy.implementation')}`
const [upgraded, implementation] = ['upgradedAddress()', 'implementation()'].map(
  each => `0x${keccak(each).slice(0, 8)}`,
)

const token = `0x${'70'.repeat(20)}`
const address = (digit: string) => `0x${digit.repeat(40)}`
const word = (digit: string) => `0x${digit.repeat(40).padStart(64, '0')}`

/** What a node answers by contract and slot or function; without an answer, slots are empty and functions revert. */
type Said = Record<string, string>
const nodes = (all: readonly (Said | Error)[], hasStorage = true) => ({
  size: all.length,
  askQuorum: async <T>([call]: JsonRpcCall[], read: (results: unknown[]) => T) =>
    all.map(said => {
      if (said instanceof Error) return said
      if (call!.method === 'eth_getStorageAt') {
        if (!hasStorage) return new CallRefused('the method does not exist', -32_601)
        const [of, slot] = call!.params as [string, string]
        return read([said[`${of} ${slot}`] ?? `0x${'0'.repeat(64)}`])
      }
      const { to, data } = call!.params[0] as { to: string; data: string }
      const answer = said[`${to} ${data}`]
      return answer ? read([answer]) : new CallRefused('REVERT opcode executed', -32_000)
    }),
})

const beacon = { [`${token} ${slots.beacon}`]: word('b'), [`${address('b')} ${implementation}`]: word('3') }
const tokens: Record<string, [said: Said, runs: string]> = {
  'one without a proxy': [{}, ''],
  'one whose fallback returns nothing': [{ [`${token} ${upgraded}`]: '0x', [`${token} ${implementation}`]: '0x' }, ''],
  'a proxy of EIP-1967': [{ [`${token} ${slots.implementation}`]: word('1') }, address('1')],
  'the proxy of USDC': [{ [`${token} ${zos}`]: word('2') }, address('2')],
  'a proxy that asks a beacon': [beacon, address('3')],
  'a proxy with a slot of its own': [{ [`${token} ${implementation}`]: word('4') }, address('4')],
  'USDT that was replaced': [{ [`${token} ${upgraded}`]: word('5') }, address('5')],
}

for (const [what, [said, runs]] of Object.entries(tokens))
  test(`finds whose code a token runs: ${what}`, async () => {
    assert.equal(await fetchImplementation(nodes([said, said, said]), token), runs)
    assert.equal(await fetchImplementation(nodes([{}, said, said]), token), runs, 'one node is wrong')
    assert.equal(await fetchImplementation(nodes([said, {}, {}]), token), '', 'or invents it')
  })

test('without storage, as some nodes of TRON are, what functions say is found', async () => {
  const replaced = tokens['USDT that was replaced']![0]
  const none = {}
  assert.equal(await fetchImplementation(nodes([replaced, replaced, replaced], false), token), address('5'))
  assert.equal(await fetchImplementation(nodes([none, none, none], false), token), '')
})

test('nothing is known while too few nodes answer', async () => {
  const failing = new ChainUnavailable('timeout')
  assert.equal(await fetchImplementation(nodes([failing, failing, {}]), token), null)
})
