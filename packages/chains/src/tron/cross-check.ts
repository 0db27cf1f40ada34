import type { BlockRef } from '../chain.ts'
import { readHash, readList, refOf } from '../evm/responses.ts'
import { InterfaceMismatch } from '../nodes/nodes.ts'

/** A block with its transaction ids, without 0x, from the JSON-RPC interface. */
export type BlockTxids = BlockRef & { txids: string[] }

/** Reads the transaction ids of a header. */
export function txidsOf(header: BlockRef, transactions: unknown): BlockTxids {
  return { ...refOf(header), txids: readList(transactions).map(id => readHash(id).slice(2)) }
}

/**
 * Returns the error of a nested request as a value: thrown, it would be blamed on the node whose response is being read. An
 * InterfaceMismatch is thrown.
 */
export async function errorAsValue<T>(request: Promise<T>): Promise<T | Error> {
  return request.catch((error: Error) => {
    if (error instanceof InterfaceMismatch) throw error
    return error
  })
}

/** Throws an error that `errorAsValue` returned; returns any other value. */
export function orThrow<T>(value: T | Error): T {
  if (value instanceof Error) throw value
  return value
}
