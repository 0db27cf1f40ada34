import {
  type DocumentedRoute,
  type ErrorName,
  isSubmission,
  type RouteDefinition,
  type Routes,
  routes,
  withdrawalStatus,
} from '@coffer/contract'
import {
  addressDeposit,
  balances,
  changedSettings,
  closedOrder,
  createdAddress,
  createdEndpoint,
  createdLink,
  createdOrder,
  createdRefund,
  createdWithdrawal,
  currencies,
  markedOrder,
  newEndpoint,
  newLink,
  newOrder,
  newRefund,
  newWithdrawal,
  ownApplication,
  paidEvent,
  paidOrder,
  sentCallback,
  statistics,
} from './examples.ts'

/** The calls of the public API. */
export type DocumentedKey = { [K in keyof Routes]: Routes[K] extends DocumentedRoute ? K : never }[keyof Routes]

interface Example {
  body?: unknown
  answer?: (publicUrl: string) => unknown
}

export type Documented = DocumentedRoute['docs'] & Example

const examples: { [K in DocumentedKey]?: Example } = {
  'POST /api/v1/pay/orders': { body: newOrder, answer: createdOrder },
  'GET /api/v1/pay/orders': { answer: publicUrl => ({ list: [paidOrder(publicUrl)], total: 1, next_cursor: '' }) },
  'GET /api/v1/pay/orders/:trade_no': { answer: paidOrder },
  'POST /api/v1/pay/orders/:trade_no/close': { answer: closedOrder },
  'POST /api/v1/pay/orders/:trade_no/mark-paid': { body: { reason: 'Paid in cash' }, answer: markedOrder },
  'POST /api/v1/pay/links': { body: newLink, answer: createdLink },
  'GET /api/v1/pay/links': { answer: publicUrl => ({ list: [createdLink(publicUrl)], next_cursor: '' }) },
  'GET /api/v1/pay/links/:id': { answer: createdLink },
  'POST /api/v1/pay/links/:id/close': { answer: publicUrl => ({ ...createdLink(publicUrl), state: 'closed' }) },
  'POST /api/v1/pay/addresses': { body: { reference: 'customer-42', chain: 'eth' }, answer: () => createdAddress },
  'GET /api/v1/pay/addresses': { answer: () => ({ list: [createdAddress], total: 1, next_cursor: '' }) },
  'GET /api/v1/pay/addresses/:id': { answer: () => createdAddress },
  'GET /api/v1/pay/deposits': { answer: () => ({ list: [addressDeposit], total: 1, next_cursor: '' }) },
  'GET /api/v1/pay/application': { answer: () => ownApplication },
  'POST /api/v1/pay/application': { body: changedSettings, answer: () => ownApplication },
  'GET /api/v1/pay/currencies': { answer: () => currencies },
  'GET /api/v1/pay/statistics': { answer: () => statistics },
  'GET /api/v1/pay/balances': { answer: () => balances },
  'POST /api/v1/pay/withdrawals': { body: newWithdrawal, answer: () => createdWithdrawal },
  'GET /api/v1/pay/withdrawals': { answer: () => ({ list: [createdWithdrawal], total: 1, next_cursor: '' }) },
  'GET /api/v1/pay/withdrawals/:id': { answer: () => createdWithdrawal },
  'POST /api/v1/pay/withdrawals/:id/cancel': {
    answer: () => ({ ...createdWithdrawal, status: withdrawalStatus.canceled }),
  },
  'POST /api/v1/pay/refunds': { body: newRefund, answer: () => createdRefund },
  'GET /api/v1/pay/refunds': { answer: () => ({ list: [createdRefund], total: 1, next_cursor: '' }) },
  'GET /api/v1/pay/refunds/:id': { answer: () => createdRefund },
  'POST /api/v1/pay/refunds/:id/cancel': { answer: () => ({ ...createdRefund, status: withdrawalStatus.canceled }) },
  'GET /api/v1/pay/callbacks': { answer: () => ({ list: [sentCallback], next_cursor: '' }) },
  'POST /api/v1/pay/callbacks/:id/resend': { answer: () => sentCallback },
  'GET /api/v1/pay/events': {
    answer: publicUrl => ({
      list: [{ id: sentCallback.id, ...paidEvent(publicUrl) }],
      next_cursor: `${sentCallback.created_time}-${sentCallback.id}`,
    }),
  },
  'POST /api/v1/pay/webhook-endpoints': {
    body: newEndpoint,
    answer: () => ({ endpoint: createdEndpoint, secret: 'whsec_9Gb3kYv0d2mLwqfXJ5nT8aRzC1oE7uHi' }),
  },
  'GET /api/v1/pay/webhook-endpoints': { answer: () => ({ list: [createdEndpoint] }) },
  'POST /api/v1/checkout/:trade_no/choose': { body: { asset_id: 'eth:USDT' } },
}

/** Documented calls with their examples, in the order of the contract. */
export const operations = Object.fromEntries(
  Object.entries<RouteDefinition>(routes).flatMap(([key, { docs }]) =>
    docs ? [[key, { ...docs, ...examples[key as DocumentedKey] }]] : [],
  ),
) as Record<DocumentedKey, Documented>

/** Possible errors of every call with a secret key. */
const keyErrors = ['bad_key', 'ip_not_allowed', 'account_frozen', 'merchant_not_open', 'application_disabled'] as const
/** Possible errors of every call. */
const commonErrors = ['frequent_operation', 'internal', 'busy'] as const

/** Possible errors of every call that a merchant's server may send with an Idempotency-Key. */
const submitErrors = [
  'parameter_error',
  'body_too_large',
  'idempotency_conflict',
  'idempotency_in_flight',
  'idempotency_unknown',
] as const
/** Errors of a path or method that is none of a call. */
const pathErrors = ['not_found', 'method_not_allowed'] as const

type OfCalls = { [K in DocumentedKey]: Routes[K] extends { auth: 'key' } ? Routes[K]['docs']['errors'][number] : never }
/** The errors that a merchant's server may get. */
export type KeyError =
  | OfCalls[DocumentedKey]
  | (typeof keyErrors | typeof commonErrors | typeof submitErrors | typeof pathErrors)[number]

/** Returns all possible errors of a call. */
export function errorsOf(key: DocumentedKey): ErrorName[] {
  const route: DocumentedRoute = routes[key]
  const ofKey = route.auth === 'key' ? [...(isSubmission(key, route) ? submitErrors : []), ...keyErrors] : []
  return [...new Set([...route.docs.errors, ...ofKey, ...commonErrors])]
}
