import { ResponseTooLarge } from '../errors.ts'

/** An answer that is being read or used. */
type Holder = { url: string; bytes: number; abort: AbortController }

/**
 * Memory for the answers of all nodes. When there is too little, the largest answer of the node that holds the most is
 * given up, so that one node which sends too much cannot take the place of the others.
 */
export class AnswerSpace {
  readonly #maxBytes: number
  readonly #holders = new Set<Holder>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Opens an answer of a node. It holds what it takes until it is closed. */
  open(url: string) {
    const holder: Holder = { url, bytes: 0, abort: new AbortController() }
    this.#holders.add(holder)
    return {
      /** Aborts when the answer is given up. */
      signal: holder.abort.signal,
      /** Adds bytes. Throws TooLarge once the answer is given up. */
      take: (bytes: number) => {
        if (this.#holders.has(holder)) {
          holder.bytes += bytes
          this.#bytes += bytes
          // guard: answer-space
          while (this.#bytes > this.#maxBytes) this.#giveUp()
        }
        if (holder.abort.signal.aborted) throw new ResponseTooLarge('the answers of all nodes exceed their memory')
      },
      close: () => this.#close(holder),
    }
  }

  #giveUp(): void {
    const held = new Map<string, number>()
    for (const { url, bytes } of this.#holders) held.set(url, (held.get(url) ?? 0) + bytes)
    const [most] = [...held].reduce((one, other) => (other[1] > one[1] ? other : one))
    const holders = [...this.#holders].filter(each => each.url === most)
    const largest = holders.reduce((one, other) => (other.bytes > one.bytes ? other : one))
    this.#close(largest)
    largest.abort.abort()
  }

  #close(holder: Holder): void {
    if (this.#holders.delete(holder)) this.#bytes -= holder.bytes
  }
}
