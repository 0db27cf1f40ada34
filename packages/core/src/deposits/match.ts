/**
 * A payment that leases an address from `since` (unix seconds) on. `fits`: the deposit is exactly what it requests, in
 * asset and amount. `isPaid`: it has another deposit.
 */
export interface AddressLease {
  tradeNo: string
  since: number
  fits: boolean
  isPaid: boolean
}

/** A payment with an exact amount reserved at a fixed address, up to and including `until` (unix seconds). */
export interface AmountReservation {
  tradeNo: string
  since: number
  until: number
}

/** Maximum lag of block times behind the server clock, in seconds. A block's timestamp is the start of the block. */
const clockSeconds = 60

/**
 * Returns the payment for a deposit at a leased address: the latest lease begun at the block time. Falls back to the
 * first lease, because block times may lag behind the server clock. A deposit that does not fit this payment and is
 * exactly what an earlier one without deposits asks for belongs to the earlier one. Returns null if the address was
 * never leased.
 * @param blockTime unix seconds
 */
export function matchPaymentByLease(leases: readonly AddressLease[], blockTime: number): string | null {
  const inOrder = leases.toSorted((a, b) => a.since - b.since)
  const begun = inOrder.findLast(each => /* guard: lease-at-block */ each.since <= blockTime /* end */)
  const present = begun ?? inOrder[0]
  if (!present) return null
  const former = inOrder.findLast(each => each.since < present.since && each.fits && !each.isPaid)
  return /* guard: former-payment */ (present.fits ? present : (former ?? present)) /* end */.tradeNo
}

/**
 * Returns the payment for an exact amount at a fixed address, or null. The reservation must cover the block time or
 * begin at most a minute after it. Prefers the latest reservation begun at the block time, then the latest of the
 * others.
 * @param reservations all reservations of the amount
 * @param blockTime unix seconds
 */
export function matchPaymentByReservation(
  reservations: readonly AmountReservation[],
  blockTime: number,
): string | null {
  const open = reservations
    .filter(each => each.since - clockSeconds <= blockTime && blockTime <= each.until)
    .toSorted((a, b) => a.since - b.since)
  return (open.findLast(each => each.since <= blockTime) ?? open.at(-1))?.tradeNo ?? null
}
