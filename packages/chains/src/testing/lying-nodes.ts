import assert from 'node:assert/strict'
import type { Receipt } from '../chain.ts'
import { Consumer } from '../conformance-consumer.ts'
import { defineSandboxChain, ethereum } from '../definitions.ts'
import { EvmChain } from '../evm/chain.ts'
import { EVM_ANSWER_SHAPES } from '../evm/fields.ts'
import { createSeededRandom } from '../fake/random.ts'
import type { AnswerDifference } from '../nodes/nodes.ts'
import { nodeTransport } from '../nodes/transport.ts'
import { type FieldLie, type Place, placesIn, withLie } from './field-lies.ts'
import { answerOf, type MadeBlock, type MadePayment, madeTypes, makeBlock } from './made-blocks.ts'

const token = `0x${'70'.repeat(20)}`
const [ours, others] = ['beef', 'cafe'].map(end => `0x${end.padStart(40, '0')}`) as [string, string]
const confirmations = 3
const definition = defineSandboxChain(ethereum, { chainId: 31_337, confirmations, blockTime: 1, tokens: [] })
/** Rounds of a second in which everything must be credited, though nodes fail and lie. */
const roundsMax = 30

/** A small chain with payments to us, and what honest nodes make of it. */
export type MadeChain = { blocks: MadeBlock[]; wanted: string[] }

/** Makes a chain whose third block has payments and transactions of many types, and whose fourth has other payments. */
export async function makeChain(seed: number): Promise<MadeChain> {
  const random = createSeededRandom(seed)
  const amount = () => BigInt(1 + random.below(1e9))
  const blocks: MadeBlock[] = []
  const wanted: string[] = []
  const types = seed === 0 ? madeTypes : madeTypes.filter(() => random.chance(0.4))
  for (let n = 0; n < 4 + confirmations; n++) {
    const payments: MadePayment[] = [
      [
        { token, to: ours, amount: amount() },
        { token, to: others, amount: amount() },
      ],
      [{ token: null, to: ours, amount: amount() }],
    ]
    const paid = n === 2 || n === 3 ? payments : []
    const block = await makeBlock(blocks.at(-1) ?? null, { payments: paid, types: n === 2 ? types : [], random })
    blocks.push(block)
    const { transactions, number, hash, timestamp } = block.block as Record<string, string> & {
      transactions: Record<string, string>[]
    }
    for (const [i, payment] of paid.entries()) {
      const tx = transactions.at(i - paid.length)!
      for (const [ordinal, { token, to, amount }] of payment.entries())
        wanted.push(textOf([tx.hash, token, ordinal, to, amount, tx.from, Number(number), hash, Number(timestamp)]))
    }
  }
  return { blocks, wanted: wanted.sort() }
}

export const textOf = (values: unknown[]) => values.map(String).join(' ')

/** What was credited, as texts in order. */
export const creditedBy = ({ credited }: Consumer): string[] =>
  [...credited.values()]
    .map(each =>
      textOf([
        each.txid,
        each.token,
        each.ordinal,
        each.to,
        each.amount,
        each.from,
        each.blockNumber,
        each.blockHash,
        each.blockTime,
      ]),
    )
    .sort()

export const isAboutReceipts = (method: string) => /Receipt/.test(method)

/** The fields of the answers about the block that has transactions of many types. */
export function placesOf({ blocks }: MadeChain): { receipts: boolean; place: Place }[] {
  const { block, receipts } = blocks[2]!
  return [
    ...placesIn(EVM_ANSWER_SHAPES.eth_getBlockByHash, block).map(place => ({ receipts: false, place })),
    ...placesIn(EVM_ANSWER_SHAPES.eth_getBlockReceipts, receipts).map(place => ({ receipts: true, place })),
  ]
}

/** What a node answers in place of the truth; `other` is the answer about another block. */
export type Liar = (method: string, answer: unknown, other: unknown) => unknown

/** Tells the same lie about a field in each answer that has it. */
export const telling =
  ({ receipts, lie }: { receipts: boolean; lie: FieldLie }): Liar =>
  (method, answer, other) => {
    if (answer === null || receipts !== isAboutReceipts(method)) return answer
    // A single receipt is an item of the list.
    return withLie(answer, lie, other, receipts && !Array.isArray(answer) ? 1 : 0)
  }

export type Run = {
  /** What each node answers; null is the truth. */
  nodes: readonly (Liar | null)[]
  roots: boolean
  /** See the definition of a chain. */
  unrootedEvery?: number
  /** Whether the chain is read by ranges, or block by block as it grows. */
  catchingUp: boolean
  /** Whether nodes have only single receipts. */
  single?: boolean
}

/**
 * Follows a chain through nodes until all is confirmed, and reads our transactions as those of payouts are. Throws
 * AssertionError if anything is lost, doubled, invented or misdated, if following stops, and if an honest node is
 * blamed. Returns what is told of nodes that differ, and how often nodes were queried for what until all was credited.
 */
export async function follow(
  { blocks, wanted }: MadeChain,
  { nodes, catchingUp, single = false, ...rooted }: Run,
): Promise<{ differing: string[]; calls: Map<string, number> }> {
  let height = catchingUp ? blocks.length : 1
  let now = 0
  const errors: string[] = []
  const differing: string[] = []
  const counts = new Map<string, number>()
  const { send } = nodeTransport
  nodeTransport.send = async (url, _, body) => {
    const visible = blocks.slice(0, height)
    const liar = nodes[Number(new URL(url).pathname.slice(1))]!
    const answer = ({ id, method, params }: { id: number; method: string; params: unknown[] }) => {
      if (single && method === 'eth_getBlockReceipts')
        return { id, error: { code: -32_601, message: 'no such method' } }
      counts.set(method, (counts.get(method) ?? 0) + 1)
      const truth = answerOf(visible, method, params)
      const other = blocks[params[0] === blocks[3]!.header.hash || params[0] === blocks[3]!.header.number ? 2 : 3]!
      const about = isAboutReceipts(method) ? other.receipts : params[1] ? other.block : other.header
      return { jsonrpc: '2.0', id, result: liar ? (liar(method, truth, about) ?? null) : truth }
    }
    const calls = JSON.parse(body)
    return { status: 200, text: JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls)) }
  }
  try {
    const endpoints = nodes.map((_, i) => ({ url: `http://stand-in.invalid/${i}` }))
    // Time goes on with each look at it, so that penalties end.
    const onError = (url: string, { message }: Error) => errors.push(`${url} ${message}`)
    const onDiffers = (url: string, difference: AnswerDifference) => differing.push(`${url} ${difference.join(' ')}`)
    const chain = new EvmChain({ ...definition, ...rooted }, { endpoints, now: () => ++now, onError, onDiffers })
    const filter = { tokens: [token], native: true, isOurs: (to: string) => to === ours || to === others }
    const consumer = new Consumer(chain, filter, 1)
    const isDone = () => height === blocks.length && consumer.final >= 4
    for (let round = 0; !isDone(); round++) {
      assert.ok(
        round < roundsMax,
        `stopped at block ${consumer.final}: ${consumer.pauses.slice(-5).join()} ${errors.slice(-8).join('; ')}`,
      )
      await consumer.catchUp()
      height = Math.min(blocks.length, height + 1)
      now += 1_000
    }
    assert.deepEqual(creditedBy(consumer), wanted)
    assert.ok(!consumer.halted, 'halted')
    const calls = new Map(counts)
    await readReceipts(chain, blocks)
    const blamed = [...errors, ...differing].find(error =>
      nodes.some((liar, i) => !liar && error.startsWith(`${endpoints[i]!.url} `)),
    )
    assert.equal(blamed, undefined, 'an honest node is blamed')
    return { differing, calls }
  } finally {
    nodeTransport.send = send
  }
}

/** Reads the receipts of our transactions as those of payouts are. */
async function readReceipts(chain: EvmChain, blocks: MadeBlock[]): Promise<void> {
  for (const { header, receipts } of blocks.slice(2, 4)) {
    const txid = String(receipts.at(-2)!.transactionHash)
    const logs = receipts.at(-2)!.logs as { data: string }[]
    let receipt: Receipt | null = null
    for (const place of await chain.placesOf(txid)) {
      const found = await chain.certainReceipt(txid, place)
      receipt ??= found
    }
    assert.equal(receipt?.blockHash, header.hash)
    assert.equal(receipt?.status, 'success')
    assert.equal(receipt?.gasUsed, BigInt(String(receipts.at(-2)!.gasUsed)))
    assert.deepEqual(
      receipt?.transfers.map(each => each.amount),
      logs.map(each => BigInt(each.data)),
    )
  }
}
