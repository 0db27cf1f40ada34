import { Refusal } from './refusal.ts'

/** Calls that a caller may make at once, and how many more each second. */
export interface TokenBucketRate {
  burst: number
  perSecond: number
}

const bucketsMax = 10_000

/** Limits the calls of each caller in this process with token buckets, without the database. */
export class RateLimiter {
  readonly #rate: TokenBucketRate
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor(rate: TokenBucketRate) {
    this.#rate = rate
  }

  /** Takes a token; throws Refusal('frequent_operation') when none is left. `now` is in Unix seconds. */
  take(caller: string, now: number): void {
    const { burst, perSecond } = this.#rate
    const bucket = this.#buckets.get(caller) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perSecond)
    if (tokens < 1) throw new Refusal('frequent_operation', { retryAfter: Math.ceil((1 - tokens) / perSecond) })
    if (this.#buckets.size >= bucketsMax) this.#deleteFull(now)
    this.#buckets.set(caller, { tokens: tokens - 1, at: now })
  }

  #deleteFull(now: number) {
    const { burst, perSecond } = this.#rate
    for (const [caller, { tokens, at }] of this.#buckets)
      if (tokens + (now - at) * perSecond >= burst) this.#buckets.delete(caller)
  }
}
