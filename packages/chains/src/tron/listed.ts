import type { BlockRef } from '../chain.ts'
import { refOf } from '../jsonrpc/answers.ts'

/** A block with the ids of its transactions, without 0x, as the Ethereum-like interface has it. */
export type Listed = BlockRef & { ids: string[] }

/** A node whose two interfaces do not say the same. Thrown while its answer is read, it makes the next node be asked. */
export class Contradiction extends Error {
  override name = 'Contradiction'
}

export function listOf(header: BlockRef & { transactions: unknown[] }): Listed {
  return { ...refOf(header), ids: header.transactions.map(id => String(id).slice(2).toLowerCase()) }
}

/** A question asked within the reading of an answer: its failure is not the fault of the node whose answer is read. */
export async function within<T>(asking: Promise<T>): Promise<T | Error> {
  return asking.catch((error: Error) => {
    if (error instanceof Contradiction) throw error
    return error
  })
}

/** What was found, or the failure of a question within. */
export function orThrow<T>(found: T | Error): T {
  if (found instanceof Error) throw found
  return found
}
