// Generated from packages/contract by tools/sdk-types.ts; run "node tools/generated.ts" to write it again.

/** Language of error texts. */
export type Language = 'en-US' | 'zh-CN'

export interface NewOrder {
  /** Your order number, unique per application: letters, digits, - _ . and : (1 to 64). */
  out_trade_no: string
  /** Decimal string, in `currency`. At most 40 characters. */
  amount: string
  /** USDT or a fiat currency such as USD, EUR, CNY. USDT by default. */
  currency?: string | undefined
  /** The id of a chain. With `token` it fixes what is paid in; otherwise the payer chooses. At most 64 characters. */
  chain?: string | undefined
  /** The token on that chain. At most 20 characters. */
  token?: string | undefined
  /** What the payer reads. At most 128 characters. */
  subject?: string | undefined
  /** Given back unchanged in answers and callbacks. At most 512 characters. */
  attach?: string | undefined
  /** Where the payer can go when it is over. */
  return_url?: string | undefined
  /** Instead of the notify URL of the application. */
  notify_url?: string | undefined
  /** Seconds to pay within. 300 to 86400, 1800 by default. */
  expires_in?: number | undefined
}

export interface OrderFilter {
  /** Unix seconds. */
  start_time?: number | undefined
  /** Unix seconds. */
  end_time?: number | undefined
  /** 1 to 8. */
  status?: number | undefined
  out_trade_no?: string | undefined
}

export interface Page {
  /** 1 by default. */
  current?: number | undefined
  /** 1 to 100, 10 by default. */
  pageSize?: number | undefined
}

/** What is unusual about the money that came. */
export type PaymentException = 'none' | 'partial' | 'over' | 'late'

/** A transfer on a chain to the address of a payment. */
export interface Deposit {
  /** When it was credited; 0 while it waits for confirmations. */
  confirmation_time: number
  /** Unix seconds. */
  seen_time: number
  /** The transaction. */
  txid: string
  /** The transaction at an explorer; empty where there is none. */
  browser_url: string
  chain: string
  /** What arrived, in `token`. */
  amount: string
  /** What the payer paid for the transaction, in the native coin. */
  gas: string
  /** The native coin. */
  gas_token: string
  token: string
  to_address: string
  from_address: string
  /** The token standard by which payers know the network. */
  net: string
  confirmations: number
  required_confirmations: number
  /** seen: waits for confirmations; credited: final; dropped: left the chain before; undone: taken back after. */
  state: 'seen' | 'credited' | 'dropped' | 'undone'
  /** It came after the payment was over. */
  late: boolean
}

/** A payment. Amounts are decimal strings, never numbers; times are unix seconds, 0 when there is none. */
export interface Order {
  /** Order number of the platform, 32 digits. */
  trade_no: string
  /** Your order number. */
  out_trade_no: string
  /** The application it belongs to. */
  appid: string
  /** 1 To be paid, 2 Account paid, 3 Transaction timeout, 4 Transaction closed, 5 Under refund, 6 Refunded, 7 Error, 8 Chain confirmation failure. */
  status: number
  exception: PaymentException
  /** Asked, in USDT. */
  usdt_amount: string
  /** The fiat currency asked in; empty for USDT. */
  fiat_name: string
  /** Asked, in that currency. */
  fiat_amount: string
  /** What one unit of the currency was worth in USDT when the payment was made; null for USDT. */
  rate: {
    /** Decimal string. */
    price: string
    source: string
    /** Unix seconds. */
    time: number
  } | null
  /** Empty until the payer has chosen, as are chain, chain_id and address. */
  token: string
  /** The name of the chain. */
  chain: string
  /** The id of the chain, as in the list of currencies. */
  chain_id: string
  /** Asked, in `token`. */
  amount: string
  /** Credited so far, in `token`. */
  paid_amount: string
  /** Our fee, in `token`. */
  fees: string
  /** Where the payer sends to. */
  address: string
  subject: string
  /** As you gave it. */
  attach: string
  /** Send your customer here. */
  pay_url: string
  /** Unix seconds. */
  created_time: number
  /** Until when it can be paid. */
  expire_time: number
  /** When enough had come; 0 while not paid. */
  paid_time: number
  /** The transfers that were seen, oldest first; of more than 100 the last 100. */
  deposits: Deposit[]
}

export interface OrderList {
  list: Order[]
  total: number
}

/** A chain with the tokens accepted on it. */
export interface Currency {
  /** Of the chain. */
  id: string
  /** Its name. */
  chain: string
  /** The token standard by which payers know it. */
  net_work: string
  logo: string
  /** Blocks after which a deposit is final. */
  confirmations: number
  tokens: {
    /** Of the asset. */
    id: string
    token: string
    /** Empty for the native coin. */
    contract: string
    decimals: number
    logo: string
    /** Last known; 0 when there is none. */
    usdt_price: string
  }[]
}

export interface Balance {
  token: string
  chain: string
  chain_id: string
  /** What can be withdrawn or refunded. */
  available: string
  /** Reserved by withdrawals and refunds under way. */
  held: string
  /** Of both, at the last known price. */
  usdt_value: string
}

export interface Balances {
  list: Balance[]
  /** Decimal string. */
  total_usdt: string
}

/** What happened to a payment. */
export type PaymentEventType = 'payment.seen' | 'payment.partial' | 'payment.paid' | 'payment.over' | 'payment.late' | 'payment.timeout' | 'payment.closed' | 'payment.chain_failure' | 'payment.error'

/** A verified callback. */
export type WebhookEvent = {
  /** The same at every attempt: keep it, and do nothing when you have seen it. */
  id: string
  type: PaymentEventType
  /** When it happened. */
  timestamp: string
  data: Order
} | {
  /** The same at every attempt: keep it, and do nothing when you have seen it. */
  id: string
  type: 'test.ping'
  timestamp: string
  data: {
    appid: string
  }
}

/** The codes of `status`. */
export const paymentStatus = {
  /** To be paid. */
  open: 1,
  /** Account paid. */
  paid: 2,
  /** Transaction timeout. */
  timed_out: 3,
  /** Transaction closed. */
  closed: 4,
  /** Under refund. */
  refunding: 5,
  /** Refunded. */
  refunded: 6,
  /** Error. */
  in_doubt: 7,
  /** Chain confirmation failure. */
  dropped: 8,
} as const

/** What a call can be refused with. */
export const errorCodes = {
  /** Parameter error. */
  parameter_error: 10002,
  /** Currency not supported temporarily. */
  currency_not_supported: 10004,
  /** No address available. */
  no_address_available: 10005,
  /** Non-existent transaction. */
  transaction_not_exist: 10006,
  /** Frequent operation. */
  frequent_operation: 10010,
  /** Amount is too small. */
  amount_too_small: 10022,
  /** Please enter the correct URL. */
  bad_url: 10041,
  /** Please enter a correct amount. */
  bad_amount: 10048,
  /** A trade number has 32 digits. */
  bad_trade_no: 10051,
  /** This order number was used with other contents. */
  order_conflict: 10056,
  /** This Idempotency-Key was used with another request. */
  idempotency_conflict: 10057,
  /** The first request with this Idempotency-Key is still running. */
  idempotency_in_flight: 10058,
  /** No trustworthy price right now, please try again shortly. */
  price_unavailable: 10059,
  /** This transaction can no longer be closed. */
  transaction_cannot_close: 10060,
  /** This application is disabled. */
  application_disabled: 10061,
  /** This account is frozen, please contact the operator. */
  account_frozen: 10063,
  /** Please open merchant permission first. */
  merchant_not_open: 10064,
  /** This IP address is not on the whitelist of the application. */
  ip_not_allowed: 10065,
  /** This URL points to an address that cannot be called. */
  url_forbidden: 10070,
  /** This network is not available right now. */
  chain_unavailable: 10074,
  /** Amount is too large. */
  amount_too_large: 10075,
  /** The API key is not valid. */
  bad_key: 10076,
  /** Something went wrong on our side. */
  internal: 500,
  /** The service is busy, please try again. */
  busy: 503,
} as const
