import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ethereum, tron } from '@coffer/chains'
import { encodeTronTransaction, tronTxidOf } from '@coffer/chains/tron/transaction.ts'
import { Keys } from './keys.ts'
import { buildSignerPolicy } from './policy-file.ts'
import type { SignRequest } from './protocol.ts'
import { SigningRecord } from './record.ts'
import { answerSignerRequest } from './service.ts'

const USDT = tron.tokens[0]!.contract
const SOMEBODY = '0x00000000000000000000000000000000000000a1'
const START = 1_700_000_000
const limits = { token: { single: 100, daily: 250 }, native: { single: 1, daily: 2 }, daily: null }
const policy = buildSignerPolicy([ethereum, tron], limits)
const huge = { single: 10 ** 15, daily: 10 ** 16 }
const keys = new Keys(new Uint8Array(64).fill(7))
const hot = keys.address('tron', 'hot')

const line = (op: string, request: SignRequest) => JSON.stringify({ id: 1, op, request, before: [] })

/** A signer with a clock of its own, whose record survives `restart`. */
function signer(t: TestContext, of = policy) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-signer-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'signed.jsonl')
  let now = START
  let record = new SigningRecord(path, now)
  return {
    pass: (seconds: number) => {
      now += seconds
    },
    restart: () => {
      record.close()
      record = new SigningRecord(path, now)
    },
    dryRun: async (request: SignRequest) => {
      const reply = await answerSignerRequest({ keys, policy: of, record, now: () => now }, line('dry_run', request))
      return 'result' in reply ? reply.result : reply.refused
    },
    sign: async (request: SignRequest) => {
      const reply = await answerSignerRequest({ keys, policy: of, record, now: () => now }, line('sign', request))
      return 'refused' in reply
        ? reply.refused
        : (reply.result as { raw: string; txid: string; from: string; to: string })
    },
  }
}

const termsAt = (now: number, nonce = 0) => ({
  chain: 'tron',
  nonce,
  refBlock: { number: 70_000_000, hash: `0x${'0'.repeat(16)}${'ab'.repeat(24)}` },
  timestamp: now * 1000,
  expiration: (now + 300) * 1000,
  feeLimit: '30000000',
})
const pays = { kind: 'transfer' as const, token: USDT, to: SOMEBODY, index: null, amount: '5000000' }

test('signs the transfer that it builds itself', async t => {
  const { sign } = signer(t)
  const terms = termsAt(START)
  const signed = await sign({ ...pays, ...terms })
  assert.ok(typeof signed === 'object')
  const { refBlock, timestamp, expiration } = terms
  const built = { kind: 'tron' as const, refBlock, timestamp, expiration, feeLimit: 30_000_000n }
  const data = encodeTronTransaction({ does: 'transfer', token: USDT, to: SOMEBODY, amount: 5_000_000n }, built, hot)
  assert.ok(signed.raw.includes(Buffer.from(data).toString('hex')))
  assert.deepEqual([signed.txid, signed.from, signed.to], [tronTxidOf(signed.raw), hot, SOMEBODY])
})

test('a dry run names no block, and nothing is signed without one', async t => {
  const { sign, dryRun } = signer(t)
  const { refBlock, ...terms } = termsAt(START)
  assert.deepEqual(await dryRun({ ...pays, ...terms }), [null])
  assert.deepEqual(await dryRun({ ...pays, ...terms, amount: '100000001' }), ['too_large'])
  assert.equal(await sign({ ...pays, ...terms }), 'bad_request')
  assert.ok(typeof (await sign({ ...pays, ...terms, refBlock })) === 'object')
})

test('signs a payout again only a minute after the last one expired', async t => {
  const { sign, pass, restart } = signer(t)
  const first = await sign({ ...pays, ...termsAt(START) })
  assert.deepEqual(await sign({ ...pays, ...termsAt(START) }), first, 'the same bytes again')
  assert.equal(await sign({ ...pays, ...termsAt(START + 1) }), 'not_expired')
  assert.equal(await sign({ ...pays, ...termsAt(START), feeLimit: '40000000' }), 'not_expired')
  pass(360)
  restart()
  assert.equal(await sign({ ...pays, ...termsAt(START + 360) }), 'not_expired')
  pass(1)
  const second = await sign({ ...pays, ...termsAt(START + 361) })
  assert.ok(typeof second === 'object' && typeof first === 'object' && second.txid !== first.txid)
  assert.equal(await sign({ ...pays, ...termsAt(START + 362) }), 'not_expired')
  for (const other of [{ amount: '5000001' }, { to: `0x${'b'.repeat(40)}` }, { token: null }])
    assert.equal(await sign({ ...pays, ...termsAt(START + 2_000), ...other }), 'nonce_taken')
})

test('counts a payout once, however often it is signed, and from whichever address', async t => {
  const { sign, pass } = signer(t)
  const amount = '100000000'
  for (let time = START; time < START + 4_000; time += 400) {
    assert.ok(typeof (await sign({ ...pays, ...termsAt(time), amount })) === 'object')
    pass(400)
  }
  const now = START + 4_000
  assert.ok(typeof (await sign({ ...pays, ...termsAt(now, 1), amount, index: 3 })) === 'object')
  assert.equal(await sign({ ...pays, ...termsAt(now, 2), amount: '50000001' }), 'daily_limit')
  assert.ok(typeof (await sign({ ...pays, ...termsAt(now, 2), amount: '50000000' })) === 'object')
})

test('numbers the payouts of each address by itself', async t => {
  const { sign } = signer(t)
  const from = async (index: number | null, to: string) => {
    const signed = await sign({ ...pays, ...termsAt(START), index, to })
    return typeof signed === 'object' ? signed.from : signed
  }
  assert.equal(await from(null, SOMEBODY), hot)
  assert.equal(await from(8, `0x${'c'.repeat(40)}`), keys.address('tron', 8))
  assert.equal(await from(8, SOMEBODY), 'nonce_taken')
})

test('moves coins and energy between its own addresses', async t => {
  const { sign } = signer(t)
  const own = { ...termsAt(START), index: 4, to: null, amount: '1000000' }
  const deposit = keys.address('tron', 4)
  const ends = async (request: SignRequest) => {
    const signed = await sign(request)
    return typeof signed === 'object' ? [signed.from, signed.to] : signed
  }
  assert.deepEqual(await ends({ ...own, kind: 'gas', token: null }), [hot, deposit])
  assert.deepEqual(await ends({ ...own, kind: 'sweep', token: USDT }), [deposit, hot])
  assert.deepEqual(await ends({ ...own, kind: 'delegate', token: null, nonce: 1 }), [hot, deposit])
  assert.equal(await sign({ ...own, kind: 'undelegate', token: null, nonce: 1 }), 'nonce_taken')
  assert.deepEqual(await ends({ ...own, kind: 'undelegate', token: null, nonce: 2 }), [hot, deposit])
})

test('what no transaction can hold is too large, whatever the policy allows; a token of 18 decimals is not', async t => {
  const { sign, dryRun } = signer(t, buildSignerPolicy([ethereum, tron], { ...limits, token: huge, native: huge }))
  const coin = { ...pays, ...termsAt(START), token: null }
  for (const [nonce, amount, answered] of [
    [0, 2n ** 63n - 1n, null],
    [1, 2n ** 63n, 'too_large'],
  ] as const) {
    const request = { ...coin, nonce, amount: String(amount) }
    assert.deepEqual(await dryRun(request), [answered])
    const signed = await sign(request)
    assert.equal(typeof signed === 'object' ? null : signed, answered)
  }
  const token = { ...pays, ...termsAt(START), nonce: 2, amount: String(10n ** 20n) }
  assert.deepEqual([await dryRun(token), typeof (await sign(token))], [[null], 'object'])
})

test('refuses what a chain cannot do, and terms of another kind of chain', async t => {
  const { sign } = signer(t)
  const fees = { gas: '80000', maxFeePerGas: '1000', maxPriorityFeePerGas: '1' }
  const evm = { chain: 'tron', nonce: 0, ...fees }
  const payments = [{ to: SOMEBODY, amount: '1' }]
  const owners = [{ index: 1, authorize: 0 }]
  const requests: SignRequest[] = [
    { ...pays, ...evm },
    { kind: 'batch', ...evm, token: USDT, payments },
    { kind: 'approve', ...evm, token: USDT, amount: '1' },
    { kind: 'sweepMany', ...evm, token: USDT, owners },
    { ...pays, ...termsAt(START), chain: 'eth', token: ethereum.tokens[0]!.contract },
    { kind: 'delegate', ...termsAt(START), chain: 'eth', token: null, to: null, index: 1, amount: '1' },
  ]
  for (const request of requests) assert.equal(await sign(request), 'bad_request', JSON.stringify(request))
})
