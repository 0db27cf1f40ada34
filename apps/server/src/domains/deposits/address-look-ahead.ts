/** Addresses that are always watched before they are given out. */
const least = 200
/** Limit of the addresses watched before they are given out. Deriving them takes seconds. */
const most = 20_000
/**
 * An address has to be known from when a read begins until it is applied: two reads ahead, its own and the refresh
 * before it.
 */
const reads = 4
/** Decay of the largest product of rate and delay at each refresh. */
const decay = 0.99

/**
 * Returns how many addresses to watch before they are given out, so that new ones seldom interrupt the reading of
 * blocks.
 * @param perSecond addresses given out per second
 * @param delay seconds that one read of the nodes takes
 */
export function computeLookAhead(perSecond: number, delay: number): number {
  // The look-ahead is extended when half of it is used.
  return Math.min(most, Math.max(least, Math.ceil(perSecond * delay * reads * 2)))
}

/**
 * Sizes the look-ahead by the addresses given out from one refresh to the next, between which the nodes are read once.
 */
export class AddressLookAhead {
  #last: { count: number; at: number } | null = null
  #perSecond = 0
  #delay = 0

  /**
   * Returns the look-ahead.
   * @param count the addresses given out so far
   * @param at monotonic time in seconds
   */
  next(count: number, at: number): number {
    if (this.#last && at > this.#last.at) {
      const delay = at - this.#last.at
      const perSecond = (count - this.#last.count) / delay
      if (perSecond * delay > this.#perSecond * this.#delay * decay) {
        this.#perSecond = perSecond
        this.#delay = delay
      } else this.#perSecond *= decay
    }
    this.#last = { count, at }
    return computeLookAhead(this.#perSecond, this.#delay)
  }
}
