/** A payment that an address was given to, from `since` (unix seconds) on. */
export interface Lease {
  tradeNo: string
  since: number
}

/** A payment that one exact amount at a fixed address was reserved for, up to and including `until`. */
export interface Reservation extends Lease {
  until: number
}

/** Seconds that a chain's clock may be behind ours: the time of a block is that of its beginning. */
const clockSeconds = 60

/**
 * The payment that money at a leased address belongs to: the one whose lease had begun when the block was made, or the
 * first one where the chain's clock is behind ours. Null when the address was never leased.
 * @param blockTime unix seconds
 */
export function paymentAtLeased(leases: readonly Lease[], blockTime: number): string | null {
  const inOrder = leases.toSorted((a, b) => a.since - b.since)
  const begun = inOrder.findLast(each => /* guard: lease-at-block */ each.since <= blockTime /* end */)
  return (begun ?? inOrder[0])?.tradeNo ?? null
}

/**
 * The payment that an exact amount at a fixed address belongs to, or null: it was reserved at the block's time, or is within
 * a minute of it. One whose reservation had begun comes first, then the latest one.
 * @param reservations those of the amount
 * @param blockTime unix seconds
 */
export function paymentAtFixed(reservations: readonly Reservation[], blockTime: number): string | null {
  const open = reservations
    .filter(each => each.since - clockSeconds <= blockTime && blockTime <= each.until)
    .toSorted((a, b) => a.since - b.since)
  return (open.findLast(each => each.since <= blockTime) ?? open.at(-1))?.tradeNo ?? null
}
