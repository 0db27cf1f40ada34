import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bnbSmartChain, type ChainDefinition, ethereum, polygon } from '@coffer/chains'
import fc from 'fast-check'
import { softPasskey } from '../testing/passkeys.ts'
import { type Answer, signerOn, withSigner } from '../testing/signer-socket.ts'
import { Keys } from './keys.ts'
import { computeReleaseChallenge } from './passkey.ts'
import { computeMaxFee, computeOutgoingAmount, type SignerPolicy } from './policy.ts'
import { buildSignerPolicy } from './policy-file.ts'
import type { SignRequest } from './protocol.ts'
import { DAY_SECONDS } from './record.ts'

const USDT = ethereum.tokens[0]!.contract
const receivers = ['a1', 'a2', 'a3'].map(end => `0x${end.padStart(40, '0')}`)
const keys = new Keys(new Uint8Array(64).fill(7))
const fees = { gas: '80000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1000000000' }
const key = softPasskey()
const site = { rpId: 'pay.example', origin: 'https://pay.example', keys: [key.signerKey] }
const signs = (request: SignRequest) => ({ op: 'sign', request })
const pays = (nonce: number, amount: bigint, to = receivers[0]!, more: object = {}): SignRequest => {
  return {
    kind: 'transfer',
    chain: 'eth',
    nonce,
    ...fees,
    token: USDT,
    index: null,
    to,
    amount: String(amount),
    ...more,
  } as SignRequest
}
const batches = (nonce: number, payments: { to: string; amount: bigint }[]): SignRequest => {
  const listed = payments.map(({ to, amount }) => ({ to, amount: String(amount) }))
  return { kind: 'batch', chain: 'eth', nonce, ...fees, token: USDT, payments: listed }
}
const policyOf = ({ single, daily }: { single: bigint; daily: bigint }, more: object = {}): SignerPolicy => {
  const eth = buildSignerPolicy([ethereum], {
    token: { single: 1, daily: 1 },
    native: { single: 1, daily: 1 },
    daily: null,
  }).chains.eth!
  return { daily: null, chains: { eth: { ...eth, assets: { ...eth.assets, [USDT]: { single, daily } }, ...more } } }
}
const signedOf = (answers: readonly Answer[]) => answers.filter(each => each.refused === undefined).length

test('signs no more than the limit of a day of requests that are sent together', async t => {
  const { send } = await signerOn(t, keys, policyOf({ single: 10n, daily: 1_000n }))
  const requests = Array.from({ length: 170 }, (_, nonce) => signs(pays(nonce, 10n)))
  const answers = await send(requests)
  assert.equal(answers.length, 170)
  assert.equal(signedOf(answers), 100)
  assert.deepEqual(new Set(answers.map(each => each.refused)), new Set([undefined, 'daily_limit']))
})

interface Signed {
  at: number
  of: string
  gas: bigint
  payments: { to: string; amount: bigint }[]
}

/** No day before a signature passed the limits of the test. */
function assertWithinLimits(signed: Signed[]): void {
  for (const { at } of signed) {
    const day = signed.filter(each => each.at <= at && each.at > at - DAY_SECONDS)
    const sum = (to?: string) =>
      day.flatMap(each => each.payments).reduce((sum, each) => sum + (to && each.to !== to ? 0n : each.amount), 0n)
    assert.ok(sum() <= 35n, `${sum()} in all without a release`)
    for (const to of receivers) assert.ok(sum(to) <= 20n, `${sum(to)} to ${to} without a release`)
    assert.ok(day.reduce((sum, each) => sum + each.gas, 0n) <= 25n)
  }
}

test('passes no limit, on any number of connections and in any order', async () => {
  const passkeys = { ...site, above: { [USDT]: 20n }, aboveInAll: { [USDT]: 35n } }
  const policy = policyOf({ single: 10n, daily: 60n }, { passkeys, gas: { single: 10n, daily: 25n } })
  const payment = fc.record({ to: fc.constantFrom(...receivers), amount: fc.bigInt(1n, 12n) })
  const request = fc.oneof(
    fc.record({ kind: fc.constant('transfer'), nonce: fc.nat(8), payments: fc.tuple(payment) }),
    fc.record({
      kind: fc.constant('batch'),
      nonce: fc.nat(8),
      payments: fc.array(payment, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('gas'), nonce: fc.nat(8), payments: fc.tuple(payment) }),
  )
  const connection = fc.array(request, { maxLength: 10 })
  const waves = fc.array(
    fc.record({
      later: fc.constantFrom(1, DAY_SECONDS / 2, DAY_SECONDS),
      connections: fc.array(connection, { maxLength: 4 }),
    }),
    {
      maxLength: 4,
    },
  )
  await fc.assert(
    fc.asyncProperty(waves, all =>
      withSigner(keys, policy, async signer => {
        const signed = new Map<number, Signed>()
        for (const { later, connections } of all) {
          signer.later(later)
          const sent = connections.map(lines =>
            lines.map(({ kind, nonce, payments }) => {
              if (kind === 'batch') return batches(nonce, payments)
              const { to, amount } = payments[0]!
              const gas = {
                kind: 'gas',
                chain: 'eth',
                nonce,
                ...fees,
                token: null,
                to: null,
                index: 0,
                amount: String(amount),
              }
              return kind === 'gas' ? (gas as SignRequest) : pays(nonce, amount, to)
            }),
          )
          const answers = await Promise.all(sent.map(lines => (lines.length > 0 ? signer.send(lines.map(signs)) : [])))
          for (const [i, lines] of sent.entries())
            for (const [j, request] of lines.entries()) {
              if (answers[i]![j]!.refused !== undefined) continue
              const { fees: _, ...intent } = { fees, ...request }
              const before = signed.get(request.nonce)
              if (before) assert.equal(before.of, JSON.stringify(intent), 'a nonce is signed for one intent')
              const given = connections[i]![j]!.payments
              const [gas, payments] = request.kind === 'gas' ? [given[0]!.amount, []] : [0n, given]
              signed.set(request.nonce, before ?? { at: signer.clock(), of: JSON.stringify(intent), gas, payments })
            }
        }
        assertWithinLimits([...signed.values()])
      }),
    ),
    { numRuns: 40 },
  )
})

test('no requests on any chains pass the limit of all chains, with the fees that they may burn', async () => {
  const chains = [ethereum, bnbSmartChain, polygon]
  const limits = { token: { single: 100, daily: 60 }, native: { single: 1, daily: 5 }, daily: 100 }
  const policy = buildSignerPolicy(chains, limits)
  const request = fc.record({
    chain: fc.constantFrom(...chains),
    asset: fc.constantFrom(0, 1, null),
    nonce: fc.nat(6),
    cents: fc.integer({ min: 1, max: 4_000 }),
    gwei: fc.constantFrom(1, 10, 30),
    kind: fc.constantFrom('transfer', 'batch', 'sweep', 'cancel'),
  })
  const waves = fc.array(
    fc.record({
      later: fc.constantFrom(1, DAY_SECONDS / 2, DAY_SECONDS),
      connections: fc.array(fc.array(request, { minLength: 1, maxLength: 7 }), { maxLength: 2 }),
    }),
    { maxLength: 3 },
  )
  await fc.assert(
    fc.asyncProperty(waves, all =>
      withSigner(keys, policy, async signer => {
        // By chain and nonce: what was paid last, and the highest fee.
        const signed = new Map<
          string,
          { paid: { at: number; dollars: number }; fee: { at: number; dollars: number } }
        >()
        for (const { later, connections } of all) {
          signer.later(later)
          const sent = connections.map(lines => lines.map(each => ({ each, request: requestOf(each) })))
          const answers = await Promise.all(sent.map(lines => signer.send(lines.map(each => signs(each.request)))))
          for (const [i, lines] of sent.entries())
            for (const [j, { each, request }] of lines.entries()) {
              if (answers[i]![j]!.refused !== undefined) continue
              const { dollars } = policy.chains[each.chain.id]!.worth.native!
              const fee = (Number(computeMaxFee(request)) / 1e18) * (Number(dollars) / 1e6)
              const paid = computeOutgoingAmount(request) > 0n ? each.cents / 100 : 0
              const key = `${each.chain.id} ${each.nonce} ${each.kind === 'sweep' ? 'deposit' : 'hot'}`
              const before = signed.get(key)
              const at = signer.clock()
              signed.set(key, {
                paid: before && before.paid.dollars > 0 ? before.paid : { at, dollars: paid },
                fee: before && before.fee.dollars >= fee ? before.fee : { at, dollars: fee },
              })
            }
        }
        const parts = [...signed.values()].flatMap(({ paid, fee }) => [paid, fee])
        for (const { at } of parts) {
          const day = parts.filter(each => each.at <= at && each.at > at - DAY_SECONDS)
          const sum = day.reduce((sum, each) => sum + each.dollars, 0)
          assert.ok(sum <= 100.000001, `${sum} dollars in a day`)
        }
      }),
    ),
    { numRuns: 12 },
  )
})

/** A request worth some cents: of a token of a chain, or of its native coin. */
function requestOf(of: {
  chain: ChainDefinition
  asset: number | null
  nonce: number
  cents: number
  gwei: number
  kind: string
}): SignRequest {
  const { chain, asset, nonce, cents, gwei, kind } = of
  const token = asset === null ? null : chain.tokens[asset]!
  const coin = buildSignerPolicy([chain], {
    token: { single: 1, daily: 1 },
    native: { single: 1, daily: 1 },
    daily: null,
  })
  const { dollars } = coin.chains[chain.id]!.worth.native!
  const units = token ? (BigInt(cents) * 10n ** BigInt(token.decimals)) / 100n : (BigInt(cents) * 10n ** 22n) / dollars
  const head = { chain: chain.id, nonce, gas: '60000', maxFeePerGas: `${gwei}000000000`, maxPriorityFeePerGas: '1' }
  const contract = token?.contract ?? null
  const payment = { to: receivers[0]!, amount: String(units) }
  if (kind === 'cancel') return { kind, ...head, token: null, to: null, index: null, amount: '0' }
  if (kind === 'sweep') return { kind, ...head, token: contract, to: null, index: 1, amount: '1' }
  return kind === 'batch' && contract !== null
    ? { kind, ...head, token: contract, payments: [payment] }
    : { kind: 'transfer', ...head, token: contract, index: null, ...payment }
}

test('hostile lines get an answer each, keep every connection, and never stop the queue', async t => {
  const { send, sendLines } = await signerOn(t, keys, policyOf({ single: 10n, daily: 1_000_000n }))
  const good = signs(pays(1, 1n))
  const mutated = fc
    .tuple(
      fc.constantFrom<string[]>(
        ['op'],
        ['request'],
        ['request', 'token'],
        ['request', 'to'],
        ['request', 'amount'],
        ['request', 'nonce'],
        ['request', 'chain'],
        ['request', 'gas'],
        ['before'],
        ['kind'],
      ),
      fc.jsonValue(),
    )
    .map(([path, value]) => {
      const copy: Record<string, unknown> = structuredClone({ id: 7, ...good })
      const last = path.at(-1)!
      const holder = path.length === 2 ? (copy.request as Record<string, unknown>) : copy
      holder[last] = value
      return JSON.stringify(copy)
    })
  const line = fc.oneof(
    mutated,
    mutated.map(text => text.replace('"sign"', '"dry_run"')),
    fc.json(),
    fc.string().map(text => text.replaceAll('\n', ' ')),
    fc.constantFrom(
      '',
      '{',
      '[]',
      'null',
      '{"id":1}',
      `{"id":5,"op":"${'x'.repeat(70_000)}"}`,
      `${'['.repeat(30_000)}`,
    ),
    fc.constant(
      JSON.stringify({
        id: 3,
        op: 'released',
        payout: {
          chain: '__proto__',
          token: null,
          to: '',
          amount: '0',
          release: { id: 'x', authenticatorData: 'A', clientDataJSON: 'A', signature: 'A' },
        },
      }),
    ),
  )
  let nonce = 100
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async lines => {
      const [answers, [fine]] = await Promise.all([sendLines(lines), send([signs(pays(nonce++, 1n))])])
      assert.equal(answers.length, lines.length)
      assert.equal(fine?.refused, undefined)
    }),
    { numRuns: 25 },
  )
})

test('a release signs one payout, however often and wherever it is sent at once', async t => {
  const passkeys = { ...site, above: { [USDT]: 20n }, aboveInAll: {} }
  const { send } = await signerOn(t, keys, policyOf({ single: 100n, daily: 10_000n }, { passkeys }))
  const to = receivers[0]!
  const amount = '90'
  const challenge = computeReleaseChallenge({ id: 'W1', chain: 'eth', token: USDT, to, amount })
  const release = { id: 'W1', ...key.sign({ challenge }).response }
  const lines = Array.from({ length: 20 }, (_, nonce) => signs(pays(nonce, 90n, to, { release })))
  const answers = (await Promise.all([send(lines.slice(0, 10)), send(lines.slice(10))])).flat()
  assert.equal(signedOf(answers), 1)
  assert.deepEqual(new Set(answers.map(each => each.refused)), new Set([undefined, 'passkey_used']))
})

test('asks for a passkey once split payouts pass the limit, singly and in a batch', async t => {
  const passkeys = { ...site, above: { [USDT]: 1_000n }, aboveInAll: { [USDT]: 2_500n } }
  const { send } = await signerOn(t, keys, policyOf({ single: 10_000n, daily: 1_000_000n }, { passkeys }))
  const fifty = Array.from({ length: 50 }, () => ({ to: receivers[0]!, amount: 1_000n }))
  assert.equal((await send([signs(batches(0, fifty))]))[0]!.refused, 'passkey_required')
  const singles = await send(fifty.map(({ amount }, nonce) => signs(pays(nonce, amount))))
  assert.deepEqual([signedOf(singles), singles[1]!.refused], [1, 'passkey_required'])
  const others = await send(receivers.slice(1).map((to, i) => signs(pays(50 + i, 1_000n, to))))
  assert.deepEqual(
    others.map(each => each.refused),
    [undefined, 'passkey_required'],
    'in all',
  )
  const dearer = { maxFeePerGas: '40000000000' }
  assert.equal(signedOf(await send([signs(pays(0, 1_000n, receivers[0], dearer))])), 1, 'a replacement counts once')
})

test('answers a request that cannot be made into a transaction, and keeps the connection', async t => {
  const { send } = await signerOn(t, keys, policyOf({ single: 100n, daily: 1_000n }))
  const wrong = ['native', '0x', 'constructor', '0x'.padEnd(42, 'g')]
  const answers = await send([
    ...wrong.map((token, nonce) => signs(pays(nonce, 1n, receivers[0], { token }))),
    { op: 'xpub', kind: 'evm' },
  ])
  assert.deepEqual(
    answers.map(each => each.refused),
    ['bad_request', 'asset_not_allowed', 'asset_not_allowed', 'asset_not_allowed', undefined],
  )
})

test('signs nothing that it cannot record', async t => {
  const { send, record } = await signerOn(t, keys, policyOf({ single: 100n, daily: 1_000n }))
  const { add } = record
  record.add = () =>
    add.call(record, {
      get at(): number {
        throw new Error('the disk is full')
      },
    } as never)
  assert.deepEqual(await send([signs(pays(0, 1n))]), [])
  record.add = add
  assert.equal(signedOf(await send([signs(pays(0, 1n))])), 1, 'the next in the queue is served')
})
