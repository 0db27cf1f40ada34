import { Refusal } from '../../kit/refusal.ts'

/** Requests that an application may make: as many at once, and as many more each second. */
export const keyPace = { burst: 600, perSecond: 20 } as const

const bucketsMax = 10_000

/** Counts requests by application in this process: a bucket that fills at an even rate. `now` is unix seconds. */
export class KeyPace {
  private readonly buckets = new Map<string, { left: number; at: number }>()

  /** Takes one request off; throws Refusal('frequent_operation') when none is left. */
  take(appid: string, now: number): void {
    const bucket = this.buckets.get(appid) ?? { left: keyPace.burst, at: now }
    const left = Math.min(keyPace.burst, bucket.left + Math.max(0, now - bucket.at) * keyPace.perSecond)
    if (left < 1) throw new Refusal('frequent_operation', { retryAfter: 1 })
    if (this.buckets.size >= bucketsMax) this.forgetFull(now)
    this.buckets.set(appid, { left: left - 1, at: now })
  }

  /** A bucket that is full again says nothing. */
  private forgetFull(now: number) {
    for (const [appid, { left, at }] of this.buckets)
      if (left + (now - at) * keyPace.perSecond >= keyPace.burst) this.buckets.delete(appid)
  }
}
