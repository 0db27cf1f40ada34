import { setTimeout as pause } from 'node:timers/promises'
import { logLoss } from './log-loss.ts'
import { type LoopOptions, runJobLoop } from './loop.ts'

/** Grace period (ms) at shutdown. Unfinished attempts are made again once their lease ends. */
const graceMs = 3_000

interface Queue<T> extends Omit<LoopOptions, 'everyMs' | 'work' | 'listen'> {
  listen: (wake: () => void) => () => void
  /** Leases what is due, given how many attempts are under way. */
  lease: (underWay: number) => Promise<readonly T[]>
  /** Makes one attempt and records it. An error is logged with `about`. */
  send: (item: T) => Promise<void>
  about: (item: T) => object
}

/**
 * Sends what is due in a table until `signal` aborts. The table is the queue: it is polled every second, on a hint, and
 * when an attempt ends, since another item may be waiting for its place.
 */
export async function runSendQueue<T>({ listen, lease, send, about, ...job }: Queue<T>): Promise<void> {
  const underWay = new Set<Promise<void>>()
  let wakeUp = () => {}
  await runJobLoop({
    ...job,
    everyMs: 1_000,
    listen: wake => {
      wakeUp = wake
      return listen(wake)
    },
    work: async () => {
      const taken = await lease(underWay.size)
      for (const item of taken) {
        const attempt = send(item)
          .catch(error => {
            const what = { job: job.name, ...about(item) }
            if (!logLoss(job.log, error, what)) job.log.error({ err: error, ...what }, 'attempt not recorded')
          })
          .finally(() => {
            underWay.delete(attempt)
            wakeUp()
          })
        underWay.add(attempt)
      }
      return taken.length > 0
    },
  })
  await Promise.race([Promise.all(underWay), pause(graceMs, undefined, { ref: false })])
}
