/**
 * Words by which nodes report that they have a transaction already: geth, bor, erigon and reth "already known", erigon also "existing tx
 * with same hash", nethermind "AlreadyKnown", besu "Known transaction", OpenEthereum and its successors "already imported".
 */
const KNOWN = /already[ _]?known|known[ _]transaction|already[ _]imported|already exists|already in the pool|same hash/i

/** Whether the refusal of a broadcast means that the node has the transaction. */
export const isKnown = (message: string): boolean => KNOWN.test(message) && !/unknown[ _]transaction/i.test(message)
