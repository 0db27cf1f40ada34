import type { Balances, Currency, Language, NewOrder, Order, OrderFilter, OrderList, Page } from './generated/types.ts'
import { type Call, type Connection, request } from './request.ts'

export interface CofferOptions {
  /** Where the service is, such as `https://pay.example.com`. */
  baseUrl: string
  /** `sk_live_...` or `sk_test_...`. Keep it on your server. A variable that is not set is refused, as any other mistake. */
  secretKey: string | undefined
  /** Time for one attempt in milliseconds; 30 000 by default. */
  timeoutMs?: number | undefined
  /** How often a call is made again when no answer came or the service asked to wait; 3 by default. */
  retries?: number | undefined
  /** Language of error texts; English by default. */
  language?: Language | undefined
  /** Another way to make requests, for proxies and tests. */
  fetch?: typeof fetch | undefined
}

export interface CallOptions {
  /** Ends the call from outside. */
  signal?: AbortSignal | undefined
}

export interface SubmitOptions extends CallOptions {
  /** The same key and input give the first answer again, for two days. Made for each call when not given. */
  idempotencyKey?: string | undefined
}

/** Which order: its `trade_no`, or your own number. */
export type OrderRef = string | { outTradeNo: string }

/** The merchant's client. Every method gives the answer's data or throws a CofferError. */
export class Coffer {
  private readonly connection: Connection

  /** Throws TypeError on a base URL or a key that cannot be right. */
  constructor(options: CofferOptions) {
    this.connection = {
      baseUrl: checkedBaseUrl(options.baseUrl),
      secretKey: checkedKey(options.secretKey),
      timeoutMs: options.timeoutMs ?? 30_000,
      retries: options.retries ?? 3,
      language: options.language ?? 'en-US',
      fetch: options.fetch ?? fetch,
    }
  }

  /** Creates an order, to be paid at its `pay_url`. The same `out_trade_no` and input give the same order again. */
  createOrder(order: NewOrder, options: SubmitOptions = {}): Promise<Order> {
    return this.call('POST', '/orders', { body: order, ...options })
  }

  /** Reads an order by `trade_no`, or by your own number: `getOrder({ outTradeNo: 'A-1' })`. */
  getOrder(ref: OrderRef, options: CallOptions = {}): Promise<Order> {
    const id = typeof ref === 'string' ? ref : `out:${ref.outTradeNo}`
    return this.call('GET', `/orders/${encodeURIComponent(id)}`, options)
  }

  /** One page of orders, newest first. */
  listOrders(filter: OrderFilter & Page = {}, options: CallOptions = {}): Promise<OrderList> {
    return this.call('GET', '/orders', { query: { ...filter }, ...options })
  }

  /**
   * Every order that fits, newest first: `for await (const order of coffer.orders({ status: paymentStatus.paid }))`.
   * Orders made while it runs are left out, and none comes twice.
   */
  async *orders(filter: OrderFilter = {}, options: CallOptions = {}): AsyncGenerator<Order, void, undefined> {
    const end_time = filter.end_time ?? Math.floor(Date.now() / 1000)
    const seen = new Set<string>()
    for (let current = 1; ; current++) {
      const { list } = await this.listOrders({ ...filter, end_time, current, pageSize: 100 }, options)
      for (const order of list) {
        if (seen.has(order.trade_no)) continue
        seen.add(order.trade_no)
        yield order
      }
      if (list.length < 100) return
    }
  }

  /** Closes an order that nothing has been paid for. */
  closeOrder(tradeNo: string, options: SubmitOptions = {}): Promise<Order> {
    return this.call('POST', `/orders/${encodeURIComponent(tradeNo)}/close`, options)
  }

  /** Chains with the tokens accepted on them. */
  async currencies(options: CallOptions = {}): Promise<Currency[]> {
    const { list } = await this.call<{ list: Currency[] }>('GET', '/currencies', options)
    return list
  }

  /** What you own, per token and chain. */
  balances(options: CallOptions = {}): Promise<Balances> {
    return this.call('GET', '/balances', options)
  }

  private call<T>(method: Call['method'], path: string, rest: Omit<Call, 'method' | 'path'>): Promise<T> {
    return request<T>(this.connection, { method, path: `/api/v1/pay${path}`, ...rest })
  }
}

/** A key in plain text on the way would be everybody's: http is for this machine only. */
function checkedBaseUrl(text: string): string {
  const url = new URL(text)
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local))
    throw new TypeError('baseUrl must start with https:// (http:// is for localhost)')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

function checkedKey(key: string | undefined): string {
  if (!key || !/^sk_(?:test|live)_[A-Za-z0-9_-]+$/.test(key))
    throw new TypeError('secretKey must start with sk_live_ or sk_test_')
  return key
}
