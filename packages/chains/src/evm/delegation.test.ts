import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delegatorOf, isDelegationSignature, signDelegation } from './delegation.ts'

test('a delegation has one signature: what anybody can make of it is refused', async () => {
  const delegation = { chainId: 1, contract: `0x${'a1'.repeat(20)}`, nonce: 0 }
  const signature = await signDelegation(new Uint8Array(32).fill(7), delegation)
  assert.ok(isDelegationSignature(signature))
  assert.match((await delegatorOf(signature, delegation)) ?? '', /^0x[0-9a-f]{40}$/)
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const high = order - BigInt(`0x${signature.slice(66, 130)}`)
  const end = signature.endsWith('00') ? '01' : '00'
  const twin = `${signature.slice(0, 66)}${high.toString(16).padStart(64, '0')}${end}`
  assert.equal(isDelegationSignature(twin), false)
  assert.equal(await delegatorOf(twin, delegation), null)
})
