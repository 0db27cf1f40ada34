import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Logger } from 'pino'
import { keepAlive } from './keep-alive.ts'
import { logLoss } from './log-loss.ts'

const hintTypes = [
  'payment',
  'deposit',
  'callback',
  'notification',
  'balance',
  'withdrawal',
  'link',
  'account',
] as const

/** A hint that something of a merchant changed. Hints may be lost, so every listener also polls. */
export interface LiveHint {
  merchant_id: string
  /** `message`: that there is something to send, of no merchant. */
  type: (typeof hintTypes)[number] | 'message'
  id: string
  /** Who collected the payment, or made the link; absent for what is nobody's. */
  person?: string
}

/** Payload of a NOTIFY between processes: hints of one type about one merchant. */
export type HintMessage = Omit<LiveHint, 'id'> & { ids: string[] }

/** Subscriptions to hints from all server processes. */
export interface Live {
  /** Calls `listen` for each hint of the merchant. The returned function unsubscribes. */
  onMerchant: (merchantId: string, listen: (hint: LiveHint) => void) => () => void
  /** Like `onMerchant`, for one payment. */
  onPayment: (tradeNo: string, listen: (hint: LiveHint) => void) => () => void
  /** Like `onMerchant`, for all hints of a type. Background jobs use it, for example to see a new callback row. */
  onType: (type: LiveHint['type'], listen: (hint: LiveHint) => void) => () => void
  /** Calls `listen` for each hint. */
  onAny: (listen: (hint: LiveHint) => void) => () => void
  /**
   * Returns the last hint of each type about the merchant in the last `ms` milliseconds, or one of every type (without
   * an id) if this process has not listened for that long or no longer remembers.
   */
  recent: (merchantId: string, ms: number) => LiveHint[]
  stop: () => Promise<void>
}

/** How long (ms) hints are remembered. */
const rememberedMs = 60_000

/** The last hint of each merchant and type. */
class Recent {
  /** Monotonic time since which no hint was lost. */
  since = Number.POSITIVE_INFINITY
  /** By merchant and type, the earliest first. */
  readonly #hints = new Map<string, { at: number; hint: LiveHint }>()

  add(hint: LiveHint): void {
    const at = performance.now()
    const key = `${hint.merchant_id} ${hint.type}`
    this.#hints.delete(key)
    this.#hints.set(key, { at, hint })
    for (const [oldest, each] of this.#hints) {
      if (each.at >= at - rememberedMs) break
      this.#hints.delete(oldest)
    }
  }

  of(merchantId: string, ms: number): LiveHint[] {
    const from = performance.now() - ms
    if (ms > rememberedMs || from < this.since)
      return hintTypes.map(type => ({ merchant_id: merchantId, type, id: '' }))
    return hintTypes.flatMap(type => {
      const found = this.#hints.get(`${merchantId} ${type}`)
      return found && found.at >= from ? [found.hint] : []
    })
  }
}

/** Listens on the PostgreSQL channel `coffer`. Reconnects with exponential backoff (0.25 to 5 s). */
export function startLive(databaseUrl: string, log: Logger): Live {
  const bus = new EventEmitter()
  bus.setMaxListeners(0)
  const recent = new Recent()
  let client: pg.Client | undefined
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let pause = 250

  const connect = async () => {
    const next = new pg.Client({
      connectionString: databaseUrl,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      connectionTimeoutMillis: 5_000,
      application_name: 'coffer live',
    })
    client = next
    const again = () => {
      if (stopped || client !== next) return
      client = undefined
      recent.since = Number.POSITIVE_INFINITY
      timer = setTimeout(connect, pause)
      pause = Math.min(pause * 2, 5_000)
    }
    next.on('error', error => logLoss(log, error) || log.warn({ err: error }, 'live connection lost'))
    next.on('end', again)
    next.on('notification', message => publish(bus, recent, message.payload ?? ''))
    try {
      await next.connect()
      await next.query('listen coffer')
      keepAlive(next)
      recent.since = performance.now()
      pause = 250
    } catch (error) {
      if (!logLoss(log, error)) log.warn({ err: error }, 'live connection failed')
      await next.end().catch(() => {})
      again()
    }
  }
  void connect()

  const on = (key: string, listen: (hint: LiveHint) => void) => {
    bus.on(key, listen)
    return () => void bus.off(key, listen)
  }
  return {
    onMerchant: (merchantId, listen) => on(`merchant ${merchantId}`, listen),
    onPayment: (tradeNo, listen) => on(`payment ${tradeNo}`, listen),
    onType: (type, listen) => on(`type ${type}`, listen),
    onAny: listen => on('any', listen),
    recent: (merchantId, ms) => recent.of(merchantId, ms),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

function publish(bus: EventEmitter, recent: Recent, payload: string) {
  let message: HintMessage
  try {
    message = JSON.parse(payload)
  } catch {
    return
  }
  const { merchant_id, type, person, ids } = message ?? {}
  // A server of another version may send another format.
  if (!Array.isArray(ids)) return
  for (const id of ids) {
    const hint: LiveHint = { merchant_id, type, id, ...(person && { person }) }
    recent.add(hint)
    bus.emit(`merchant ${merchant_id}`, hint)
    bus.emit(`type ${type}`, hint)
    bus.emit('any', hint)
    if (type === 'payment') bus.emit(`payment ${id}`, hint)
  }
}
