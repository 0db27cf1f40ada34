/** How far a chain was read, as far as it decides which payments time out. Times in unix seconds. */
export interface ChainReading {
  /** Whether it is configured. */
  enabled: boolean
  halted: boolean
  /** A sandbox chain stands still between its transactions. */
  sandbox: boolean
  /** The time of the last block that was applied. */
  lastTime: number
  /** When a node last answered. */
  readAt: number
  /** Whether the last block that was applied is the newest one of the nodes. */
  atTip: boolean
}

/** What decides whether a payment times out. */
export interface Expiring {
  expireAt: number
  /** What is on its way by the payment and, as their sum, by its deposits. */
  pending: bigint
  seen: bigint
  /** Whether some of it came in time. */
  seenInTime: boolean
  /** The chains that were chosen for it, those its payer left included. */
  chains: readonly ChainReading[]
}

/** How long a chain that is configured no more keeps its payments open: it may have been left out by mistake. */
const unwatchedSeconds = 86_400

/**
 * The last second that a chain was read to the end of: payments on it that ended by then have all their money. Several blocks
 * may be of the last one's second; in the sandbox, being at the tip is enough. 0 when the chain keeps all payments open.
 * @param now unix seconds
 */
export function readThrough(chain: ChainReading, now: number): number {
  const unwatched = chain.enabled ? 0 : now - unwatchedSeconds
  if (chain.halted) return unwatched
  if (!chain.sandbox) return Math.max(unwatched, chain.lastTime - 1)
  return Math.max(unwatched, chain.lastTime, chain.atTip ? chain.readAt : 0)
}

/**
 * Whether the time of a payment is over and nothing in time is on its way. Its chains keep it open until they are read: what
 * was sent in time may be in blocks that are still unread. So does money on its way that its deposits do not show: they
 * are changing.
 * @param now unix seconds
 */
export function hasTimedOut({ expireAt, pending, seen, seenInTime, chains }: Expiring, now: number): boolean {
  if (now < expireAt || seenInTime || pending > seen) return false
  return chains.every(chain => expireAt <= readThrough(chain, now))
}
