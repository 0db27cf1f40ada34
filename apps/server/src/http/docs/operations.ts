import {
  type DocumentedRoute,
  type ErrorName,
  needsIdempotencyKey,
  type RouteDefinition,
  type Routes,
  routes,
  withdrawalStatus,
} from '@coffer/contract'
import { type KeyScope, keyScopeErrors } from '@coffer/contract/kit/key-scopes.ts'
import {
  addressDepositExample,
  applicationExample,
  balancesExample,
  changedSettingsExample,
  createdAddressExample,
  createdRefundExample,
  createdWebhookEndpointExample,
  createdWithdrawalExample,
  currenciesExample,
  makeClosedOrderExample,
  makeCreatedOrderExample,
  makeCreatedPaymentLinkExample,
  makeMarkedPaidOrderExample,
  makePaidEventExample,
  makePaidOrderExample,
  memberInvitationExample,
  membersExample,
  newMemberExample,
  newOrderExample,
  newPaymentLinkExample,
  newRefundExample,
  newWebhookEndpointExample,
  newWithdrawalExample,
  sentCallbackExample,
  statisticsExample,
} from './examples.ts'

/** The calls of the public API. */
export type DocumentedKey = { [K in keyof Routes]: Routes[K] extends DocumentedRoute ? K : never }[keyof Routes]

interface Example {
  body?: unknown
  answer?: (publicUrl: string) => unknown
}

export type DocumentedOperation = DocumentedRoute['docs'] & Example

const examples: { [K in DocumentedKey]?: Example } = {
  'POST /api/v1/pay/orders': { body: newOrderExample, answer: makeCreatedOrderExample },
  'GET /api/v1/pay/orders': {
    answer: publicUrl => ({ list: [makePaidOrderExample(publicUrl)], total: 1, next_cursor: '' }),
  },
  'GET /api/v1/pay/orders/:trade_no': { answer: makePaidOrderExample },
  'POST /api/v1/pay/orders/:trade_no/close': { answer: makeClosedOrderExample },
  'POST /api/v1/pay/orders/:trade_no/mark-paid': {
    body: { reason: 'Paid in cash' },
    answer: makeMarkedPaidOrderExample,
  },
  'POST /api/v1/pay/links': { body: newPaymentLinkExample, answer: makeCreatedPaymentLinkExample },
  'GET /api/v1/pay/links': {
    answer: publicUrl => ({ list: [makeCreatedPaymentLinkExample(publicUrl)], next_cursor: '' }),
  },
  'GET /api/v1/pay/links/:id': { answer: makeCreatedPaymentLinkExample },
  'POST /api/v1/pay/links/:id/close': {
    answer: publicUrl => ({ ...makeCreatedPaymentLinkExample(publicUrl), state: 'closed' }),
  },
  'POST /api/v1/pay/addresses': {
    body: { reference: 'customer-42', chain: 'eth' },
    answer: () => createdAddressExample,
  },
  'GET /api/v1/pay/addresses': { answer: () => ({ list: [createdAddressExample], total: 1, next_cursor: '' }) },
  'GET /api/v1/pay/addresses/:id': { answer: () => createdAddressExample },
  'GET /api/v1/pay/deposits': { answer: () => ({ list: [addressDepositExample], total: 1, next_cursor: '' }) },
  'GET /api/v1/pay/application': { answer: () => applicationExample },
  'POST /api/v1/pay/application': { body: changedSettingsExample, answer: () => applicationExample },
  'GET /api/v1/pay/currencies': { answer: () => currenciesExample },
  'GET /api/v1/pay/statistics': { answer: () => statisticsExample },
  'GET /api/v1/pay/balances': { answer: () => balancesExample },
  'POST /api/v1/pay/withdrawals': { body: newWithdrawalExample, answer: () => createdWithdrawalExample },
  'GET /api/v1/pay/withdrawals': { answer: () => ({ list: [createdWithdrawalExample], total: 1, next_cursor: '' }) },
  'GET /api/v1/pay/withdrawals/:id': { answer: () => createdWithdrawalExample },
  'POST /api/v1/pay/withdrawals/:id/cancel': {
    answer: () => ({ ...createdWithdrawalExample, status: withdrawalStatus.canceled }),
  },
  'POST /api/v1/pay/refunds': { body: newRefundExample, answer: () => createdRefundExample },
  'GET /api/v1/pay/refunds': { answer: () => ({ list: [createdRefundExample], total: 1, next_cursor: '' }) },
  'GET /api/v1/pay/refunds/:id': { answer: () => createdRefundExample },
  'POST /api/v1/pay/refunds/:id/cancel': {
    answer: () => ({ ...createdRefundExample, status: withdrawalStatus.canceled }),
  },
  'GET /api/v1/pay/callbacks': { answer: () => ({ list: [sentCallbackExample], next_cursor: '' }) },
  'POST /api/v1/pay/callbacks/:id/resend': { answer: () => sentCallbackExample },
  'GET /api/v1/pay/events': {
    answer: publicUrl => ({
      list: [{ id: sentCallbackExample.id, ...makePaidEventExample(publicUrl) }],
      next_cursor: `${sentCallbackExample.created_time}-${sentCallbackExample.id}`,
    }),
  },
  'POST /api/v1/pay/webhook-endpoints': {
    body: newWebhookEndpointExample,
    answer: () => ({ endpoint: createdWebhookEndpointExample, secret: 'whsec_9Gb3kYv0d2mLwqfXJ5nT8aRzC1oE7uHi' }),
  },
  'GET /api/v1/pay/webhook-endpoints': { answer: () => ({ list: [createdWebhookEndpointExample] }) },
  'GET /api/v1/pay/members': { answer: () => membersExample },
  'POST /api/v1/pay/members': { body: newMemberExample, answer: () => memberInvitationExample },
  'POST /api/v1/checkout/:trade_no/choose': { body: { asset_id: 'eth:USDT' } },
}

/** Documented calls with their examples, in the order of the contract. */
export const operations = Object.fromEntries(
  Object.entries<RouteDefinition>(routes).flatMap(([key, { docs }]) =>
    docs ? [[key, { ...docs, ...examples[key as DocumentedKey] }]] : [],
  ),
) as Record<DocumentedKey, DocumentedOperation>

/** Possible errors of every call with a secret key. */
const keyErrors = ['bad_key', 'ip_not_allowed', 'account_frozen', 'merchant_not_open', 'application_disabled'] as const
/** Possible errors of a call whose scope the key lacks. */
type ScopeErrors = readonly (typeof keyScopeErrors)[KeyScope][]
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
export type MerchantApiErrorName =
  | OfCalls[DocumentedKey]
  | (typeof keyErrors | ScopeErrors | typeof commonErrors | typeof submitErrors | typeof pathErrors)[number]

/** Returns all possible errors of a call. */
export function listOperationErrors(key: DocumentedKey): ErrorName[] {
  const route: DocumentedRoute = routes[key]
  const ofKey =
    route.auth === 'key'
      ? [...(needsIdempotencyKey(key, route) ? submitErrors : []), keyScopeErrors[route.scope], ...keyErrors]
      : []
  return [...new Set([...route.docs.errors, ...ofKey, ...commonErrors])]
}
