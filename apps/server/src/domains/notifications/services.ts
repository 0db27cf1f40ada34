import type { Attempted } from './channels/channel.ts'

/** Attempts of one process that may be under way. */
const placesMax = 100
/** Seconds for which nothing is sent to a service that is away, after each failure in a row; then the last of them. */
const pauses = [30, 60, 120, 300]
/** Seconds after its pause for which a service is known to have been away: devices name services without end. */
const rememberedSeconds = 3_600

interface Attempt {
  /** A channel, or one service of a channel, whose name begins with it. */
  service: string
  merchant_id: string
}

/**
 * The places of services: a mail server that hangs holds up nothing else, and one merchant has half of them. A service
 * that is away gets nothing for a while, and then one attempt at a time until it takes a message.
 */
export class ServicePlaces {
  private readonly underWay = new Map<string, number>()
  private readonly away = new Map<string, { failures: number; until: number }>()
  private all = 0
  private readonly clock: () => number
  private readonly places: Record<string, number>
  private readonly shares: Record<string, number>

  /** `clock` returns Unix seconds; `places` are those of each service of a channel. */
  constructor(clock: () => number, places: Record<string, number>) {
    this.clock = clock
    this.places = places
    this.shares = Object.fromEntries(Object.entries(places).map(([channel, n]) => [channel, Math.ceil(n / 2)]))
  }

  /** Returns how many more attempts may start: in total, of services and merchants, and of those that are not named. */
  free() {
    const free: Record<string, number> = {}
    for (const [key, n] of this.underWay) {
      const [channel = ''] = key.split(' ', 1)
      free[key] = Math.max(0, ((key.includes(' of ') ? this.shares : this.places)[channel] ?? 0) - n)
    }
    const now = this.clock()
    for (const [service, { until }] of this.away)
      if (until + rememberedSeconds < now) this.away.delete(service)
      else free[service] = until > now || this.underWay.has(service) ? 0 : 1
    return { limit: placesMax - this.all, free, places: this.places, shares: this.shares }
  }

  /** Counts an attempt until the returned function is called with its outcome. */
  start({ service, merchant_id }: Attempt): (outcome: Attempted) => void {
    const keys = [service, `${service} of ${merchant_id}`]
    this.count(keys, 1)
    return outcome => {
      this.count(keys, -1)
      // Of what was not sent, the service says nothing.
      if (outcome.result === 'accepted' || outcome.result === 'refused') this.away.delete(service)
      else if (outcome.result === 'later' && outcome.isAway) this.pause(service, outcome.retryAfter)
    }
  }

  private count(keys: readonly string[], by: 1 | -1) {
    this.all += by
    for (const key of keys) {
      const n = (this.underWay.get(key) ?? 0) + by
      if (n > 0) this.underWay.set(key, n)
      else this.underWay.delete(key)
    }
  }

  /** Those that were under way when a service went away are one failure. */
  private pause(service: string, retryAfter = 0) {
    const { failures, until } = this.away.get(service) ?? { failures: 0, until: 0 }
    if (until > this.clock()) return
    const seconds = Math.max(pauses[failures] ?? pauses.at(-1)!, retryAfter)
    this.away.set(service, { failures: failures + 1, until: this.clock() + seconds })
  }
}
