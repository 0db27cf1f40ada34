import type { Logger } from 'pino'

/** A background job: `work` is called again and again until the server stops. */
export interface LoopOptions {
  name: string
  /** Pause after a run that found nothing more to do. */
  everyMs: number
  log: Logger
  signal: AbortSignal
  /** Does one piece of work; true asks to be called again at once. */
  work: () => Promise<boolean | undefined>
  /** Calls `wake` when there is something to do before the pause is over; gives how to stop listening. */
  listen?: (wake: () => void) => () => void
}

/** Runs a job until `signal` aborts. A run that throws is logged and tried again after a growing pause (30 s at most). */
export async function loop({ name, everyMs, log, signal, work, listen }: LoopOptions): Promise<void> {
  let wake = () => {}
  let woken = false
  const unlisten = listen?.(() => {
    woken = true
    wake()
  })
  let failures = 0
  while (!signal.aborted) {
    let more: boolean | undefined
    try {
      more = await work()
      failures = 0
    } catch (error) {
      failures++
      log.error({ err: error, job: name }, 'job failed, it is tried again')
    }
    if (more && !signal.aborted) continue
    const pause = failures ? Math.min(everyMs * 2 ** failures, 30_000) : everyMs
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
}
