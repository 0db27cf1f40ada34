import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { CallRefused, ChainUnavailable } from '../errors.ts'
import type { JsonRpcCall } from '../nodes/json-rpc.ts'
import { fetchIssuerRefusal } from './issuer.ts'

const selector = (signature: string) => `0x${bytesToHex(keccak_256(utf8ToBytes(signature))).slice(0, 8)}`
const address = `0x${'ab'.repeat(20)}`
const yes = `0x${'1'.padStart(64, '0')}`
const no = `0x${'0'.repeat(64)}`

/** A token that answers some functions; the others revert, as they do without a fallback. */
const token = (...nodes: Record<string, string>[]) => ({
  size: nodes.length,
  askQuorum: async <T>([call]: JsonRpcCall[], read: (results: unknown[]) => T) =>
    nodes.map(answers => {
      const { data } = call!.params[0] as { data: string }
      const [signature] = Object.keys(answers).filter(each => data.startsWith(selector(each)))
      if (!signature) return new CallRefused('execution reverted', 3)
      if (signature !== 'paused()') assert.ok(data.endsWith(address.slice(2)))
      return read([answers[signature]])
    }),
})

test('asks the lists of issuers by each of their names, then whether the token is paused', async () => {
  const ask = (answers: Record<string, string>) => fetchIssuerRefusal(token(answers), '0x1', address)
  assert.equal(await ask({ 'isBlackListed(address)': yes, 'paused()': no }), 'listed')
  assert.equal(await ask({ 'isBlacklisted(address)': yes }), 'listed')
  assert.equal(await ask({ 'isBlackListed(address)': no, 'paused()': yes }), 'paused')
  assert.equal(await ask({ 'isBlackListed(address)': no, 'paused()': no }), null)
  assert.equal(await ask({}), null)
  assert.equal(await ask({ 'paused()': '0x' }), null, 'a fallback that returns nothing')
})

test('one node of three decides neither that an address is listed nor that it is not', async () => {
  const lists = { 'isBlackListed(address)': yes }
  const denies = { 'isBlackListed(address)': no }
  assert.equal(await fetchIssuerRefusal(token(lists, denies, denies), '0x1', address), null)
  assert.equal(await fetchIssuerRefusal(token(lists, denies, lists), '0x1', address), 'listed')
})

test('a failing node is not a clean list', async () => {
  const failing = { size: 1, askQuorum: async () => [new ChainUnavailable('timeout')] }
  await assert.rejects(fetchIssuerRefusal(failing, '0x1', address), /timeout/)
})
