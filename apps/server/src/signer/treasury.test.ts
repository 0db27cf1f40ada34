import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disperseContract, ethereum, sweeperOf } from '@coffer/chains'
import { signDelegation } from '@coffer/chains/evm/delegation.ts'
import { Disperse, Sweeper, Token } from '@coffer/chains/evm/generated/contracts.ts'
import { volume } from '@coffer/local/testing/full.ts'
import fc from 'fast-check'
import { type Abi, decodeFunctionData, type Hex, parseTransaction, recoverTransactionAddress } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { withSigner } from '../testing/signer-socket.ts'
import { Keys } from './keys.ts'
import { computeMaxFee, type SignerPolicy } from './policy.ts'
import { buildSignerPolicy, checkTreasuries, INITIAL_POLICY_LIMITS } from './policy-file.ts'
import type { SignedRawTransaction, SignRequest } from './protocol.ts'

const USDT = ethereum.tokens[0]!.contract
const whole = new Keys(new Uint8Array(64).fill(7))
const hot = whole.address('evm', 'hot')
const indexes = [0, 1, 2, 3]
const deposits = indexes.map(index => whole.address('evm', index))
const [treasury, thief] = ['c0', 'a1'].map(end => `0x${end.padStart(40, '0')}`) as [string, string]
const float = 10_000_000_000n
/** Each deposit address has as much as the hot wallet. */
const holders = [hot, ...deposits]
const eth = buildSignerPolicy([ethereum], INITIAL_POLICY_LIMITS).chains.eth!
const unlimited = { single: 10n ** 30n, daily: 10n ** 30n }
/** Limits of nothing but fees: the float alone holds. */
const policy: SignerPolicy = {
  daily: null,
  chains: { eth: { ...eth, assets: { native: unlimited, [USDT]: unlimited }, treasury, float: { [USDT]: float } } },
}
const fees = { gas: '60000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1000000000' }
const authorizations = await Promise.all(
  indexes.map(index =>
    signDelegation(whole.privateKey('evm', index), { chainId: 1, contract: sweeperOf(treasury).address, nonce: 0 }),
  ),
)

const index = fc.option(fc.constantFrom(...indexes))
const payment = fc.record({
  to: fc.constantFrom(thief, hot, treasury, ...deposits),
  amount: fc.constantFrom('1', String(float), String(float / 3n), String(2n * float)),
})
const head = { chain: fc.constant('eth'), nonce: fc.nat(12) }
const owners = fc.array(
  fc.record({ index: fc.constantFrom(...indexes), authorize: fc.constantFrom(null, 0, 1), signs: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
)
const token = fc.constantFrom(USDT, null)
const request = fc.oneof(
  fc.record({ ...head, kind: fc.constant('transfer'), token, index, payment }),
  fc.record({
    ...head,
    kind: fc.constant('batch'),
    token,
    payments: fc.array(payment, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ ...head, kind: fc.constant('approve'), token, amount: fc.constant(String(float)) }),
  fc.record({ ...head, kind: fc.constantFrom('sweep', 'gas', 'cancel'), token, index, payment }),
  fc.record({ ...head, kind: fc.constant('sweepMany'), token, owners }),
)
type Drawn = typeof request extends fc.Arbitrary<infer Of> ? Of : never

/** The line of a request, as whoever controls the server may write it. */
function lineOf(drawn: Drawn): SignRequest {
  if ('owners' in drawn) {
    const listed = drawn.owners.map(({ signs, ...each }) => {
      return signs ? { ...each, signature: authorizations[each.index]! } : each
    })
    return { ...fees, ...drawn, owners: listed } as SignRequest
  }
  if (!('payment' in drawn)) return { ...fees, ...drawn } as SignRequest
  const { payment, ...rest } = drawn
  if (drawn.kind === 'transfer') return { ...fees, ...rest, ...payment } as SignRequest
  const amount = drawn.kind === 'cancel' ? '0' : payment.amount
  const coin = drawn.kind === 'sweep' ? {} : { token: null }
  return { ...fees, ...rest, ...coin, to: null, amount } as SignRequest
}

/** What a thief does first: sweeps every address in every way, then pays himself from whatever may hold it. */
const robbery: SignRequest[] = (() => {
  const common = { chain: 'eth', ...fees, token: USDT }
  const amount = String(float)
  const many = indexes.map(index => ({ index, authorize: 0, signature: authorizations[index]! }))
  const keyed = indexes.map(index => ({ index, authorize: 0 }))
  return [
    ...indexes.map(index => ({ kind: 'sweep', ...common, nonce: 0, to: null, index, amount })),
    { kind: 'sweepMany', ...common, nonce: 0, owners: many },
    { kind: 'sweepMany', ...common, nonce: 1, owners: keyed },
    ...indexes.map(index => ({ kind: 'transfer', ...common, nonce: 20 + index, index, to: thief, amount })),
    ...holders.map((_, i) => ({ kind: 'transfer', ...common, nonce: 30 + i, index: null, to: thief, amount })),
    { kind: 'approve', ...common, nonce: 40, amount: String(10n * float) },
    { kind: 'batch', ...common, nonce: 41, payments: holders.map(() => ({ to: thief, amount })) },
  ] as SignRequest[]
})()

/** Plays signed transactions on a chain, each as soon as it can move something, and returns what everybody has then. */
async function play(signed: readonly SignedRawTransaction[]): Promise<Map<string, bigint>> {
  const has = new Map(holders.map(each => [each, float]))
  const of = (address: string) => has.get(address) ?? 0n
  const move = (from: string, to: string, amount: bigint) => {
    if (amount === 0n || of(from) < amount) return false
    has.set(from, of(from) - amount)
    return has.set(to, of(to) + amount) !== undefined
  }
  const delegated: { owner: string; to: string }[] = []
  const moves: { from: string; payments: { to: string; amount: bigint }[] }[] = []
  const sweepers = new Map([hot, treasury].map(each => [sweeperOf(each).address, each]))
  const decode = (abi: Abi, data: Hex) => decodeFunctionData({ abi, data }).args as never
  for (const { raw } of signed) {
    const from = (await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toLowerCase()
    const { to = '', data = '0x', authorizationList = [] } = parseTransaction(raw as `0x04${string}`)
    for (const authorization of authorizationList) {
      const owner = (await recoverAuthorizationAddress({ authorization })).toLowerCase()
      delegated.push({ owner, to: sweepers.get(authorization.address.toLowerCase())! })
    }
    const lower = (address: string) => address.toLowerCase()
    if (to === USDT && data.startsWith('0xa9059cbb')) {
      const [receiver, amount]: [string, bigint] = decode(Token.abi, data)
      moves.push({ from, payments: [{ to: lower(receiver), amount }] })
    } else if (to === disperseContract.address) {
      const [contract, all]: [string, { to: string; amount: bigint }[]] = decode(Disperse.abi, data)
      if (lower(contract) !== USDT) continue
      moves.push({ from, payments: all.map(each => ({ to: lower(each.to), amount: each.amount })) })
    } else if (to && sweepers.has(to)) decode(Sweeper.abi, data)
  }
  // Anybody may call Sweeper for whoever is delegated.
  const sweepAll = () => {
    for (const { owner, to } of delegated) move(owner, to, of(owner))
  }
  // First what fills the hot wallet, then what leaves it.
  moves.sort((a, b) => Number(a.from === hot) - Number(b.from === hot))
  sweepAll()
  for (const { from, payments } of moves) {
    if (payments.reduce((sum, each) => sum + each.amount, 0n) > of(from)) continue
    for (const { to, amount } of payments) move(from, to, amount)
    sweepAll()
  }
  return has
}

for (const [name, keys] of [
  ['a signer in vault mode', new Keys(whole.vault())],
  ['a signer with all keys', whole],
] as const)
  test(`who controls the server takes no more than the float from ${name}, by any requests`, async () => {
    const waves = fc.array(fc.array(fc.array(request, { minLength: 1, maxLength: 8 }), { maxLength: 3 }), {
      maxLength: 3,
    })
    await fc.assert(
      fc.asyncProperty(waves, all =>
        withSigner(keys, policy, async signer => {
          const signed = [] as SignedRawTransaction[]
          const costs = new Map<string, bigint>()
          for (const connections of [[robbery], ...all.map(wave => wave.map(lines => lines.map(lineOf)))]) {
            const answers = await Promise.all(
              connections.map(lines => signer.send(lines.map(line => ({ op: 'sign', request: line })))),
            )
            for (const [i, lines] of connections.entries())
              for (const [j, line] of lines.entries()) {
                const { result } = answers[i]![j]! as { result?: SignedRawTransaction }
                if (!result) continue
                signed.push(result)
                const key = `${result.from} ${line.nonce}`
                costs.set(key, computeMaxFee(line) > (costs.get(key) ?? 0n) ? computeMaxFee(line) : costs.get(key)!)
              }
          }
          const has = await play(signed)
          assert.ok((has.get(treasury) ?? 0n) >= float * BigInt(deposits.length), 'deposits go to the treasury')
          const ours = [treasury, ...holders].reduce((sum, each) => sum + (has.get(each) ?? 0n), 0n)
          const stolen = float * BigInt(holders.length) - ours
          assert.ok(stolen <= float, `${stolen} of ${float} were taken`)
          assert.ok([...costs.values()].reduce((sum, each) => sum + each, 0n) <= eth.fee.daily)
        }),
      ),
      { numRuns: volume(5, 12) },
    )
  })

test('a treasury is no wallet of the signer', () => {
  const of = (address: string | null): SignerPolicy => ({
    ...policy,
    chains: { eth: { ...policy.chains.eth!, treasury: address } },
  })
  for (const own of [hot, whole.address('evm', 'sweeper'), whole.address('evm', 0), whole.address('evm', 199)])
    assert.throws(() => checkTreasuries(of(own), whole), /treasury of eth is a wallet of this signer/)
  for (const other of [treasury, null]) checkTreasuries(of(other), whole)
})
