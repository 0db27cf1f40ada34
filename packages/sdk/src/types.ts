/** The codes of `status`. */
export const paymentStatus = {
  toBePaid: 1,
  paid: 2,
  timeout: 3,
  closed: 4,
  underRefund: 5,
  refunded: 6,
  error: 7,
  chainFailure: 8,
} as const

/** What is unusual about the money that came for a payment. */
export type PaymentException = 'none' | 'partial' | 'over' | 'late'

/** One transfer on a chain to the address of a payment. Amounts are decimal strings, times unix seconds. */
export interface Deposit {
  /** When it was credited; 0 while it waits for confirmations. */
  confirmation_time: number
  seen_time: number
  txid: string
  browser_url: string
  chain: string
  amount: string
  gas: string
  gas_token: string
  token: string
  to_address: string
  from_address: string
  net: string
  confirmations: number
  required_confirmations: number
  state: 'seen' | 'credited' | 'dropped' | 'undone'
  late: boolean
}

/** A payment. Amounts are decimal strings, never numbers; times are unix seconds, 0 when there is none. */
export interface Order {
  /** The platform's order number, 32 digits. */
  trade_no: string
  /** Your order number. */
  out_trade_no: string
  appid: string
  /** See `paymentStatus`. */
  status: number
  exception: PaymentException
  usdt_amount: string
  fiat_name: string
  fiat_amount: string
  /** What one unit of the currency was worth in USDT when the order was made; null for orders in USDT. */
  rate: { price: string; source: string; time: number } | null
  /** Empty until the payer has chosen, as are chain, chain_id and address. */
  token: string
  chain: string
  chain_id: string
  /** Asked, in `token`. */
  amount: string
  /** Credited so far, in `token`. */
  paid_amount: string
  fees: string
  address: string
  subject: string
  attach: string
  /** Send your customer here. */
  pay_url: string
  created_time: number
  expire_time: number
  paid_time: number
  deposits: Deposit[]
}

export interface NewOrder {
  /** Your order number, unique per application: 1 to 64 letters, digits, '-', '_', '.', ':'. */
  out_trade_no: string
  /** Decimal string in `currency`. */
  amount: string
  /** `USDT` (the default) or a fiat currency such as `USD`, `EUR`, `CNY`. */
  currency?: string | undefined
  /** Fixes chain (its id) and token; otherwise the payer chooses. Both or neither. */
  chain?: string | undefined
  token?: string | undefined
  /** What the payer reads, at most 128 characters. */
  subject?: string | undefined
  /** Given back unchanged in callbacks, at most 512 characters. */
  attach?: string | undefined
  /** Where the payer can return to when it is over. */
  return_url?: string | undefined
  /** Instead of the notify URL of the application. */
  notify_url?: string | undefined
  /** Seconds to pay within: 300 to 86400, 1800 by default. */
  expires_in?: number | undefined
}

export interface OrderFilter {
  status?: number | undefined
  out_trade_no?: string | undefined
  /** Unix seconds. */
  start_time?: number | undefined
  end_time?: number | undefined
}

export interface Page {
  /** From 1. */
  current?: number | undefined
  /** At most 100; 10 by default. */
  pageSize?: number | undefined
}

export interface List<T> {
  list: T[]
  total: number
}

/** A chain with the tokens accepted on it. */
export interface Currency {
  id: string
  chain: string
  net_work: string
  logo: string
  confirmations: number
  tokens: { id: string; token: string; contract: string; decimals: number; logo: string; usdt_price: string }[]
}

export interface Balance {
  token: string
  chain: string
  chain_id: string
  available: string
  /** Reserved by withdrawals and refunds under way. */
  held: string
  usdt_value: string
}

export interface Balances {
  list: Balance[]
  total_usdt: string
}

/** What happened to a payment, as callbacks name it. */
export type PaymentEventType =
  | 'payment.seen'
  | 'payment.partial'
  | 'payment.paid'
  | 'payment.over'
  | 'payment.late'
  | 'payment.timeout'
  | 'payment.closed'
  | 'payment.chain_failure'
  | 'payment.error'

/** A verified callback. `id` is the same at every attempt: keep it, and do nothing when you have seen it. */
export type WebhookEvent =
  | { id: string; type: PaymentEventType; timestamp: string; data: Order }
  | { id: string; type: 'test.ping'; timestamp: string; data: { appid: string } }
