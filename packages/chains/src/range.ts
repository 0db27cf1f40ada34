/** Blocks in the first range of a catch-up, and how many more are tried where growth is careful. */
const STEP = 8
/** Blocks in the largest range. Every one costs a header beside its logs. */
const LARGEST = 512
/** Transfers in a range above which ranges get smaller; half of it is enough to stop growing. */
const PLENTY = 4_000

/** How many blocks to read at once below the confirmation depth: more while it goes well, half after a failure. */
export class RangeSize {
  size = STEP
  #careful = LARGEST

  /** Takes what the last step held. A range that was cut short by the tip says nothing. */
  took(blocks: number, scanned: number): void {
    if (blocks < this.size) return
    if (scanned > PLENTY) this.size = half(this.size)
    else if (scanned * 2 <= PLENTY) {
      const next = this.size < this.#careful ? Math.min(this.size * 2, this.#careful) : this.size + STEP
      this.size = Math.min(LARGEST, next)
    }
  }

  /** After a failure: the range may have been too much for the node, so what is larger is reached slowly. */
  failed(): void {
    this.size = half(this.size)
    this.#careful = this.size
  }
}

function half(size: number): number {
  return Math.max(1, Math.floor(size / 2))
}
