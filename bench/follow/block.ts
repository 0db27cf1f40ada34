import { gzipSync } from 'node:zlib'

/** Answers about a block, compressed: from the members of gzip that follow each other one text is made. */
export interface Block {
  number: number
  hash: string
  /** Transactions. */
  count: number
  /** By call, such as `eth_getBlockReceipts`; those with transactions in full are `full`, with their ids `header`. */
  answers: Record<string, Buffer>
  /** What single transactions are answered with, by call and id: only of deposits. */
  transactions: Record<string, Buffer>
}

/** Compresses a text, as nodes do for all but the shortest. */
export const packed = (text: string): Buffer => gzipSync(text, { level: 1 })

/** The start of an answer of JSON-RPC, which ends with an id. */
export const answerOf = (result: unknown): Buffer => packed(`{"jsonrpc":"2.0","result":${JSON.stringify(result)}`)

/** Quantity of JSON-RPC. */
export const quantity = (value: number | bigint): string => `0x${value.toString(16)}`
