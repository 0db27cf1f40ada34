import type { AccountEvent, NotificationSubject, notificationType } from './codes.ts'
import type { SettingChannel } from './kit/message-settings.ts'
import type { RoleRestrictedCall } from './operator/calls.ts'
import type { AlertKind } from './operator/names.ts'
import type { routes } from './routes.ts'

/**
 * Whom events concern, by the call that they lead to: members who may make it are told. The names are stored with
 * notifications and messages, and so is `collected`, of payments that the reader collected.
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
  members: 'PUT /api/v1/member',
  shop: 'PUT /api/v1/user/edit',
} as const satisfies Record<string, keyof typeof routes>

/** `self`: the person whom it is about, whatever the role. */
export type Audience = keyof typeof audienceCalls | 'self'

/** What an event is about, and the parameter that finds it. */
export type EventSubject = readonly [kind: NotificationSubject, parameter?: string]

const payment: EventSubject = ['payment', 'trade_no']
const refund: EventSubject = ['refund', 'trade_no']
const recharge: EventSubject = ['recharge', 'address']
const transfer: EventSubject = ['transfer', 'id']
const withdrawal: EventSubject = ['withdrawal', 'id']
const callback: EventSubject = ['callback', 'callback']
const workOrder: EventSubject = ['work_order', 'work_order']
const application: EventSubject = ['application', 'appid']
const billing: EventSubject = ['billing']
const security: EventSubject = ['security']

/** An event that somebody is told of. */
export interface EventDefinition {
  to: Audience
  /** `lost`: money may be lost; `decide`: somebody has to act. Both are sent for longer than what is good to know. */
  urgency: 'lost' | 'decide' | 'know'
  /** The type in the list of notifications; absent: it is not in the list. Money that moved as it should is `moved`. */
  list?: keyof typeof notificationType
  /** Its name in that list, where it is not the own one. */
  listedAs?: 'account_new_device'
  /**
   * What is sent besides. `alarm`: mails to the present and every former address, and a text message to a verified
   * phone, for what a thief may have done. `push`: to the devices of the readers.
   */
  channels: readonly ('mail' | 'alarm' | 'push')[]
  /** Null: nothing that has a page, or the text says all. */
  about: EventSubject | null
  /**
   * What is due to one reader by one channel is one message, of events with the same value; null: each is its own. By
   * default that is good to know is together, and what is `lost` never is.
   */
  together?: string | null
  /** Whether its amount is the total of its order, so that the last one counts where amounts are added up. */
  isTotal?: true
}

/** Events of an account by the name that the audit log has, with the prefix `account_`. */
const accountEvents = {
  account_login: { to: 'self', urgency: 'know', list: 'login', channels: [], about: security },
  account_new_device: { to: 'self', urgency: 'lost', list: 'login', channels: ['push', 'mail'], about: security },
  account_password_guessed: { to: 'self', urgency: 'lost', list: 'login', channels: ['mail'], about: security },
  account_password_changed: { to: 'self', urgency: 'lost', list: 'account', channels: ['mail'], about: security },
  account_password_reset: { to: 'self', urgency: 'lost', list: 'account', channels: ['alarm'], about: security },
  account_authenticator_bound: { to: 'self', urgency: 'lost', list: 'account', channels: ['alarm'], about: security },
  account_authenticator_removed: { to: 'self', urgency: 'lost', list: 'account', channels: ['alarm'], about: security },
  account_mailbox_changed: {
    to: 'self',
    urgency: 'lost',
    list: 'account',
    channels: ['push', 'alarm'],
    about: security,
  },
  account_phone_bound: { to: 'self', urgency: 'lost', list: 'account', channels: ['alarm'], about: security },
  account_sign_in_linked: {
    to: 'self',
    urgency: 'lost',
    list: 'account',
    channels: ['push', 'alarm'],
    about: security,
  },
  account_push_added: { to: 'self', urgency: 'lost', list: 'account', channels: ['alarm'], about: security },
  account_channel_added: { to: 'self', urgency: 'lost', list: 'account', channels: ['alarm'], about: security },
  account_security_tightened: { to: 'self', urgency: 'lost', channels: ['mail'], about: security },
  account_security_loosened: { to: 'self', urgency: 'lost', channels: ['mail'], about: security },
  account_wallet_linked: { to: 'self', urgency: 'lost', channels: ['alarm'], about: security },
  account_wallet_unlinked: { to: 'self', urgency: 'lost', channels: ['alarm'], about: security },
  account_passkey_added: { to: 'self', urgency: 'lost', channels: ['alarm'], about: security },
  account_passkey_removed: { to: 'self', urgency: 'lost', channels: ['alarm'], about: security },
  account_passkey_blocked: { to: 'self', urgency: 'lost', channels: ['mail'], about: security },
  account_recovery_codes_renewed: { to: 'self', urgency: 'lost', channels: ['mail'], about: security },
  account_recovery_code_used: { to: 'self', urgency: 'lost', channels: ['alarm'], about: security },
  account_removal_requested: { to: 'self', urgency: 'lost', channels: ['alarm'], about: security },
  account_removal_confirmed: { to: 'self', urgency: 'lost', channels: ['alarm'], about: security },
  account_removal_canceled: { to: 'self', urgency: 'lost', channels: ['alarm'], about: security },
  account_not_me: { to: 'withdrawing', urgency: 'lost', list: 'login', channels: ['push'], about: security },
  account_hold_lifted: { to: 'withdrawing', urgency: 'decide', channels: ['mail'], about: security },
  account_withdrawal_requested: { to: 'withdrawing', urgency: 'lost', channels: ['mail'], about: withdrawal },
  account_address_added: { to: 'addresses', urgency: 'lost', channels: ['mail'], about: null },
  account_transfer_receiver_added: {
    to: 'transferring',
    urgency: 'lost',
    list: 'account',
    channels: ['alarm'],
    about: security,
  },
  account_refund_requested: { to: 'refunding', urgency: 'lost', channels: ['mail'], about: refund },
  account_refund_link_made: { to: 'refunding', urgency: 'lost', channels: ['mail'], about: payment },
  account_refund_claimed: { to: 'refunding', urgency: 'decide', channels: ['mail'], about: refund },
  account_policy_tightened: { to: 'policy', urgency: 'lost', channels: ['mail'], about: null },
  account_policy_loosened: { to: 'policy', urgency: 'lost', channels: ['mail'], about: null },
  account_fees_changed: { to: 'billing', urgency: 'know', list: 'account', channels: ['mail'], about: billing },
  account_payouts_allowed: {
    to: 'applications',
    urgency: 'lost',
    list: 'account',
    channels: ['mail'],
    about: application,
  },
  account_members_allowed: { to: 'members', urgency: 'lost', list: 'account', channels: ['mail'], about: application },
  account_secret_key_renewed: {
    to: 'applications',
    urgency: 'lost',
    list: 'account',
    channels: ['mail'],
    about: application,
  },
  account_webhook_secret_renewed: {
    to: 'applications',
    urgency: 'lost',
    list: 'account',
    channels: ['mail'],
    about: application,
  },
  account_notify_url_changed: {
    to: 'applications',
    urgency: 'lost',
    list: 'account',
    channels: ['mail'],
    about: application,
  },
  account_rates_changed: {
    to: 'applications',
    urgency: 'lost',
    list: 'account',
    channels: ['mail'],
    about: application,
  },
  account_webhook_endpoint_changed: {
    to: 'endpoints',
    urgency: 'lost',
    list: 'account',
    channels: ['mail'],
    about: application,
  },
  account_shop_connected: { to: 'shops', urgency: 'lost', channels: ['mail'], about: application },
  account_shop_key_renewed: { to: 'shops', urgency: 'lost', channels: ['mail'], about: application },
  account_shop_webhook_changed: { to: 'shops', urgency: 'lost', channels: ['mail'], about: application },
  account_appearance_changed: { to: 'shop', urgency: 'lost', channels: ['mail'], about: null },
  account_approved: { to: 'shop', urgency: 'know', list: 'account', channels: ['mail'], about: null },
  account_advanced: { to: 'shop', urgency: 'know', list: 'account', channels: [], about: null },
  account_refused: { to: 'shop', urgency: 'decide', list: 'account', channels: ['mail'], about: null },
  account_frozen: { to: 'shop', urgency: 'decide', list: 'account', channels: ['mail'], about: null },
  account_unfrozen: { to: 'shop', urgency: 'decide', list: 'account', channels: ['mail'], about: null },
  /** One for each person who is told, because all of them are members no longer. */
  account_closed: { to: 'self', urgency: 'lost', channels: ['mail'], about: null },
} as const satisfies Partial<Record<`account_${AccountEvent}`, EventDefinition>>

/** What happens in a shop, by the name that notifications and messages have. */
const shopEvents = {
  announcement: { to: 'everybody', urgency: 'know', list: 'announcement', channels: [], about: null },
  announcement_withdrawn: { to: 'everybody', urgency: 'know', list: 'announcement', channels: [], about: null },
  chain_halted: { to: 'everybody', urgency: 'know', list: 'announcement', channels: [], about: null },
  chain_resumed: { to: 'everybody', urgency: 'know', list: 'announcement', channels: [], about: null },
  work_order_answered: { to: 'work_orders', urgency: 'know', list: 'account', channels: [], about: workOrder },
  work_order_documents: { to: 'work_orders', urgency: 'know', list: 'account', channels: [], about: workOrder },
  work_order_closed: { to: 'work_orders', urgency: 'know', list: 'account', channels: [], about: workOrder },
  work_order_reopened: { to: 'work_orders', urgency: 'know', list: 'account', channels: [], about: workOrder },
  /** The operator's words, for members who may reply. */
  work_order_message: { to: 'replying', urgency: 'decide', channels: ['mail'], about: workOrder },
  payment_paid: { to: 'payments', urgency: 'know', list: 'moved', channels: ['push'], about: payment, isTotal: true },
  payment_partial: {
    to: 'payments',
    urgency: 'know',
    list: 'payment',
    channels: ['push'],
    about: payment,
    isTotal: true,
  },
  payment_over: { to: 'payments', urgency: 'know', list: 'payment', channels: ['push'], about: payment, isTotal: true },
  payment_late: { to: 'payments', urgency: 'know', list: 'payment', channels: ['push'], about: payment, isTotal: true },
  payment_not_counted: { to: 'payments', urgency: 'know', list: 'payment', channels: [], about: payment },
  payment_chain_failure: { to: 'payments', urgency: 'know', list: 'payment', channels: [], about: payment },
  payment_error: { to: 'payments', urgency: 'know', list: 'payment', channels: [], about: payment },
  refund_claimed: { to: 'refunds', urgency: 'know', list: 'payment', channels: [], about: refund },
  // Nothing was made that refund records list.
  refund_short: { to: 'refunds', urgency: 'know', list: 'payment', channels: [], about: payment },
  refund_link_expired: { to: 'refunds', urgency: 'know', list: 'payment', channels: [], about: payment },
  refund_accomplished: { to: 'refunds', urgency: 'know', list: 'moved', channels: [], about: refund },
  refund_abnormal: { to: 'refunds', urgency: 'know', list: 'payment', channels: [], about: refund },
  refund_returned: { to: 'refunds', urgency: 'know', list: 'payment', channels: [], about: refund },
  recharge_credited: { to: 'recharges', urgency: 'know', list: 'moved', channels: [], about: recharge },
  recharge_reversed: { to: 'recharges', urgency: 'know', list: 'payment', channels: [], about: recharge },
  deposit_returned: { to: 'recharges', urgency: 'know', list: 'payment', channels: [], about: null },
  transfer_sent: { to: 'transfers', urgency: 'know', list: 'moved', channels: [], about: transfer },
  transfer_received: { to: 'transfers', urgency: 'know', list: 'moved', channels: [], about: transfer },
  withdrawal_waits: {
    to: 'approvals',
    urgency: 'decide',
    list: 'payment',
    channels: ['push'],
    about: withdrawal,
    together: 'approvals',
  },
  withdrawal_approved: { to: 'withdrawals', urgency: 'know', list: 'payment', channels: [], about: withdrawal },
  withdrawal_accomplished: { to: 'withdrawals', urgency: 'know', list: 'moved', channels: [], about: withdrawal },
  withdrawal_rejected: { to: 'withdrawals', urgency: 'know', list: 'payment', channels: [], about: withdrawal },
  withdrawal_returned: { to: 'withdrawals', urgency: 'know', list: 'payment', channels: [], about: withdrawal },
  withdrawal_abnormal: { to: 'withdrawals', urgency: 'know', list: 'payment', channels: [], about: withdrawal },
  callback_given_up: { to: 'callbacks', urgency: 'know', list: 'payment', channels: [], about: callback },
  callback_withheld: { to: 'callbacks', urgency: 'know', list: 'payment', channels: [], about: callback },
  callback_page_answered: { to: 'callbacks', urgency: 'know', list: 'payment', channels: [], about: callback },
  deposit_callback_given_up: { to: 'callbacks', urgency: 'know', list: 'payment', channels: [], about: callback },
  // Its page is a dialog of its own.
  fund_aggregation: { to: 'expenses', urgency: 'know', list: 'aggregation', channels: [], about: null },
} as const satisfies Record<string, EventDefinition>

/** What happens to people. */
const personEvents = {
  /** A sign-in on a new device that holds withdrawals. */
  new_device_held: {
    to: 'self',
    urgency: 'lost',
    list: 'login',
    listedAs: 'account_new_device',
    channels: ['push', 'alarm'],
    about: security,
  },
  /** For the person whose account it was. */
  own_sign_in_reported: { to: 'self', urgency: 'lost', channels: ['mail'], about: security },
  /** For owners, of who else belongs to the shop. */
  members_changed: { to: 'members', urgency: 'lost', channels: ['mail'], about: null },
  /** For whoever added a chat or system that takes no messages any more. */
  channel_refused: {
    to: 'self',
    urgency: 'decide',
    list: 'account',
    channels: ['mail'],
    about: security,
    together: null,
  },
  /** For the person whose part in the shop changed, also one who has none any more. */
  membership_changed: { to: 'self', urgency: 'know', channels: ['mail'], about: null, together: null },
} as const satisfies Record<string, EventDefinition>

const all = { ...accountEvents, ...shopEvents, ...personEvents }

/** The name of an event, which is stored. */
export type EventName = keyof typeof all

/** All events, each with whom it concerns and how they are told. */
export const events: Record<EventName, EventDefinition> = all

type Sent<Channel extends string> = {
  [Name in EventName]: Channel extends (typeof all)[Name]['channels'][number] ? Name : never
}[EventName]

/** An event that the list of notifications has, under its own name. */
export type ListedEvent = {
  [Name in EventName]: (typeof all)[Name] extends { listedAs: string }
    ? never
    : (typeof all)[Name] extends { list: string }
      ? Name
      : never
}[EventName]

/** An event of the installation, which operators are mailed of. */
interface OperatorEventDefinition extends Pick<EventDefinition, 'urgency'> {
  /** The call that it leads to: operators who may make it are told. `self`: the person whom it is about. */
  to: RoleRestrictedCall | 'self'
}

const allOfOperators = {
  /** Who may use the console changed, or an owner asks for it. */
  operators_changed: { to: 'PUT /api/operator/v1/operators/:id', urgency: 'lost' },
  operator_new_device: { to: 'self', urgency: 'lost' },
  operator_password_guessed: { to: 'self', urgency: 'lost' },
} as const satisfies Record<string, OperatorEventDefinition>

/** The name of an event of the installation, which is stored. */
export type OperatorEventName = keyof typeof allOfOperators

/** All events of the installation. */
export const operatorEvents: Record<OperatorEventName, OperatorEventDefinition> = allOfOperators

/** An event that may be one message with others. */
export type GroupedEvent = {
  [Name in EventName]: (typeof all)[Name] extends { together: infer Group }
    ? Group extends string
      ? Name
      : never
    : (typeof all)[Name] extends { urgency: 'know' }
      ? Name
      : never
}[EventName]

/** What events are one message with: those that have the same; null for one that is always its own. */
export const groupOf = ({ urgency, together }: Pick<EventDefinition, 'urgency' | 'together'>): string | null =>
  together === undefined ? (urgency === 'know' ? 'news' : null) : together

/**
 * Returns how an event is told by a channel unless its reader changes that; undefined where it is not. A device shows
 * what the list of notifications has, and a chat what does not concern one person alone.
 */
export function findDefaultMode(name: EventName, channel: SettingChannel): 'now' | 'off' | undefined {
  const { to, channels, list, listedAs }: EventDefinition = events[name]
  const isMailed = channels.includes('mail') || channels.includes('alarm')
  // Those of the platform are for everybody, in the list alone.
  if (list === 'announcement' || (listedAs && channel === 'push')) return undefined
  if (channel === 'mail') return isMailed ? 'now' : 'off'
  if (channel === 'push') return list && (channels.includes('push') ? 'now' : 'off')
  if (to === 'self') return undefined
  return channels.length > 0 ? 'now' : 'off'
}

/** Events whose readers choose how they are told: all but those in which money may be lost, which always come. */
export const settingEvents = (Object.keys(events) as EventName[]).filter(
  name => events[name].urgency !== 'lost' && findDefaultMode(name, 'mail') !== undefined,
)

/** An event that is sent by mail. */
export type MailedEvent = Sent<'mail'> | Sent<'alarm'> | OperatorEventName

/** An event of a shop, not of a person. */
export type ShopEvent = keyof typeof shopEvents

/** Returns the definition of a stored name; undefined for one of another version of the server. */
export const findEvent = (name: string): EventDefinition | undefined =>
  Object.hasOwn(events, name) ? events[name as EventName] : undefined

/**
 * What operators are told of while it lasts, by the call that it leads to. Its texts are made when they are sent.
 * `asked`: that of a decision is the one that waits for a second person.
 */
const allAlerts = {
  alert_incident: { to: 'POST /api/operator/v1/incidents/:id/take', urgency: 'decide' },
  /** For who was told of it, in one mail with what has to be decided. */
  alert_incident_ended: { to: 'POST /api/operator/v1/incidents/:id/take', urgency: 'decide' },
  alert_withdrawal: { to: 'POST /api/operator/v1/withdrawals/:id/approve', urgency: 'decide' },
  alert_refund: { to: 'POST /api/operator/v1/refunds/:id/approve', urgency: 'decide' },
  alert_opening: { to: 'POST /api/operator/v1/merchants/:id/review', urgency: 'decide' },
  alert_removal: { to: 'POST /api/operator/v1/merchants/:id/remove-authenticator', urgency: 'decide' },
  alert_decision: { to: 'asked', urgency: 'decide' },
} as const satisfies Record<
  `alert_${AlertKind}` | 'alert_incident_ended',
  Pick<EventDefinition, 'urgency'> & { to: RoleRestrictedCall | 'asked' }
>

/** The name of an alert, which is stored. */
export type AlertName = keyof typeof allAlerts

/** All alerts. */
export const alerts: Record<AlertName, Pick<EventDefinition, 'urgency'> & { to: RoleRestrictedCall | 'asked' }> =
  allAlerts

export const isAlertName = (name: string): name is AlertName => Object.hasOwn(alerts, name)

/** Returns how urgent a stored name is; `know` for one of another version of the server. */
export const findUrgency = (name: string): EventDefinition['urgency'] =>
  isAlertName(name)
    ? alerts[name].urgency
    : Object.hasOwn(operatorEvents, name)
      ? operatorEvents[name as OperatorEventName].urgency
      : (findEvent(name)?.urgency ?? 'know')
