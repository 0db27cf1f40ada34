import { encodeQuantity } from '../evm/calls.ts'
import type { JsonObject } from '../evm/encoding.ts'

/** Wrong answers of a node about a block that it has. */
export const lies = [
  'cut',
  'amount',
  'receiver',
  'time',
  'position',
  'invented',
  'doubled',
  'sender',
  'wide event',
  'wide sender',
  'wide receiver',
  'wide contract',
  'wide data',
] as const
export type Lie = (typeof lies)[number]

const word = (digits: string) => `0x${digits.padStart(64, '0')}`
/**
 * Replaces the last digit by a wider character with the same low byte: a decoder that cuts characters to bytes reads
 * the same bytes, and whoever compares texts another value.
 */
const wide = (hex: unknown) => String(hex).replace(/.$/, digit => String.fromCharCode(digit.charCodeAt(0) + 0x1_00))
const somebody = `0x${'ab'.repeat(20)}`

/** Returns the answer of a node that lies in this way, in place of a result. */
export function lied(lie: Lie, method: string, result: unknown): unknown {
  if (result === null) return result
  if (method === 'eth_getBlockReceipts') return (result as JsonObject[]).map(each => receipt(lie, each))
  if (method === 'eth_getTransactionReceipt') return receipt(lie, result as JsonObject)
  if (!method.startsWith('eth_getBlockBy')) return result
  const block = result as JsonObject
  const transactions = (block.transactions as (JsonObject | string)[]).map(tx =>
    typeof tx === 'string' ? tx : sent(lie, tx),
  )
  const timestamp = lie === 'time' ? encodeQuantity(Number(block.timestamp) + 86_400) : block.timestamp
  return { ...block, timestamp, transactions: lie === 'cut' ? transactions.slice(1) : transactions }
}

function sent(lie: Lie, tx: JsonObject): JsonObject {
  if (lie === 'amount') return { ...tx, value: encodeQuantity(BigInt(String(tx.value)) + 1n) }
  // Money that moves between our addresses brings none.
  if (lie === 'sender') return { ...tx, from: tx.to }
  if (lie === 'wide receiver') return { ...tx, to: tx.to && wide(tx.to) }
  if (lie === 'wide sender') return { ...tx, from: wide(tx.from) }
  if (lie === 'wide data') return { ...tx, input: wide(tx.input), value: wide(tx.value) }
  return lie === 'receiver' ? { ...tx, to: somebody } : tx
}

function receipt(lie: Lie, each: JsonObject): JsonObject {
  const logs = each.logs as JsonObject[]
  const [first] = logs
  if (!first) return each
  return { ...each, logs: changed(lie, first, logs) }
}

function changed(lie: Lie, first: JsonObject, logs: JsonObject[]): JsonObject[] {
  const topics = first.topics as string[]
  switch (lie) {
    case 'cut':
      return logs.slice(1)
    case 'amount':
    case 'invented': {
      const other = { ...first, data: word((BigInt(String(first.data)) * 2n).toString(16)) }
      return lie === 'amount' ? [other, ...logs.slice(1)] : [other, ...logs]
    }
    case 'receiver':
      return [{ ...first, topics: [topics[0], topics[1], word(somebody.slice(2))] }, ...logs.slice(1)]
    case 'sender':
      return logs.map(each => {
        const [event, , to] = each.topics as string[]
        return to === undefined ? each : { ...each, topics: [event, to, to] }
      })
    case 'position':
      return [...logs.slice(1), first]
    case 'doubled':
      return [first, ...logs]
    case 'time':
      return logs
    case 'wide event':
    case 'wide sender':
    case 'wide receiver': {
      const at = ['wide event', 'wide sender', 'wide receiver'].indexOf(lie)
      return logs.map(each => ({
        ...each,
        topics: (each.topics as string[]).map((topic, i) => (i === at ? wide(topic) : topic)),
      }))
    }
    case 'wide contract':
      return logs.map(each => ({ ...each, address: wide(each.address) }))
    case 'wide data':
      return logs.map(each => ({ ...each, data: wide(each.data) }))
  }
}
