/** Read progress of a chain. Times are in unix seconds. */
export interface ChainReadProgress {
  /** Whether the chain is configured. */
  enabled: boolean
  halted: boolean
  /** Sandbox chains produce no blocks while idle. */
  sandbox: boolean
  /**
   * Time of the last applied block that is verified; where most nodes have to agree on contents, of the last final one.
   */
  lastTime: number
  /** Whether the payment asks for this chain's native coin. Coin from within contract calls shows only in balances. */
  native: boolean
  /** Time of the last block at which balances were compared. */
  comparedTime: number
  /** Time of the last response from a node. */
  readAt: number
  /** Whether the last applied block is the chain tip. */
  atTip: boolean
}

/** Input of the timeout decision. */
export interface PaymentExpiryInput {
  expireAt: number
  /** Unconfirmed amount stored with the payment. */
  pending: bigint
  /** Sum of the payment's unconfirmed deposits. */
  seen: bigint
  /** Whether any unconfirmed deposit was in time. */
  seenInTime: boolean
  /** All chains chosen for the payment, including previous choices. */
  chains: readonly ChainReadProgress[]
}

/**
 * Seconds for which a chain removed from the configuration keeps its payments open, in case it was removed by mistake.
 */
const unwatchedSeconds = 86_400

/**
 * Returns the last second whose blocks have all been read, in unix seconds; 0 for none. The second of the last block is
 * excluded, because several blocks may share a timestamp. A sandbox chain at its tip is complete up to its last
 * reading.
 * @param now unix seconds
 */
export function lastFullyReadSecondOf(chain: ChainReadProgress, now: number): number {
  const unwatched = chain.enabled ? 0 : now - unwatchedSeconds
  // guard: chain-read
  if (chain.halted) return unwatched
  // guard: compared-through
  const last = chain.native ? Math.min(chain.lastTime, chain.comparedTime) : chain.lastTime
  if (!chain.sandbox) return Math.max(unwatched, last - 1)
  return Math.max(unwatched, chain.lastTime, chain.atTip ? chain.readAt : 0)
}

/**
 * Reports whether a payment times out. It must be past its deadline without unconfirmed in-time deposits. Every chain
 * chosen for it must be read through the deadline, because unread blocks may contain in-time deposits. A payment with
 * `pending` above `seen` stays open, because its deposits are changing concurrently.
 * @param now unix seconds
 */
export function hasTimedOut({ expireAt, pending, seen, seenInTime, chains }: PaymentExpiryInput, now: number): boolean {
  if (seenInTime || now < expireAt || /* guard: changing-deposits */ pending > seen /* end */) return false
  return chains.every(chain => expireAt <= lastFullyReadSecondOf(chain, now))
}
