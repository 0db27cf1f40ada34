/**
 * Limits on the concurrent attempts of one process: in total, to slow hosts, per merchant and per host. The host
 * limit is below the merchant limit, so that a hanging host leaves room for the merchant's other hosts before it is
 * known to be slow.
 */
export const concurrentAttemptsMax = { all: 256, slow: 64, perMerchant: 8, perHost: 6, perSlowHost: 1 } as const

/** An attempt that takes longer (ms) marks its host as slow for `slowForSeconds`. */
export const slowAfterMs = 3_000
const slowForSeconds = 600
const slowHostsMax = 10_000

interface Key {
  merchant_id: string
  host: string
}

/**
 * Allocates attempts so that a hanging receiver holds few of them and delays no others: each merchant and each host
 * has a limit, and a recently slow host gets one attempt at a time, from a quota shared by slow hosts.
 */
export class DeliveryLimiter {
  private readonly underWay = new Map<string, number>()
  private readonly slowUntil = new Map<string, number>()
  private all = 0
  private slow = 0
  private readonly clock: () => number

  /** `clock` returns unix seconds. */
  constructor(clock: () => number) {
    this.clock = clock
  }

  /**
   * Returns how many more attempts may start, in total and by key. Unlisted merchants get `perKey`, unlisted hosts
   * `perHost`.
   */
  free(): { limit: number; free: Record<string, number>; perKey: number; perHost: number } {
    const { perMerchant: perKey, perHost } = concurrentAttemptsMax
    const free: Record<string, number> = {}
    for (const [key, n] of this.underWay) free[key] = Math.max(0, (key.startsWith('host ') ? perHost : perKey) - n)
    const slowFull = this.slow >= concurrentAttemptsMax.slow
    for (const host of this.slowHosts()) {
      const key = `host ${host}`
      free[key] = slowFull ? 0 : Math.max(0, concurrentAttemptsMax.perSlowHost - (this.underWay.get(key) ?? 0))
    }
    return { limit: concurrentAttemptsMax.all - this.all, free, perKey, perHost }
  }

  /** Counts an attempt until the returned function is called with its duration (ms). */
  start({ merchant_id, host }: Key): (durationMs: number) => void {
    const slow = this.isSlow(host)
    this.count(merchant_id, host, slow, 1)
    return durationMs => {
      this.count(merchant_id, host, slow, -1)
      if (durationMs <= slowAfterMs) this.slowUntil.delete(host)
      else this.markSlow(host)
    }
  }

  private count(merchantId: string, host: string, slow: boolean, by: 1 | -1) {
    this.all += by
    if (slow) this.slow += by
    for (const key of [`merchant ${merchantId}`, `host ${host}`]) {
      const n = (this.underWay.get(key) ?? 0) + by
      if (n > 0) this.underWay.set(key, n)
      else this.underWay.delete(key)
    }
  }

  private isSlow(host: string) {
    return (this.slowUntil.get(host) ?? 0) > this.clock()
  }

  private markSlow(host: string) {
    this.slowUntil.delete(host)
    this.slowUntil.set(host, this.clock() + slowForSeconds)
    const [oldest] = this.slowUntil.keys()
    if (this.slowUntil.size > slowHostsMax && oldest !== undefined) this.slowUntil.delete(oldest)
  }

  private slowHosts(): string[] {
    const now = this.clock()
    for (const [host, until] of this.slowUntil) if (until <= now) this.slowUntil.delete(host)
    return [...this.slowUntil.keys()]
  }
}
