import type { AccountEvent } from './codes.ts'
import type { routes } from './routes.ts'

/**
 * Whom notifications, mails and pushes concern, by the call that they lead to: members who may make it get them. The
 * names are stored with notifications, and so is `collected`, of payments that the reader collected.
 */
export const audienceCalls = {
  everybody: 'GET /api/v1/message',
  payments: 'GET /api/v1/transactions/detail',
  refunds: 'GET /api/v1/transactions/refund-list',
  refunding: 'POST /api/v1/transactions/refund/cancel',
  recharges: 'GET /api/v1/account/recharge',
  transfers: 'GET /api/v1/account/internal-transfer',
  transferring: 'POST /api/v1/account/internal-transfer',
  withdrawals: 'GET /api/v1/account/withdrawal-list',
  withdrawing: 'POST /api/v1/account/withdrawal/cancel',
  approvals: 'GET /api/v1/approval',
  expenses: 'GET /api/v1/account/expend',
  addresses: 'DELETE /api/v1/address',
  policy: 'PUT /api/v1/account/withdrawal-policy',
  billing: 'GET /api/v1/account/billing',
  callbacks: 'GET /api/v1/callback/list',
  applications: 'PUT /api/v1/user/secret-key',
  endpoints: 'PUT /api/v1/user/webhook-endpoint',
  shops: 'PUT /api/v1/user/shop/key',
  work_orders: 'GET /api/v1/work-order',
  replying: 'POST /api/v1/work-order/reply',
  shop: 'PUT /api/v1/user/edit',
} as const satisfies Record<string, keyof typeof routes>

/** `self`: the person whom it is about, whatever the role. */
export type Audience = keyof typeof audienceCalls | 'self'

/** Events of an account that have a notification or a mail. */
export const accountEventAudiences = {
  login: 'self',
  new_device: 'self',
  password_guessed: 'self',
  password_changed: 'self',
  password_reset: 'self',
  authenticator_bound: 'self',
  authenticator_removed: 'self',
  mailbox_changed: 'self',
  phone_bound: 'self',
  sign_in_linked: 'self',
  push_added: 'self',
  security_tightened: 'self',
  security_loosened: 'self',
  wallet_linked: 'self',
  wallet_unlinked: 'self',
  passkey_added: 'self',
  passkey_removed: 'self',
  passkey_blocked: 'self',
  recovery_codes_renewed: 'self',
  recovery_code_used: 'self',
  removal_requested: 'self',
  removal_confirmed: 'self',
  removal_canceled: 'self',
  not_me: 'withdrawing',
  hold_lifted: 'withdrawing',
  withdrawal_requested: 'withdrawing',
  address_added: 'addresses',
  transfer_receiver_added: 'transferring',
  refund_requested: 'refunding',
  refund_link_made: 'refunding',
  refund_claimed: 'refunding',
  policy_tightened: 'policy',
  policy_loosened: 'policy',
  fees_changed: 'billing',
  payouts_allowed: 'applications',
  secret_key_renewed: 'applications',
  webhook_secret_renewed: 'applications',
  notify_url_changed: 'applications',
  rates_changed: 'applications',
  webhook_endpoint_changed: 'endpoints',
  shop_connected: 'shops',
  shop_key_renewed: 'shops',
  shop_webhook_changed: 'shops',
  appearance_changed: 'shop',
  approved: 'shop',
  advanced: 'shop',
  refused: 'shop',
  frozen: 'shop',
  unfrozen: 'shop',
  closed: 'shop',
} as const satisfies Partial<Record<AccountEvent, Audience>>

/** An event of an account that somebody is told of. */
export type ToldEvent = keyof typeof accountEventAudiences

/** One that concerns members of a shop by their roles, not one person. */
export type ShopEvent = {
  [Event in ToldEvent]: (typeof accountEventAudiences)[Event] extends 'self' ? never : Event
}[ToldEvent]

/** Notifications that are no events of an account. */
const messageAudiences = {
  announcement: 'everybody',
  announcement_withdrawn: 'everybody',
  chain_halted: 'everybody',
  chain_resumed: 'everybody',
  work_order_answered: 'work_orders',
  work_order_documents: 'work_orders',
  work_order_closed: 'work_orders',
  work_order_reopened: 'work_orders',
  payment_paid: 'payments',
  payment_partial: 'payments',
  payment_over: 'payments',
  payment_late: 'payments',
  payment_not_counted: 'payments',
  payment_chain_failure: 'payments',
  payment_error: 'payments',
  refund_claimed: 'refunds',
  refund_short: 'refunds',
  refund_link_expired: 'refunds',
  refund_accomplished: 'refunds',
  refund_abnormal: 'refunds',
  refund_returned: 'refunds',
  recharge_credited: 'recharges',
  recharge_reversed: 'recharges',
  deposit_returned: 'recharges',
  transfer_sent: 'transfers',
  transfer_received: 'transfers',
  withdrawal_waits: 'approvals',
  withdrawal_approved: 'withdrawals',
  withdrawal_accomplished: 'withdrawals',
  withdrawal_rejected: 'withdrawals',
  withdrawal_returned: 'withdrawals',
  withdrawal_abnormal: 'withdrawals',
  callback_given_up: 'callbacks',
  callback_withheld: 'callbacks',
  callback_page_answered: 'callbacks',
  deposit_callback_given_up: 'callbacks',
  fund_aggregation: 'expenses',
} as const satisfies Record<string, Audience>

/** A notification of something that happens in a shop. */
export type ShopMessage = keyof typeof messageAudiences
type EventMessage = `account_${ToldEvent}`
/** The key of a notification's text. */
export type NotificationMessage = ShopMessage | EventMessage

/** Whom each notification concerns. */
export const notificationAudiences = {
  ...messageAudiences,
  ...Object.fromEntries(Object.entries(accountEventAudiences).map(([event, of]) => [`account_${event}`, of])),
} as Record<NotificationMessage, Audience>
