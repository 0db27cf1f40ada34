/** How far a chain was read. Times in unix seconds. */
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
  /** Unconfirmed amount of the payment. */
  pending: bigint
  /** The sum of its unconfirmed deposits. */
  seen: bigint
  /** Whether one of them came in time. */
  seenInTime: boolean
  /** The chains that were chosen for it, those its payer left included. */
  chains: readonly ChainReading[]
}

/** How long a chain that is no longer configured keeps its payments open: it may have been left out by mistake. */
const unwatchedSeconds = 86_400

/**
 * The last second whose blocks have all been read, in unix seconds; 0 for none. The last block's own second is not
 * complete: several blocks may share it. In the sandbox a chain at its tip is complete up to when it was read.
 * @param now unix seconds
 */
export function readThrough(chain: ChainReading, now: number): number {
  const unwatched = chain.enabled ? 0 : now - unwatchedSeconds
  // guard: chain-read
  if (chain.halted) return unwatched
  if (!chain.sandbox) return Math.max(unwatched, chain.lastTime - 1)
  return Math.max(unwatched, chain.lastTime, chain.atTip ? chain.readAt : 0)
}

/**
 * Whether a payment times out: its time is over, no deposit that came in time is unconfirmed, and every chain chosen
 * for it was read to the end of its time, since unread blocks may hold money sent in time. `pending` above `seen` means
 * that its deposits are changing; then it stays open.
 * @param now unix seconds
 */
export function hasTimedOut({ expireAt, pending, seen, seenInTime, chains }: Expiring, now: number): boolean {
  if (seenInTime || now < expireAt || pending > seen) return false
  return chains.every(chain => expireAt <= readThrough(chain, now))
}
