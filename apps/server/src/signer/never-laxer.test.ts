import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { chainAdapters, ethereum } from '@coffer/chains'
import { evaluateRules, type PolicyRule } from '@coffer/core'
import { volume } from '@coffer/local/testing/full.ts'
import fc from 'fast-check'
import { buildDryRunMessage } from './client.ts'
import { Keys } from './keys.ts'
import type { SignerPolicy } from './policy.ts'
import { buildSignerPolicy, INITIAL_POLICY_LIMITS } from './policy-file.ts'
import type { SignRequest } from './protocol.ts'
import { DAY_SECONDS, SigningRecord } from './record.ts'
import { answerSignerRequest } from './service.ts'

const [USDT, OTHER] = ethereum.tokens.map(each => each.contract) as [string, string]
const keys = new Keys(new Uint8Array(64).fill(7))
const hot = keys.address('evm', 'hot')
const [known, stranger] = ['a1', 'a2'].map(end => `0x${end.padStart(40, '0')}`) as [string, string]
const fees = { gas: '80000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1000000000' }
/** A unit of USDT in the server's values. */
const worth = 10n ** 12n

function signerOf(t: TestContext, policy: SignerPolicy) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-test-signer-'))
  const record = new SigningRecord(join(folder, 'signed.jsonl'), 0)
  t.after(() => {
    record.close()
    rmSync(folder, { recursive: true })
  })
  const ask = async (now: number, message: object) => {
    const found = await answerSignerRequest(
      { keys, policy, record, now: () => now },
      JSON.stringify({ id: 1, ...message }),
    )
    return 'refused' in found ? found.refused : found.result
  }
  return {
    sign: async (now: number, request: SignRequest) => {
      const found = await ask(now, { op: 'sign', request })
      return typeof found === 'string' ? found : null
    },
    dryRun: (now: number, request: SignRequest, before: SignRequest[]) =>
      ask(now, buildDryRunMessage(request, before)) as Promise<(string | null)[]>,
  }
}

const limits = fc.record({
  single: fc.bigInt(1n, 60n),
  daily: fc.bigInt(1n, 120n),
  onlyKnown: fc.boolean(),
  above: fc.option(fc.bigInt(1n, 60n)),
})
type Limits = typeof limits extends fc.Arbitrary<infer Of> ? Of : never

/** The same limits for the signer, and as rules of the server's policy. */
function both({ single, daily, onlyKnown, above }: Limits): { policy: SignerPolicy; rules: PolicyRule[] } {
  const eth = buildSignerPolicy([ethereum], INITIAL_POLICY_LIMITS).chains.eth!
  const passkeys =
    above === null ? null : { rpId: 'x', origin: 'https://x', keys: [], above: { [USDT]: above }, aboveInAll: {} }
  const assets = { ...eth.assets, [USDT]: { single, daily } }
  const rules: PolicyRule[] = [
    { kind: 'single', limit: single * worth },
    { kind: 'window', per: 'asset', seconds: DAY_SECONDS, limit: daily * worth },
  ]
  if (onlyKnown) rules.push({ kind: 'destination', coolDown: 0 })
  if (above !== null)
    rules.push({ kind: 'fresh_factor', above: above * worth, aboveInAll: 10n * above * worth, within: 60 })
  const chains = { eth: { ...eth, assets, passkeys, onlyTo: onlyKnown ? [known] : null } }
  return { policy: { daily: null, chains }, rules }
}

const pays = (nonce: number, to: string, amount: bigint): SignRequest => {
  return { kind: 'transfer', chain: 'eth', nonce, ...fees, token: USDT, index: null, to, amount: String(amount) }
}

test('signs nothing that the server refuses by a rule that both have', async t => {
  const to = fc.constantFrom(known, stranger, hot, USDT, OTHER, 'nobody', known.toUpperCase())
  // Often at a limit, or one unit beside it.
  const amount = fc.oneof(
    fc.record({ limit: fc.constant(null), units: fc.bigInt(0n, 70n) }),
    fc.record({ limit: fc.constantFrom('single', 'daily', 'above'), units: fc.bigInt(-1n, 1n) }),
  )
  const payout = fc.record({
    to,
    requested: amount,
    later: fc.constantFrom(0, 60, DAY_SECONDS / 3, DAY_SECONDS - 1, DAY_SECONDS),
  })
  const seen = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(limits, fc.array(payout, { maxLength: 12 }), async (limit, all) => {
      const { policy, rules } = both(limit)
      const { sign, dryRun } = signerOf(t, policy)
      const paid: { at: number; to: string; amount: bigint }[] = []
      let now = 1_700_000_000
      for (const [nonce, { to, requested, later }] of all.entries()) {
        const units = (requested.limit === null ? 0n : (limit[requested.limit] ?? 0n)) + requested.units
        const amount = units < 0n ? 0n : units
        now += later
        const recent = paid.filter(each => each.at > now - DAY_SECONDS)
        const sum = (of: typeof recent) => of.reduce((sum, each) => sum + each.amount, 0n) * worth
        const value = sum(recent)
        const unchecked = () => ({ toReceiver: sum(recent.filter(each => each.to === to)), inAll: value })
        const knownSince = to === known ? 0 : null
        const facts = { value: amount * worth, now, local: { day: 1, minute: 0 }, knownSince, passkeyAt: null }
        const { outcome } = evaluateRules(rules, { ...facts, used: () => ({ value, until: null }), unchecked })
        const isPayable = chainAdapters.evm.address.parse(to) === to && ![hot, USDT, OTHER].includes(to)
        const request = pays(nonce, to, amount)
        const refusals = await dryRun(now, request, [])
        const refusal = await sign(now, request)
        assert.deepEqual(refusals, [refusal], 'the dry run agrees with what is signed')
        seen.add(refusal === null)
        if (refusal !== null) continue
        assert.deepEqual([outcome, isPayable, amount > 0n], ['allowed', true, true])
        paid.push({ at: now, to, amount })
      }
    }),
    { numRuns: volume(50, 150) },
  )
  assert.deepEqual([...seen].sort(), [false, true])
})

test('signs every payout that was dry-run before it had a nonce, in any order of requests', async t => {
  // Each takes a nonce after its dry run; some are signed later, out of order, or again.
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ pay: fc.array(fc.bigInt(1n, 40n), { minLength: 1, maxLength: 3 }) }) },
    fc.record({ sign: fc.nat(9) }),
    fc.record({ later: fc.constantFrom(60, DAY_SECONDS / 2) }),
  )
  await fc.assert(
    fc.asyncProperty(limits, fc.array(step, { maxLength: 25 }), async (limit, steps) => {
      const { policy } = both(limit)
      const { sign, dryRun } = signerOf(t, policy)
      const taken: SignRequest[] = []
      const signed: { at: number; request: SignRequest }[] = []
      let now = 1_700_000_000
      const signAt = async (place: number) => {
        const [request] = taken.splice(place, 1)
        if (!request) return
        assert.equal(await sign(now, request), null)
        signed.push({ at: now, request })
      }
      for (const each of steps) {
        if ('later' in each) now += each.later
        else if ('sign' in each) await signAt(each.sign)
        else {
          const nonce = taken.length + signed.length
          const payments = each.pay.map(amount => ({ to: known, amount: String(amount) }))
          const batch: SignRequest = { kind: 'batch', chain: 'eth', nonce, ...fees, token: USDT, payments }
          const request = payments.length > 1 ? batch : pays(nonce, known, each.pay[0]!)
          // What was signed before a crash is reported as unsigned, and counts once.
          const before = [...taken, ...signed.slice(-2).map(each => each.request)]
          if ((await dryRun(now, request, before)).every(refusal => refusal === null)) taken.push(request)
        }
      }
      while (taken.length > 0) await signAt(0)
      const amounts = signed.flatMap(({ at, request }) =>
        (request.kind === 'batch' ? request.payments : [request as { amount: string }]).map(({ amount }) => ({
          at,
          amount,
        })),
      )
      for (const { at } of amounts) {
        const ofDay = amounts.filter(each => each.at <= at && each.at > at - DAY_SECONDS)
        assert.ok(ofDay.reduce((sum, each) => sum + BigInt(each.amount), 0n) <= limit.daily)
      }
    }),
    { numRuns: volume(50, 150) },
  )
})
