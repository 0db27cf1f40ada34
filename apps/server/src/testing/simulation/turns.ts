import type { Random } from '@coffer/chains/fake/random.ts'
import type pg from 'pg'

type Turn = {
  run: () => Promise<unknown>
  pid: () => number | null
  done: (outcome: PromiseSettledResult<unknown>) => void
}

/** A statement that waits for a lock. */
type Blocked = { turn: Turn; outcome: PromiseSettledResult<unknown> | null }

/** Rounds of the event loop without a move after which no process goes on by itself. */
const rounds = 6
/** Time after which PostgreSQL is queried whether a statement waits for a lock (ms). */
const lookAfter = 20

/**
 * Runs the statements of all simulated processes one at a time, in an order that only the seed decides: the next is
 * drawn once nothing in the processes goes on by itself any more. A statement that waits for a lock lets others run;
 * when one of them ends, those it set free end in the order in which they began to wait.
 */
export class Turns {
  readonly #owner: pg.Pool
  readonly #random: Random
  readonly #waiting: Turn[] = []
  #blocked: Blocked[] = []
  #isRunning = false
  #moves = 0
  #free: number
  readonly #queue: (() => void)[] = []

  /** @param connections how many the pool has that the processes share */
  constructor(owner: pg.Pool, random: Random, connections: number) {
    this.#owner = owner
    this.#random = random
    this.#free = connections
  }

  /** Waits until the pool has a free connection: nobody else would get a turn while somebody waits in his for one. */
  async reserve(): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#queue.push(resolve))
  }

  /** Gives a reserved connection to who has waited longest. */
  release(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#free++
  }

  /** Reports that a process has moved by itself, such as by a request to a node. */
  moved(): void {
    this.#moves++
  }

  /** Runs a statement when it is its turn. `pid` is that of its PostgreSQL process, null while unknown. */
  take<T>(run: () => Promise<T>, pid: () => number | null): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const done = (outcome: PromiseSettledResult<unknown>) =>
        outcome.status === 'fulfilled' ? resolve(outcome.value as T) : reject(outcome.reason)
      this.moved()
      this.#waiting.push({ run, pid, done })
      if (!this.#isRunning) void this.#go()
    })
  }

  async #go(): Promise<void> {
    this.#isRunning = true
    while (await this.#hasMore()) {
      const [turn] = this.#waiting.splice(this.#random.below(this.#waiting.length), 1)
      if (turn) await this.#one(turn)
      else await new Promise(resolve => setTimeout(resolve, 1))
      for (const each of this.#blocked) while (!each.outcome && !(await this.#isBlocked(each.turn.pid()))) await soon()
      const free = this.#blocked.filter(each => each.outcome)
      this.#blocked = this.#blocked.filter(each => !each.outcome)
      for (const { turn, outcome } of free) await this.#deliver(turn, outcome!)
    }
    this.#isRunning = false
  }

  async #hasMore(): Promise<boolean> {
    await this.#settle()
    return this.#waiting.length > 0 || this.#blocked.length > 0
  }

  async #one(turn: Turn): Promise<void> {
    const blocked: Blocked = { turn, outcome: null }
    const ended = Promise.allSettled([turn.run()]).then(([outcome]) => {
      blocked.outcome = outcome
    })
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise(resolve => {
        timer = setTimeout(resolve, lookAfter)
      })
      await Promise.race([ended, late])
      clearTimeout(timer)
      if (blocked.outcome) return this.#deliver(turn, blocked.outcome)
      if (await this.#isBlocked(turn.pid())) return void this.#blocked.push(blocked)
    }
  }

  async #deliver(turn: Turn, outcome: PromiseSettledResult<unknown>): Promise<void> {
    turn.done(outcome)
    await this.#settle()
  }

  async #isBlocked(pid: number | null): Promise<boolean> {
    if (pid === null) return false
    const { rows } = await this.#owner.query('select cardinality(pg_blocking_pids($1)) > 0 as blocked', [pid])
    return rows[0].blocked
  }

  async #settle(): Promise<void> {
    let before = this.#moves
    for (let quiet = 0; quiet < rounds; ) {
      await soon()
      quiet = this.#moves === before ? quiet + 1 : 0
      before = this.#moves
    }
  }
}

const soon = () => new Promise(resolve => setImmediate(resolve))
