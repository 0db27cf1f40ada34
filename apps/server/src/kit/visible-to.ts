import { type CallbackEvent, callbackEvents, type RouteKey, routes } from '@coffer/contract'
import { type MerchantRole, seesOwnPaymentsOnly } from '@coffer/contract/kit/merchant-roles.ts'
import type { Live, LiveHint } from './live.ts'

/** Whose payments are read or changed: those of a shop, all of them or what one person collected. */
export interface PaymentScope {
  merchantId: string
  /** The person's id; null for all. */
  collectedBy: string | null
}

/** Returns whose payments a signed-in person may see. Every call that a clerk may make is limited by it. */
export const visibleTo = (session: { merchantId: string; personId: string; role: MerchantRole }): PaymentScope => ({
  merchantId: session.merchantId,
  collectedBy: seesOwnPaymentsOnly(session.role) ? session.personId : null,
})

/** All payments of a shop: for its keys, for operators, and for what the server does by itself. */
export const wholeShop = (merchantId: string): PaymentScope => ({ merchantId, collectedBy: null })

/** The calls that hints lead to: who may not read a list does not hear that it changed. */
const callsOfHints = {
  payment: 'GET /api/v1/transactions/list',
  deposit: 'GET /api/v1/transactions/list',
  link: 'GET /api/v1/payment-link',
  callback: 'GET /api/v1/callback/list',
  balance: 'GET /api/v1/account/stream',
  withdrawal: 'GET /api/v1/account/withdrawal-list',
  notification: 'GET /api/v1/message',
  account: 'GET /api/v1/user/events',
} as const satisfies Record<Exclude<LiveHint['type'], 'message'>, RouteKey>

const mayCall = (
  role: MerchantRole,
  call: (typeof callsOfHints)[keyof typeof callsOfHints] | CallOfCallbacks,
): boolean => {
  const who: readonly MerchantRole[] = routes[call].who
  return who.includes(role)
}

/** Whether hints of a type may be passed on to a role. That there are messages to send concerns nobody outside. */
export const mayHear = (role: MerchantRole, type: LiveHint['type']): boolean =>
  type !== 'message' && mayCall(role, callsOfHints[type])

/** The calls that show what callbacks tell of, by the subject of their events. */
const callsOfCallbacks = {
  payment: 'GET /api/v1/transactions/list',
  refund: 'GET /api/v1/transactions/refund-list',
  withdrawal: 'GET /api/v1/account/withdrawal-list',
  deposit: 'GET /api/v1/account/recharge',
  test: 'GET /api/v1/callback/list',
} as const satisfies Record<CallbackSubject, RouteKey>
type CallbackSubject = CallbackEvent extends `${infer Subject}.${string}` ? Subject : never
type CallOfCallbacks = (typeof callsOfCallbacks)[CallbackSubject] | 'POST /api/v1/callback/resend'

/** Lists the events whose callbacks a role sees: who sends them again all, others those of what they may see. */
export const visibleCallbackEvents = (role: MerchantRole): readonly CallbackEvent[] =>
  mayCall(role, 'POST /api/v1/callback/resend')
    ? callbackEvents
    : callbackEvents.filter(event => mayCall(role, callsOfCallbacks[event.split('.')[0] as CallbackSubject]))

/**
 * Whether a hint may be passed on. Who sees own payments hears of these and of own links alone: also that something
 * changed, such as a balance, tells of what others do.
 */
export const isHintVisible = ({ collectedBy }: PaymentScope, { person = '' }: LiveHint): boolean =>
  collectedBy === null || person === collectedBy

/**
 * Returns hints of what has changed in the last `ms` milliseconds. Only the last hint of a type is remembered: who sees
 * own payments gets the same hints at any time.
 */
export const recentHints = (live: Live, { merchantId, collectedBy }: PaymentScope, ms: number) =>
  collectedBy === null
    ? live.recent(merchantId, ms)
    : (['payment', 'link', 'account'] as const).map(type => ({ merchant_id: merchantId, type, id: '' }))
