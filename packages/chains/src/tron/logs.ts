import type { BlockRef, Scan, Transfer, TransferFilter } from '../chain.ts'
import { TRANSFER_TOPIC } from '../evm/decoding.ts'
import { type RawLog, readHash } from '../evm/responses.ts'
import { parseHexDigits } from '../hex.ts'

/**
 * Picks the transfers to us from Transfer logs. A hot path: of a log that is not ours, only the shape and the receiver
 * are checked.
 * @param logs a node's response, in chain order
 * @param blockOf returns the expected block at a height, or undefined for a block that was not requested
 * @throws Error if a log is malformed, out of order, of another contract or of another block
 */
export function pickTransfers(
  chain: string,
  logs: RawLog[],
  filter: TransferFilter,
  blockOf: (number: number) => BlockRef | undefined,
): Scan {
  const accepted = new Set(filter.tokens)
  const { isOurs, mayBeOurs } = filter
  const found: Transfer[] = []
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
    if (!block || log.blockHash !== block.hash || log.removed) throw new Error('log of another block')
    const logIndex = Number.parseInt(log.logIndex, 16)
    if (!(logIndex > lastIndex)) throw new Error('logs out of order')
    const contract = log.address.toLowerCase()
    const topics = log.topics
    if (contract !== token || lastIndex < 0) {
      if (!accepted.has(contract)) throw new Error('log was not requested')
      token = contract
    }
    lastIndex = logIndex
    if (topics[0] !== TRANSFER_TOPIC) throw new Error('log was not requested')
    if (topics.length !== 3) throw new Error('malformed Transfer log')
    const [from, to, data] = [topics[1], topics[2], log.data].map(readHash)
    txid = log.transactionHash
    if (mayBeOurs && !mayBeOurs(parseHexDigits(to!, 60))) continue
    const receiver = `0x${to!.slice(26)}`
    if (!isOurs(receiver)) continue
    const amount = BigInt(data!)
    if (amount === 0n) continue
    found.push({
      chain,
      // Part of the deposit's key, so it must not depend on how a node writes it.
      txid: readHash(txid),
      blockNumber: block.number,
      blockHash: block.hash,
      blockTime: block.time,
      logIndex,
      // Only logs of receipts have a position; others are compared, never credited.
      ordinal: log.position ?? -1,
      token,
      from: `0x${from!.slice(26)}`,
      to: receiver,
      amount,
    })
  }
  return { transfers: found, scanned: logs.length }
}
