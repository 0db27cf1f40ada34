import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ethereum } from '@coffer/chains'
import { volume } from '@coffer/local/testing/full.ts'
import fc from 'fast-check'
import { buildDryRunMessage } from './client.ts'
import { Keys } from './keys.ts'
import { buildSignerPolicy } from './policy-file.ts'
import type { BatchRequest, SignRequest } from './protocol.ts'
import { SigningRecord } from './record.ts'
import { answerSignerRequest } from './service.ts'

const USDT = ethereum.tokens[0]!.contract
const SOMEBODY = '0x00000000000000000000000000000000000000a1'
const now = 1_700_000_000
const keys = new Keys(new Uint8Array(64).fill(7))
const hot = keys.address('evm', 'hot')
const terms = { chain: 'eth', gas: '800000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1000000000' }
const policy = buildSignerPolicy([ethereum], {
  token: { single: 100, daily: 250 },
  native: { single: 1, daily: 2 },
  daily: null,
})
const one = 1_000_000

function signer(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-signer-'))
  const record = new SigningRecord(join(folder, 'signed.jsonl'), now)
  t.after(() => {
    record.close()
    rmSync(folder, { recursive: true })
  })
  const ask = async (op: 'dry_run' | 'sign', request: SignRequest, before: SignRequest[] = []) => {
    const message = op === 'dry_run' ? buildDryRunMessage(request, before) : { op, request }
    const reply = await answerSignerRequest(
      { keys, policy, record, now: () => now },
      JSON.stringify({ id: 1, ...message }),
    )
    return 'refused' in reply ? reply.refused : reply.result
  }
  const batch = (nonce: number, payments: BatchRequest['payments']): BatchRequest => ({
    kind: 'batch',
    ...terms,
    nonce,
    token: USDT,
    payments,
  })
  return { ask, batch }
}

test('dry-runs each payment of a batch after those before it, and records nothing', async t => {
  const { ask, batch } = signer(t)
  const pays = (whole: number, to = SOMEBODY) => ({ to, amount: String(whole * one) })
  const request = batch(0, [pays(100), pays(101), pays(1, USDT), pays(1, hot), pays(100), pays(100), pays(50), pays(0)])
  const refusals = [null, 'too_large', 'bad_address', 'bad_address', null, 'daily_limit', null, 'bad_request']
  assert.deepEqual(await ask('dry_run', request), refusals)
  assert.deepEqual(await ask('dry_run', request), refusals)
  assert.deepEqual(await ask('dry_run', { ...request, chain: 'bsc' }), Array(8).fill('unknown_chain'))
  assert.equal(await ask('dry_run', { ...request, payments: [] }), 'bad_request')
  assert.deepEqual(await ask('dry_run', { ...request, gas: '900000000' }), Array(8).fill('fee_too_high'))
  const paying = (nonce: number, whole: number): SignRequest => {
    return { kind: 'transfer', ...terms, nonce, token: USDT, index: null, ...pays(whole) }
  }
  assert.deepEqual(await ask('dry_run', paying(0, 101)), ['too_large'])
  const before = [paying(0, 90), paying(1, 90)]
  assert.deepEqual(await ask('dry_run', paying(2, 71), before), ['daily_limit'])
  assert.deepEqual(await ask('dry_run', paying(2, 70), before), [null])
  await ask('sign', before[0]!)
  assert.deepEqual(await ask('dry_run', paying(2, 70), before), [null], 'what is signed counts once')
  assert.deepEqual(await ask('dry_run', batch(2, [pays(70), pays(1)]), before), [null, 'daily_limit'])
  const gas: SignRequest = { kind: 'gas', ...terms, nonce: 2, token: null, to: null, index: 0, amount: '1' }
  assert.deepEqual(await ask('dry_run', gas, before), [null], 'of another purpose')
  assert.equal(await ask('dry_run', gas, Array(301).fill(gas)), 'bad_request')
})

test('signs every batch of what it accepted, and refuses alone what it refused', async t => {
  const amount = fc.integer({ min: 0, max: 110 * one }).map(String)
  const to = fc.constantFrom(SOMEBODY, hot, USDT, '0x00000000000000000000000000000000000000a2', 'nobody')
  const payments = fc.array(fc.record({ to, amount }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(payments, async requested => {
      const { ask, batch } = signer(t)
      const refusals = (await ask('dry_run', batch(0, requested))) as (string | null)[]
      const accepted = requested.filter((_, i) => refusals[i] === null)
      if (accepted.length > 0) assert.equal(typeof (await ask('sign', batch(0, accepted))), 'object')
      for (const [i, payment] of requested.entries())
        if (refusals[i] !== null) assert.equal(await ask('sign', batch(1 + i, [payment])), refusals[i])
    }),
    { numRuns: volume(25, 60) },
  )
})
