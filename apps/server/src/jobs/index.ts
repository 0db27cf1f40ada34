import { foldStatistics } from '../commands/fold-statistics.ts'
import { forgetOldAnswers } from '../commands/only-once.ts'
import type { Deps } from '../deps.ts'
import { deliver } from './deliver.ts'
import { loop } from './loop.ts'

/** Starts every background job; gives how to stop them all. */
export function startJobs(deps: Deps): () => Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  const { log } = deps
  const jobs = [
    deliver(deps, signal),
    loop({ name: 'fold statistics', everyMs: 1_000, log, signal, work: () => foldStatistics(deps) }),
    loop({ name: 'refresh prices', everyMs: 30_000, log, signal, work: () => deps.prices.refresh().then(() => false) }),
    loop({
      name: 'forget old answers',
      everyMs: 3_600_000,
      log,
      signal,
      work: async () => {
        await forgetOldAnswers(deps)
        return false
      },
    }),
  ]
  return async () => {
    stop.abort()
    await Promise.all(jobs)
  }
}
