import { Refusal } from './refusal.ts'

interface Limits {
  /** Tasks that run at once. */
  running: number
  /** Tasks that wait, for one key and in all. */
  perKey: number
  waiting: number
}

interface Waiting {
  start: () => void
  refuse: () => void
}

/**
 * Returns a function that runs tasks, a few at once. Waiting tasks take turns by key, so that nobody delays others by queueing
 * many. When all places are taken, the longest queue gives one up. A task without a place throws Refusal('busy').
 */
export function makeFairQueue({ running: runningMax, perKey, waiting: waitingMax }: Limits) {
  const queues = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0
  const makeRoom = (own: number) => {
    const longest = [...queues.values()].reduce((a, b) => (b.length > a.length ? b : a))
    if (longest.length <= own + 1) throw new Refusal('busy')
    longest.pop()!.refuse()
    waiting--
  }
  const wait = (key: string) =>
    new Promise<void>((resolve, reject) => {
      const queue = queues.get(key) ?? []
      if (queue.length >= perKey) throw new Refusal('busy')
      if (waiting >= waitingMax) makeRoom(queue.length)
      queue.push({ start: resolve, refuse: () => reject(new Refusal('busy')) })
      queues.set(key, queue)
      waiting++
    })
  /** Passes the place of a finished task to the next key in turn. */
  const next = () => {
    const [turn] = queues
    if (!turn) {
      running--
      return
    }
    const [key, queue] = turn
    queues.delete(key)
    const task = queue.shift()!
    if (queue.length > 0) queues.set(key, queue)
    waiting--
    task.start()
  }
  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    if (running < runningMax) running++
    else await wait(key)
    try {
      return await task()
    } finally {
      next()
    }
  }
}
