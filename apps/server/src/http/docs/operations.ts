import type { ErrorName, RouteDefinition, Routes } from '@coffer/contract'
import { balances, closedOrder, createdOrder, currencies, newOrder, paidOrder } from './examples.ts'

type KeysOf<A> = { [K in keyof Routes]: Routes[K] extends { auth: A } ? K : never }[keyof Routes]
/** The calls of the public API. A new one does not compile until it is documented here. */
export type DocumentedKey = KeysOf<'key'> | Extract<keyof Routes, `${string} /api/v1/checkout/${string}`>

export interface Documented {
  id: string
  tag: 'Orders' | 'Account' | 'Checkout'
  /** Possible errors, in addition to those of every call. */
  errors: ErrorName[]
  body?: unknown
  answer?: (publicUrl: string) => unknown
}

export const operations: Record<DocumentedKey, Documented> = {
  'POST /api/v1/pay/orders': {
    id: 'createOrder',
    tag: 'Orders',
    errors: [
      'parameter_error',
      'bad_amount',
      'bad_url',
      'url_forbidden',
      'https_needed',
      'amount_too_small',
      'amount_too_large',
      'currency_not_supported',
      'price_unavailable',
      'chain_unavailable',
      'no_address_available',
      'order_conflict',
      'idempotency_conflict',
      'idempotency_in_flight',
    ],
    body: newOrder,
    answer: createdOrder,
  },
  'GET /api/v1/pay/orders': {
    id: 'listOrders',
    tag: 'Orders',
    errors: ['parameter_error'],
    answer: publicUrl => ({ list: [paidOrder(publicUrl)], total: 1 }),
  },
  'GET /api/v1/pay/orders/:trade_no': {
    id: 'getOrder',
    tag: 'Orders',
    errors: ['bad_trade_no', 'transaction_not_exist'],
    answer: paidOrder,
  },
  'POST /api/v1/pay/orders/:trade_no/close': {
    id: 'closeOrder',
    tag: 'Orders',
    errors: [
      'bad_trade_no',
      'transaction_not_exist',
      'transaction_cannot_close',
      'idempotency_conflict',
      'idempotency_in_flight',
    ],
    answer: closedOrder,
  },
  'GET /api/v1/pay/currencies': { id: 'listCurrencies', tag: 'Account', errors: [], answer: () => currencies },
  'GET /api/v1/pay/balances': { id: 'getBalances', tag: 'Account', errors: [], answer: () => balances },
  'GET /api/v1/checkout/:trade_no': {
    id: 'getCheckout',
    tag: 'Checkout',
    errors: ['bad_trade_no', 'transaction_not_exist'],
  },
  'POST /api/v1/checkout/:trade_no/choose': {
    id: 'chooseAsset',
    tag: 'Checkout',
    errors: [
      'bad_trade_no',
      'transaction_not_exist',
      'currency_not_supported',
      'price_unavailable',
      'chain_unavailable',
    ],
    body: { asset_id: 'eth:USDT' },
  },
  'GET /api/v1/checkout/:trade_no/events': {
    id: 'followCheckout',
    tag: 'Checkout',
    errors: ['bad_trade_no', 'transaction_not_exist', 'busy'],
  },
}

/** Possible errors of every call with a secret key. */
export const keyErrors: ErrorName[] = [
  'bad_key',
  'ip_not_allowed',
  'account_frozen',
  'merchant_not_open',
  'application_disabled',
]
/** Possible errors of every call. */
export const commonErrors: ErrorName[] = ['frequent_operation', 'internal', 'busy']

/** Returns all possible errors of a call. */
export const errorsOf = ({ errors }: Documented, { auth }: RouteDefinition): ErrorName[] => [
  ...new Set([...errors, ...(auth === 'key' ? keyErrors : []), ...commonErrors]),
]
