import { Refusal } from './refusal.ts'

interface Waiting {
  start: () => void
  refuse: () => void
}

interface Line {
  key: string
  running: number
  /** Longest waiting first. */
  waiting: Waiting[]
}

interface GateLimits {
  /** How many may run at once per key. Default: any number. */
  max?: number
  /** How many may run at once in all; keys then take turns. Default: any number. */
  all?: number
  /** How long one waits for its turn (ms). Default: as long as it takes. */
  waitMs?: number
  /** How many may wait per key. */
  waitingMax: number
  /** How many may wait in all; the longest line then gives up a place to a shorter one. Default: any number. */
  allWaiting?: number
  /** While more than these wait, only one of the key runs at a time. Default: never. */
  crowd?: number
}

/**
 * Limits what runs at once, per key, such as the requests of a merchant, and in all. Nobody delays others by sending
 * many.
 */
export class Gate {
  readonly #limits: Required<GateLimits>
  readonly #lines = new Map<string, Line>()
  /** Lines that wait for a place of all only, in turn. */
  readonly #turns = new Set<Line>()
  #running = 0
  #waiting = 0

  constructor(limits: GateLimits) {
    const any = Number.POSITIVE_INFINITY
    this.#limits = { max: any, all: any, waitMs: any, allWaiting: any, crowd: any, ...limits }
  }

  /** Waits for a place and returns the function that leaves it. Throws Refusal('busy') when none comes free. */
  async enter(key: string): Promise<() => void> {
    const line = this.#lines.get(key) ?? { key, running: 0, waiting: [] }
    this.#lines.set(key, line)
    if (line.waiting.length === 0 && this.#mayStart(line) && this.#running < this.#limits.all) this.#start(line)
    else await this.#wait(line)
    return () => this.#leave(line)
  }

  /** Runs a task in a place. Throws Refusal('busy') when none comes free. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const leave = await this.enter(key)
    try {
      return await task()
    } finally {
      leave()
    }
  }

  #mayStart({ running, waiting }: Line): boolean {
    return running < (waiting.length > this.#limits.crowd ? 1 : this.#limits.max)
  }

  #start(line: Line): void {
    line.running++
    this.#running++
  }

  async #wait(line: Line): Promise<void> {
    const { waitMs, waitingMax, allWaiting } = this.#limits
    if (line.waiting.length >= waitingMax) throw new Refusal('busy')
    if (this.#waiting >= allWaiting) this.#makeRoom(line)
    let timer: NodeJS.Timeout | undefined
    const started = new Promise<void>((start, reject) => {
      const one: Waiting = { start, refuse: () => reject(new Refusal('busy')) }
      line.waiting.push(one)
      if (waitMs < Number.POSITIVE_INFINITY) timer = setTimeout(() => this.#refuse(line, one), waitMs)
    })
    this.#waiting++
    if (this.#mayStart(line)) this.#turns.add(line)
    await started.finally(() => clearTimeout(timer))
  }

  #refuse(line: Line, one: Waiting): void {
    line.waiting.splice(line.waiting.indexOf(one), 1)
    this.#waiting--
    if (line.waiting.length === 0) this.#turns.delete(line)
    this.#drop(line)
    one.refuse()
  }

  #makeRoom(own: Line): void {
    const longest = [...this.#lines.values()].reduce((a, b) => (b.waiting.length > a.waiting.length ? b : a))
    if (longest.waiting.length <= own.waiting.length + 1) {
      this.#drop(own)
      throw new Refusal('busy')
    }
    this.#refuse(longest, longest.waiting.at(-1)!)
  }

  /** Passes the place to the next in turn. */
  #leave(line: Line): void {
    line.running--
    this.#running--
    this.#queue(line)
    for (const next of this.#turns) {
      if (this.#running >= this.#limits.all) break
      this.#turns.delete(next)
      this.#start(next)
      this.#waiting--
      next.waiting.shift()!.start()
      this.#queue(next)
    }
    this.#drop(line)
  }

  /** Puts a line at the end of the turns if it waits for nothing else. */
  #queue(line: Line): void {
    if (line.waiting.length > 0 && this.#mayStart(line)) this.#turns.add(line)
  }

  #drop(line: Line): void {
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(line.key)
  }
}
