/** Blocks in the first range of a catch-up, and the increment while growing slowly. */
const STEP = 8
/** Most blocks in a range. Each costs a header in addition to its logs. */
const MAX_BLOCKS = 512
/** Transfers in a range above which ranges shrink; above half of it they stop growing. */
const MAX_TRANSFERS = 4_000

/** Number of blocks to read at once below the confirmation depth: grows on success, halves on failure. */
export class RangeSize {
  size = STEP
  #slowFrom = MAX_BLOCKS

  /** Adjusts to a range that was read. Ignores ranges cut short by the head. */
  took(blocks: number, scanned: number): void {
    if (blocks < this.size) return
    if (scanned > MAX_TRANSFERS) this.size = half(this.size)
    else if (scanned * 2 <= MAX_TRANSFERS) {
      const next = this.size < this.#slowFrom ? Math.min(this.size * 2, this.#slowFrom) : this.size + STEP
      this.size = Math.min(MAX_BLOCKS, next)
    }
  }

  /** Halves the size, since the range may have been too large for the node, and grows slowly from there. */
  failed(): void {
    this.size = half(this.size)
    this.#slowFrom = this.size
  }
}

function half(size: number): number {
  return Math.max(1, Math.floor(size / 2))
}
