import { setImmediate } from 'node:timers/promises'

/**
 * Weight of what is done in one go: the bytes that are encoded, hashed or searched, and a share for each item. It takes
 * a few milliseconds (docs/decisions/verified-blocks.md).
 */
export const maxWeightPerTurn = 2 ** 19
export const weightPerItem = 256

/** Divides work on what nodes send, which may take a second, so that it holds up nothing else for long. */
export class WorkPacer {
  #done = 0

  /** Counts work on an item of so many bytes. Returns whether to `rest` before the next. */
  isDue(bytes: number): boolean {
    this.#done += bytes + weightPerItem
    return this.#done >= maxWeightPerTurn
  }

  /** Lets everything else go on that waits. */
  async rest(): Promise<void> {
    this.#done = 0
    await setImmediate()
  }
}

/** Runs a generator of weights to its end in one go. Returns its result. */
export function runAtOnce<T>(steps: Generator<number, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Runs a generator of weights to its end, with pauses. Returns its result. */
export async function runPaced<T>(steps: Generator<number, T>, pace: WorkPacer): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (pace.isDue(step.value)) await pace.rest()
  }
}
