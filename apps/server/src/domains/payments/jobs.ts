import type { Deps } from '../../deps.ts'
import { loop } from '../../kit/loop.ts'
import { expirePayments } from './expire-payments.ts'

/** Times out expired payments in batches, about once a second. */
export const expire = (deps: Deps, signal: AbortSignal): Promise<void> =>
  loop({
    name: 'expire payments',
    everyMs: 1_000,
    log: deps.log,
    live: deps.live,
    signal,
    work: async () => (await expirePayments(deps)) > 0,
  })
