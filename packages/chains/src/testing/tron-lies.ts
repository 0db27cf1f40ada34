import assert from 'node:assert/strict'
import { Consumer } from '../conformance-consumer.ts'
import { defineSandboxChain, tron } from '../definitions.ts'
import { computeKeccakHex } from '../evm/encoding.ts'
import { EVM_ANSWER_SHAPES, type FieldShape } from '../evm/fields.ts'
import { createSeededRandom, type Random } from '../fake/random.ts'
import { parseHexBytes } from '../hex.ts'
import { nodeTransport } from '../nodes/transport.ts'
import { TronChain } from '../tron/chain.ts'
import { TRON_ANSWER_SHAPES, type TronShape } from '../tron/fields.ts'
import { tronTxidOf } from '../tron/transaction.ts'
import { ACCOUNT_ANSWER_SHAPES, LOGS } from './account-answers.ts'
import { allHows, type FieldLie, type Place, placesIn, withLie } from './field-lies.ts'
import { creditedBy, textOf } from './lying-nodes.ts'
import {
  type MadeState,
  type MadeTron,
  type MadeTronBlock,
  madeEnergy,
  makeTronBlock,
  tronAnswerOf,
} from './made-tron.ts'

const token = `0x${'70'.repeat(20)}`
const [ours, others] = ['beef', 'cafe'].map(end => `0x${end.padStart(40, '0')}`) as [string, string]
const confirmations = 3
const definition = defineSandboxChain(tron, { chainId: 31_337, confirmations, blockTime: 3, tokens: [] })
/** Rounds of ten seconds in which everything must be read and decided, though a node fails and lies. */
const roundsMax = 30
/** A payout that is in no block: its bytes and its id. */
const raw = '0x0a0101'
const unsent = tronTxidOf(raw)

const { eth_getBalance, eth_call } = ACCOUNT_ANSWER_SHAPES
const shapes: Readonly<Record<string, FieldShape | TronShape>> = {
  ...TRON_ANSWER_SHAPES,
  eth_getBalance: eth_getBalance!,
  eth_call: eth_call!,
  eth_getLogs: LOGS,
  eth_getTransactionReceipt: EVM_ANSWER_SHAPES.eth_getTransactionReceipt,
}

/** A small chain with payments to us, and what honest nodes make of it. */
export type MadeTronChain = MadeState & { blocks: MadeTronBlock[]; wanted: string[] }

/**
 * Makes a chain whose third and fourth blocks have payments and failures. A payer may have added to one what the API
 * does not show.
 */
export function makeTronChain(seed: number): MadeTronChain {
  const random = createSeededRandom(seed)
  const made = (token: string | null, to: string, more: Partial<MadeTron> = {}): MadeTron => {
    return { token, to, amount: BigInt(1 + random.below(1e9)), result: 'SUCCESS', ...more }
  }
  const blocks: MadeTronBlock[] = []
  const wanted: string[] = []
  for (let n = 0; n < 4 + confirmations + 2; n++) {
    const isExtended = seed > 0 && random.chance(0.3)
    const paid =
      n !== 2 && n !== 3
        ? []
        : [
            made(token, `0x${'ee'.repeat(20)}`),
            made(null, ours, { isExtended }),
            made(token, ours, { result: 'REVERT' }),
            made(null, ours, { result: 'REVERT' }),
            made(token, others, { result: 'OUT_OF_ENERGY' }),
            made(token, ours),
          ]
    const block = makeTronBlock(blocks.at(-1) ?? null, paid, random)
    blocks.push(block)
    for (const [i, { token, to, amount, result }] of paid.entries()) {
      if (result !== 'SUCCESS' || to === paid[0]!.to) continue
      const { transactionHash, from } = block.receipts[i]!
      wanted.push(textOf([transactionHash, token, 0, to, amount, from, n, block.hash, block.time]))
    }
  }
  const balanceOf = (address: string) => (address === ours ? 5_000_000n : address === others ? 7n : 0n)
  return { blocks, wanted: wanted.sort(), token, balanceOf }
}

/** What a node answers in place of the truth; `other` is the answer about another block. */
export type TronLiar = (what: string, answer: unknown, other: unknown) => unknown

/** Tells the same lie in each answer of this kind that has the field. */
export const tronTelling =
  (about: string, lie: FieldLie): TronLiar =>
  (what, answer, other) =>
    what === about ? withLie(answer, lie, other) : answer

/**
 * Lies in another field, and in another way, in each answer: the same to the same question, so that a seed does the
 * same again.
 */
export function tronLyingAnywhere(salt: string): TronLiar {
  const counts = new Map<string, number>()
  return (what, answer, other) => {
    const shape = shapes[what]
    if (!shape || answer === null) return answer
    const question = `${salt} ${what} ${JSON.stringify(answer).slice(0, 300)}`
    const times = counts.get(question) ?? 0
    counts.set(question, times + 1)
    const random = createSeededRandom(
      parseHexBytes(computeKeccakHex(Buffer.from(`${question} ${times}`))).readUInt32BE(0),
    )
    return withLie(answer, { place: oneOf(random, placesIn(shape, answer)), how: oneOf(random, allHows) }, other)
  }
}

const oneOf = <T>(random: Random, all: readonly T[]): T => all[random.below(all.length)]!

/** The fields of every kind of answer, each once by its name, or wherever they are. */
export function tronPlaces(chain: MadeTronChain, once = true): { about: string; place: Place }[] {
  const { receipts, hash, number } = chain.blocks[2]!
  const txid = String(receipts[4]!.transactionHash)
  const data = `0x${ours.slice(2).padStart(72, '0')}`
  const bodies: Record<string, unknown> = {
    eth_getBlockByNumber: [`0x${number.toString(16)}`],
    eth_getLogs: [{ blockHash: hash }],
    eth_getTransactionReceipt: [receipts[5]!.transactionHash],
    eth_getBalance: [ours],
    eth_call: [{ data }],
    '/wallet/getblockbylimitnext': { startNum: 1, endNum: 4 },
    '/wallet/getblockbyid': { value: hash.slice(2) },
  }
  const body = {
    value: txid.slice(2),
    num: number,
    address: `41${ours.slice(2)}`,
    data: data.slice(2),
    transaction: '',
  }
  return Object.entries(shapes).flatMap(([about, shape]) => {
    const answer = answerOf(chain, about, bodies[about] ?? body)
    if (answer === null || answer === undefined) return []
    const places = placesIn(shape, answer)
    const named = once ? [...new Map(places.map(each => [each.name, each])).values()] : places
    return named.map(place => ({ about, place }))
  })
}

/** An honest node's answer; null for what nodes of TRON are not queried for. */
function answerOf(state: MadeState, what: string, params: unknown): unknown {
  if (what === '/wallet/broadcasthex') return { result: true, txid: unsent.slice(2) }
  return tronAnswerOf(state, what, params) ?? null
}

export type TronRun = {
  /** What each node answers; null is the truth. */
  nodes: readonly (TronLiar | null)[]
  /** Whether the chain is read by ranges, or block by block as it grows. */
  catchingUp: boolean
}

/**
 * Follows a chain through nodes until all is confirmed, decides payouts and reads balances. Throws AssertionError if
 * anything is lost, doubled, invented or misdated, if anything is never decided, and if an honest node is blamed.
 * Returns how often nodes were queried for what until all was credited.
 */
export async function followTron(
  made: MadeTronChain,
  { nodes, catchingUp }: TronRun,
): Promise<{ calls: Map<string, number> }> {
  const { blocks, wanted } = made
  let height = catchingUp ? blocks.length : 1
  let now = 0
  const errors: string[] = []
  const counts = new Map<string, number>()
  const { send } = nodeTransport
  nodeTransport.send = async (url, _, body) => {
    const [, at, ...path] = new URL(url).pathname.split('/')
    const liar = nodes[Number(at)]!
    const state = { ...made, blocks: blocks.slice(0, height) }
    const told = (what: string, params: unknown) => {
      counts.set(what, (counts.get(what) ?? 0) + 1)
      const truth = answerOf(state, what, params)
      return liar ? (liar(what, truth, otherOf(state, what, params)) ?? null) : truth
    }
    const one = ({ id, method, params }: { id: number; method: string; params: unknown }) => {
      return { jsonrpc: '2.0', id, result: told(method, params) }
    }
    const question = JSON.parse(body)
    if (path[0] !== 'jsonrpc') return { status: 200, text: JSON.stringify(told(`/${path.join('/')}`, question)) }
    return { status: 200, text: JSON.stringify(Array.isArray(question) ? question.map(one) : one(question)) }
  }
  try {
    const urls = nodes.map((_, i) => `http://stand-in.invalid/${i}`)
    const endpoints = urls.map(http => ({ url: `${http}/jsonrpc`, urls: { http } }))
    const onError = (url: string, { message }: Error) => errors.push(`${url} ${message}`)
    // Time goes on with each look at it, so that penalties end.
    const chain = new TronChain(definition, { endpoints, now: () => ++now, onError, onDiffers: onError as never })
    const isOurs = (to: string) => to === ours || to === others
    const consumer = new Consumer(chain, { tokens: [token], native: true, isOurs }, 1)
    const untilDone = async (what: string, attempt: () => Promise<boolean>) => {
      for (let round = 0; !(await attempt()); round++) {
        assert.ok(round < roundsMax, `${what} is never done: ${errors.slice(-8).join('; ')}`)
        now += 10_000
      }
    }
    await untilDone('following', async () => {
      await consumer.catchUp()
      const isDone = height === blocks.length && consumer.final >= 4
      height = Math.min(blocks.length, height + 1)
      return isDone
    })
    assert.deepEqual(creditedBy(consumer), wanted)
    assert.ok(!consumer.halted, 'halted')
    const calls = new Map(counts)
    await decidePayouts(chain, made, untilDone)
    await readAccounts(chain, made, untilDone)
    const blamed = errors.find(error => nodes.some((liar, i) => !liar && error.startsWith(`${endpoints[i]!.url} `)))
    assert.equal(blamed, undefined, 'an honest node is blamed')
    return { calls }
  } finally {
    nodeTransport.send = send
  }
}

/** What the same question has for an answer about another block. */
function otherOf(state: MadeState, what: string, params: unknown): unknown {
  const { blocks } = state
  const other = blocks[2] ?? blocks[0]!
  const more = blocks[3] ?? other
  const text = JSON.stringify(params)
  const { number, hash, infos, receipts } =
    text.includes(other.hash.slice(2)) || text.includes(`"num":${other.number}`) ? more : other
  if (what === 'eth_getTransactionReceipt') return receipts.at(-2) ?? null
  if (/infobyid$/.test(what)) return infos.at(-2) ?? {}
  if (!/[bB]lock|Logs/.test(what)) return undefined
  const otherParams = what === 'eth_getLogs' ? [{ blockHash: hash }] : [`0x${number.toString(16)}`]
  const body = { value: hash.slice(2), num: number, startNum: 1, endNum: 2 }
  return answerOf(state, what, what.startsWith('/') ? body : otherParams)
}

type Until = (what: string, attempt: () => Promise<boolean>) => Promise<void>

/** Settles our transactions as payouts are, and finds out that one was never in a block. */
async function decidePayouts(chain: TronChain, { blocks }: MadeTronChain, untilDone: Until): Promise<void> {
  const expired = blocks[3]!.time * 1_000 + 60_000
  for (const { receipts, infos, hash } of blocks.slice(2, 4)) {
    for (const [i, truth] of receipts.entries()) {
      const txid = String(truth.transactionHash)
      await untilDone(`payout ${i}`, async () => {
        const { isDropped } = await chain.expiring.whetherDropped(txid, expired)
        assert.ok(!isDropped, `payout ${i} is called dropped`)
        for (const place of await chain.placesOf(txid).catch(() => [])) {
          const receipt = await chain.expiring.certainReceipt(txid, place).catch(() => null)
          if (!receipt) continue
          assert.equal(receipt.blockHash, hash)
          assert.equal(receipt.status, truth.status === '0x1' ? 'success' : 'reverted', `status of payout ${i}`)
          assert.equal(receipt.isOutOfEnergy ?? false, i === 4, `energy of payout ${i}`)
          assert.equal(receipt.fee, BigInt(infos[i]!.fee as number))
          const amounts = (truth.logs as { data: string }[]).map(each => BigInt(each.data))
          assert.deepEqual(
            receipt.transfers.map(each => each.amount),
            amounts,
          )
          return true
        }
        return false
      })
    }
  }
  await untilDone('a dropped payout', async () => (await chain.expiring.whetherDropped(unsent, expired)).isDropped)
  const { accepted, txid } = await chain.expiring.send(raw)
  assert.deepEqual([accepted, txid], [true, unsent])
}

/** Reads what decides payouts, sweeps and comparisons with the ledger. */
async function readAccounts(chain: TronChain, { balanceOf }: MadeTronChain, untilDone: Until): Promise<void> {
  const { expiring } = chain
  const addresses = [ours, others]
  const truth = addresses.map(balanceOf)
  const none = () => null
  for (const asset of [token, null])
    await untilDone('balances', async () => {
      const found = await chain.certainBalances(asset, addresses).catch(() => addresses.map(none))
      for (const [i, balance] of found.entries()) assert.ok(balance === null || balance === truth[i], 'a wrong balance')
      return !found.includes(null)
    })
  await untilDone('settled balances', async () => {
    const found = (await chain.recentBalances(addresses).catch(none))?.balances ?? addresses.map(none)
    for (const [i, balance] of found.entries()) assert.ok(balance === null || balance === truth[i], 'a wrong balance')
    return !found.includes(null)
  })
  const { price, left } = madeEnergy
  const limits: [what: string, ask: () => Promise<bigint | null>, wanted: bigint][] = [
    [
      'limit',
      () => expiring.feeLimitFor({ from: ours, token, to: others, amount: 1n }),
      BigInt((64_000 * price * 5) / 4),
    ],
    [
      'dear limit',
      () => expiring.feeLimitFor({ from: ours, token, to: others, amount: 1n }, true),
      BigInt((64_000 * 2 * price * 5) / 4),
    ],
    ['limit of TRX', () => expiring.feeLimitFor({ from: ours, token: null, to: others, amount: 1n }), 0n],
    ['energy', () => expiring.energyOf(ours), BigInt(left * price)],
    ['stake', () => expiring.stakeFor(ours, BigInt(20 * price)), 3_174_444n],
  ]
  for (const [what, ask, wanted] of limits)
    await untilDone(what, async () => {
      const found = await ask().catch(none)
      assert.ok(found === null || found === wanted, `${what} ${found}`)
      return found !== null
    })
}

/** Follows a chain drawn from a seed through three nodes of which one lies. Throws as `followTron` does. */
export async function liveTronLies(seed: number): Promise<void> {
  const chain = makeTronChain(seed)
  const random = createSeededRandom(seed)
  const first = random.below(3)
  const liar = random.chance(0.5) ? tronLyingAnywhere(String(seed)) : oneLie(chain, random)
  await followTron(chain, { nodes: [0, 1, 2].map(at => (at === first ? liar : null)), catchingUp: random.chance(0.5) })
}

function oneLie(chain: MadeTronChain, random: Random): TronLiar {
  const { about, place } = oneOf(random, tronPlaces(chain, false))
  return tronTelling(about, { place, how: oneOf(random, allHows) })
}
