import { foldStatistics } from '../commands/fold-statistics.ts'
import { forgetExpired } from '../commands/forget-expired.ts'
import { forgetOldAnswers } from '../commands/only-once.ts'
import type { Deps } from '../deps.ts'
import { deliver } from './deliver.ts'
import { expire } from './expire.ts'
import { follow } from './follow.ts'
import { loop } from './loop.ts'
import { native } from './native.ts'
import { reconcile } from './reconcile.ts'
import { reread } from './reread.ts'

/** Starts every background job; gives how to stop them all. */
export function startJobs(deps: Deps): () => Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  const { log } = deps
  const jobs = [
    ...[...deps.chains.values()].map(chain => follow(deps, chain, signal)),
    expire(deps, signal),
    reconcile(deps, signal),
    native(deps, signal),
    reread(deps, signal),
    deliver(deps, signal),
    loop({ name: 'fold statistics', everyMs: 1_000, log, signal, work: () => foldStatistics(deps) }),
    loop({ name: 'refresh prices', everyMs: 30_000, log, signal, work: () => deps.prices.refresh().then(() => false) }),
    loop({
      name: 'forget what is over',
      everyMs: 3_600_000,
      log,
      signal,
      work: async () => {
        await Promise.all([forgetOldAnswers(deps), forgetExpired(deps)])
        return false
      },
    }),
  ]
  return async () => {
    stop.abort()
    await Promise.all(jobs)
  }
}
