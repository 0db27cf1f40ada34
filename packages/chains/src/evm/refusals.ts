/**
 * Words by which nodes report that they have a transaction already: geth, bor and reth "already known", as newer besu
 * and nethermind say, too; erigon also "ALREADY_EXISTS: already known" and "existing tx with same hash", older
 * nethermind "AlreadyKnown", older besu "Known transaction", OpenEthereum and its successors "already imported".
 */
const KNOWN = /already[ _]?known|known[ _]transaction|already[ _]imported|already exists|already in the pool|same hash/i

/** Whether the refusal of a broadcast means that the node has the transaction. */
export const isAlreadyKnownMessage = (message: string): boolean =>
  KNOWN.test(message) && !/unknown[ _]transaction/i.test(message)
