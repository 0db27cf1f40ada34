import { Refusal } from './refusal.ts'

interface Line {
  running: number
  /** Starts of those that wait, longest waiting first. */
  waiting: (() => void)[]
}

interface GateLimits {
  /** How many may run at once per key. */
  max: number
  /** How long one waits for its turn (ms). */
  waitMs: number
  /** How many may wait per key. */
  waitingMax: number
  /** While more than these wait, only one of the key runs at a time. Default: never. */
  crowd?: number
}

/** Limits what runs at once per key, such as the requests of a merchant. Keys do not wait for each other. */
export class Gate {
  readonly #limits: GateLimits
  readonly #lines = new Map<string, Line>()

  constructor(limits: GateLimits) {
    this.#limits = limits
  }

  /** Waits for a place in order of arrival and returns the function that leaves it. Throws Refusal('busy') when none comes free. */
  async enter(key: string): Promise<() => void> {
    const { max, waitMs, waitingMax } = this.#limits
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] }
    this.#lines.set(key, line)
    if (line.running < max && line.waiting.length === 0) line.running++
    else if (line.waiting.length >= waitingMax) throw new Refusal('busy')
    else
      await new Promise<void>((resolve, reject) => {
        const start = () => {
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => {
          line.waiting.splice(line.waiting.indexOf(start), 1)
          reject(new Refusal('busy'))
        }, waitMs)
        line.waiting.push(start)
      })
    return () => this.#leave(key, line)
  }

  /** Passes the place to the next in line. */
  #leave(key: string, line: Line): void {
    const { max, crowd = Number.POSITIVE_INFINITY } = this.#limits
    line.running--
    while (line.running < (line.waiting.length > crowd ? 1 : max)) {
      const next = line.waiting.shift()
      if (!next) break
      line.running++
      next()
    }
    if (line.running === 0) this.#lines.delete(key)
  }
}
