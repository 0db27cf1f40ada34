import type { Logger } from 'pino'
import { isConnectionLost } from './database-problem.ts'
import type { Live } from './live.ts'
import { logLoss } from './log-loss.ts'
import { elsewhere, type WorkShare } from './work-share.ts'

/** A background job: `work` is called repeatedly until the server stops. */
export interface LoopOptions {
  name: string
  /** Pause after a run that left no work. */
  everyMs: number
  log: Logger
  signal: AbortSignal
  /** Does one batch of work. Returns true to be called again at once, and 'soon' when work is under way. */
  work: () => Promise<boolean | 'soon' | undefined>
  /**
   * Lets the job rest: `restAfterMs` after the last work and the last hint it runs every `restingMs` (10 s), until the
   * next hint.
   */
  live?: Pick<Live, 'onAny'>
  /** Shares the job with other servers: one of them runs it. */
  share?: Pick<WorkShare, 'run'> | undefined
  restingMs?: number
  /** Subscribes to events that end the pause early by calling `wake`. Returns the unsubscribe function. */
  listen?: (wake: () => void) => () => void
}

/** How the jobs of this process fare. Times are in Unix milliseconds. */
export interface JobState {
  name: string
  everyMs: number
  /** End of the last run; 0 before the first one. */
  endedAt: number
  /** Consecutive failures, and the last one. */
  failures: number
  error: string
}
const states = new Map<string, JobState>()
export const jobStates = (): JobState[] => [...states.values()].sort((a, b) => (a.name < b.name ? -1 : 1))

const restAfterMs = 30_000

/**
 * Runs a job until `signal` aborts. A failed run is logged and retried with a growing pause: at most 30 s, and 2 s
 * while connections are lost.
 */
export async function runJobLoop({
  name,
  everyMs,
  log,
  signal,
  work,
  listen,
  live,
  share,
  restingMs = 10_000,
}: LoopOptions): Promise<void> {
  let wake = () => {}
  let woken = false
  const unlisten = listen?.(() => {
    woken = true
    wake()
  })
  let busyAt = Date.now()
  let resting = false
  const unrest = live?.onAny(() => {
    busyAt = Date.now()
    if (resting) wake()
  })
  let failures = 0
  const state = (error: string, endedAt = Date.now()) =>
    states.set(name, { name, everyMs, endedAt, failures, error: error.slice(0, 300) })
  state('', states.get(name)?.endedAt ?? 0)
  while (!signal.aborted) {
    let more: Awaited<ReturnType<typeof work>> | typeof elsewhere
    let longest = 30_000
    try {
      more = await (share ? share.run(name, work) : work())
      failures = 0
      if (more === elsewhere) states.delete(name)
      else state('')
    } catch (error) {
      failures++
      state(String((error as Error).message))
      // A database that fails over is back within seconds, and is then needed at once.
      if (isConnectionLost(error)) longest = 2_000
      if (!logLoss(log, error, { job: name })) log.error({ err: error, job: name }, 'job failed, will retry')
    }
    if (more && more !== elsewhere) busyAt = Date.now()
    if (more === true && !signal.aborted) continue
    resting = live !== undefined && everyMs < restingMs && Date.now() - busyAt > restAfterMs
    const usualPause = resting ? restingMs : more === elsewhere ? Math.min(everyMs, restingMs) : everyMs
    const pause = failures ? Math.min(everyMs * 2 ** failures, longest) : usualPause
    if (!woken || failures)
      await new Promise<void>(resolve => {
        const timer = setTimeout(done, pause)
        function done() {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          wake = () => {}
          resolve()
        }
        signal.addEventListener('abort', done, { once: true })
        wake = failures ? wake : done
        if (signal.aborted) done()
      })
    woken = false
  }
  unlisten?.()
  unrest?.()
}
