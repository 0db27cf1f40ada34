import { Refusal } from '../../kit/refusal.ts'

/** Rate limit of an application: requests in a burst, and requests per second. */
export const keyPace = { burst: 600, perSecond: 20 } as const

const bucketsMax = 10_000

/** Limits requests per application in this process with a token bucket. `now` is Unix seconds. */
export class KeyPace {
  private readonly buckets = new Map<string, { left: number; at: number }>()

  /** Takes one token. Refuses with `frequent_operation` when the bucket is empty. */
  take(appid: string, now: number): void {
    const bucket = this.buckets.get(appid) ?? { left: keyPace.burst, at: now }
    const left = Math.min(keyPace.burst, bucket.left + Math.max(0, now - bucket.at) * keyPace.perSecond)
    if (left < 1) throw new Refusal('frequent_operation', { retryAfter: 1 })
    if (this.buckets.size >= bucketsMax) this.forgetFull(now)
    this.buckets.set(appid, { left: left - 1, at: now })
  }

  /** Deletes full buckets: they are equal to new ones. */
  private forgetFull(now: number) {
    for (const [appid, { left, at }] of this.buckets)
      if (left + (now - at) * keyPace.perSecond >= keyPace.burst) this.buckets.delete(appid)
  }
}
