import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ethereum } from '@coffer/chains'
import fc from 'fast-check'
import { softPasskey } from '../testing/passkeys.ts'
import { Keys } from './keys.ts'
import { listen } from './listen.ts'
import { challengeOf } from './passkey.ts'
import type { Policy } from './policy.ts'
import { policyFor } from './policy-file.ts'
import type { SignRequest } from './protocol.ts'
import { DAY, SignedRecord } from './record.ts'

const USDT = ethereum.tokens[0]!.contract
const receivers = ['a1', 'a2', 'a3'].map(end => `0x${end.padStart(40, '0')}`)
const keys = new Keys(new Uint8Array(64).fill(7))
const fees = { gas: '80000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1000000000' }
const key = softPasskey()
const site = { rpId: 'pay.example', origin: 'https://pay.example', keys: [key.signerKey] }
type Answer = { id: number; result?: unknown; refused?: string }

/** A signer on a socket of its own. `send` writes all lines of a connection at once and returns the answers by line. */
async function signerOn(t: Pick<TestContext, 'after'>, policy: Policy) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-signer-'))
  const record = new SignedRecord(join(folder, 'signed.jsonl'), 0)
  let now = 1_700_000_000
  const path = join(folder, 'signer.sock')
  const server = await listen(path, { keys, policy, record, now: () => now })
  const close = async () => {
    await new Promise(resolve => server.close(resolve))
    record.close()
    rmSync(folder, { recursive: true })
  }
  t.after(close)
  const send = async (messages: readonly object[]): Promise<Answer[]> => {
    const socket = connect(path).setEncoding('utf8')
    await once(socket, 'connect')
    let text = ''
    const closed = once(socket, 'close')
    const answered = new Promise<void>(resolve => {
      socket.on('data', more => {
        text += more
        if (text.split('\n').length > messages.length) resolve()
      })
    })
    socket.write(messages.map((each, id) => `${JSON.stringify({ id, ...each })}\n`).join(''))
    await Promise.race([answered, closed])
    socket.destroy()
    const answers = text.split('\n').slice(0, -1)
    return answers.map((line): Answer => JSON.parse(line)).sort((a, b) => a.id - b.id)
  }
  return {
    send,
    record,
    later: (seconds: number) => {
      now += seconds
    },
    clock: () => now,
  }
}

const signs = (request: SignRequest) => ({ op: 'sign', request })
const pays = (nonce: number, amount: bigint, to = receivers[0]!, more: object = {}): SignRequest => {
  return {
    ...{ kind: 'transfer', chain: 'eth', nonce, ...fees, token: USDT, index: null, to, amount: String(amount) },
    ...more,
  } as SignRequest
}
const batches = (nonce: number, payments: { to: string; amount: bigint }[]): SignRequest => {
  const listed = payments.map(({ to, amount }) => ({ to, amount: String(amount) }))
  return { kind: 'batch', chain: 'eth', nonce, ...fees, token: USDT, payments: listed }
}
const policyOf = ({ single, daily }: { single: bigint; daily: bigint }, more: object = {}): Policy => {
  const eth = policyFor([ethereum], { token: { single: 1, daily: 1 }, native: { single: 1, daily: 1 } }).eth!
  return { eth: { ...eth, assets: { ...eth.assets, [USDT]: { single, daily } }, ...more } }
}
const signedOf = (answers: readonly Answer[]) => answers.filter(each => each.refused === undefined).length

test('signs no more than the limit of a day of requests that are sent together', async t => {
  const { send } = await signerOn(t, policyOf({ single: 10n, daily: 1_000n }))
  const requests = Array.from({ length: 170 }, (_, nonce) => signs(pays(nonce, 10n)))
  const answers = await send(requests)
  assert.equal(answers.length, 170)
  assert.equal(signedOf(answers), 100)
  assert.deepEqual(new Set(answers.map(each => each.refused)), new Set([undefined, 'daily_limit']))
})

test('passes no limit, on any number of connections and in any order', async () => {
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
    fc.record({ later: fc.constantFrom(1, DAY / 2, DAY), connections: fc.array(connection, { maxLength: 4 }) }),
    {
      maxLength: 4,
    },
  )
  await fc.assert(
    fc.asyncProperty(waves, async all => {
      const scope: (() => Promise<void> | void)[] = []
      const passkeys = { ...site, above: { [USDT]: 20n }, aboveInAll: { [USDT]: 35n } }
      const policy = policyOf({ single: 10n, daily: 60n }, { passkeys, gas: { single: 10n, daily: 25n } })
      const signer = await signerOn({ after: fn => void scope.push(fn as () => Promise<void>) }, policy)
      const signed = new Map<
        number,
        { at: number; of: string; gas: bigint; payments: { to: string; amount: bigint }[] }
      >()
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
      for (const { at } of signed.values()) {
        const day = [...signed.values()].filter(each => each.at <= at && each.at > at - DAY)
        const sum = (to?: string) =>
          day.flatMap(each => each.payments).reduce((sum, each) => sum + (to && each.to !== to ? 0n : each.amount), 0n)
        assert.ok(sum() <= 35n, `${sum()} in all without a release`)
        for (const to of receivers) assert.ok(sum(to) <= 20n, `${sum(to)} to ${to} without a release`)
        assert.ok(day.reduce((sum, each) => sum + each.gas, 0n) <= 25n)
      }
      for (const end of scope) await end()
    }),
    { numRuns: 40 },
  )
})

test('a release signs one payout, however often and wherever it is sent at once', async t => {
  const passkeys = { ...site, above: { [USDT]: 20n }, aboveInAll: {} }
  const { send } = await signerOn(t, policyOf({ single: 100n, daily: 10_000n }, { passkeys }))
  const [to, amount] = [receivers[0]!, '90']
  const challenge = challengeOf({ id: 'W1', chain: 'eth', token: USDT, to, amount })
  const release = { id: 'W1', ...key.sign({ challenge }).response }
  const lines = Array.from({ length: 20 }, (_, nonce) => signs(pays(nonce, 90n, to, { release })))
  const answers = (await Promise.all([send(lines.slice(0, 10)), send(lines.slice(10))])).flat()
  assert.equal(signedOf(answers), 1)
  assert.deepEqual(new Set(answers.map(each => each.refused)), new Set([undefined, 'passkey_used']))
})

test('asks for a passkey once split payouts pass the limit, singly and in a batch', async t => {
  const passkeys = { ...site, above: { [USDT]: 1_000n }, aboveInAll: { [USDT]: 2_500n } }
  const { send } = await signerOn(t, policyOf({ single: 10_000n, daily: 1_000_000n }, { passkeys }))
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
  const { send } = await signerOn(t, policyOf({ single: 100n, daily: 1_000n }))
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
  const { send, record } = await signerOn(t, policyOf({ single: 100n, daily: 1_000n }))
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
