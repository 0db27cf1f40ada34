import type { BlockRef, Transfer, TransferFilter } from '../chain.ts'
import { type RawLog, readHash } from './answers.ts'

/** keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const WORD = 66

/** `present` holds, for each token, the numbers of the blocks in which it has transfers, ours or not. */
export type Picked = { transfers: Transfer[]; present: Map<string, Set<number>>; scanned: number }

/**
 * Picks the transfers to us out of the Transfer logs of some blocks. This is the hot path: of a log that is not ours
 * only its shape is checked and its receiver looked up.
 * @param logs what the node answered, in the order of the chain
 * @param blockOf the block that a log must belong to, by its number; undefined for a block that was not asked for
 * @throws Error when a log is malformed, out of order, of another contract or of another block: the node's answer is bad
 */
export function pickTransfers(
  chain: string,
  logs: RawLog[],
  filter: TransferFilter,
  blockOf: (number: number) => BlockRef | undefined,
): Picked {
  const present = new Map(filter.tokens.map(token => [token, new Set<number>()]))
  const { isOurs, mayBeOurs } = filter
  const found: Transfer[] = []
  const ordinals = new Map<string, number>()
  let numberText = ''
  let block: BlockRef | undefined
  let lastIndex = -1
  let txid = ''
  let token = ''

  for (const log of logs) {
    if (log.blockNumber !== numberText) {
      const before = block
      block = blockOf(Number.parseInt(log.blockNumber, 16))
      if (before && block && block.number <= before.number) throw new Error('logs out of order')
      numberText = log.blockNumber
      lastIndex = -1
    }
    if (!block || log.blockHash !== block.hash || log.removed) throw new Error('a log of another block')
    const logIndex = Number.parseInt(log.logIndex, 16)
    if (!(logIndex > lastIndex)) throw new Error('logs out of order')
    const contract = log.address.toLowerCase()
    const topics = log.topics
    if (contract !== token || lastIndex < 0) {
      const blocks = /* guard: contract-of-log */ present.get(contract) /* end */
      if (!blocks) throw new Error('a log that was not asked for')
      blocks.add(block.number)
      token = contract
    }
    lastIndex = logIndex
    if (topics[0] !== TRANSFER) throw new Error('a log that was not asked for')
    const [, from, to] = topics
    if (topics.length !== 3 || from!.length !== WORD || to!.length !== WORD || log.data.length !== WORD) {
      throw new Error('a malformed Transfer log')
    }

    if (log.transactionHash !== txid) {
      txid = log.transactionHash
      ordinals.clear()
    }
    // guard: ordinal
    const ordinal = ordinals.get(token) ?? 0
    ordinals.set(token, ordinal + 1)

    if (mayBeOurs && !mayBeOurs(to!)) continue
    const receiver = `0x${to!.slice(26)}`.toLowerCase()
    if (!isOurs(receiver)) continue
    // guard: amount-of-log
    const amount = BigInt(log.data)
    if (amount === 0n) continue
    found.push({
      chain,
      // A deposit is known by it: as another node writes it, it must be the same.
      txid: readHash(txid),
      blockNumber: block.number,
      blockHash: block.hash,
      blockTime: block.time,
      logIndex,
      ordinal,
      token,
      from: `0x${from!.slice(26)}`.toLowerCase(),
      to: receiver,
      amount,
    })
  }
  return { transfers: found, present, scanned: logs.length }
}
