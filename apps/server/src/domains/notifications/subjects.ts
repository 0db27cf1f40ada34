import { type NotificationSubject, notificationType } from '@coffer/contract/codes.ts'
import type { MessageKey } from './messages.ts'

/** Money that moved as it should: a busy shop has hundreds, so that they are listed and counted apart. */
const moved: readonly string[] = [
  'payment_paid',
  'recharge_credited',
  'refund_accomplished',
  'transfer_sent',
  'transfer_received',
  'withdrawal_accomplished',
] satisfies MessageKey[]

/** The type of a notification about money. */
export const getMoneyNotificationType = (message: MessageKey): number =>
  moved.includes(message) ? notificationType.moved : notificationType.payment

type Subject = readonly [kind: NotificationSubject, parameter?: string]

const payment: Subject = ['payment', 'trade_no']
const refund: Subject = ['refund', 'trade_no']
const recharge: Subject = ['recharge', 'address']
const transfer: Subject = ['transfer', 'id']
const withdrawal: Subject = ['withdrawal', 'id']
const callback: Subject = ['callback', 'callback']
const workOrder: Subject = ['work_order', 'work_order']
const application: Subject = ['application', 'appid']
const security: Subject = ['security']

/**
 * What each notification is about, and the parameter that finds it. Null: nothing that has a page, or the text says
 * all.
 */
export const notificationSubjectByMessage: Record<MessageKey, Subject | null> = {
  account_login: security,
  account_new_device: security,
  account_not_me: security,
  account_password_guessed: security,
  account_password_changed: security,
  account_password_reset: security,
  account_authenticator_bound: security,
  account_authenticator_removed: security,
  account_mailbox_changed: security,
  account_phone_bound: security,
  account_sign_in_linked: security,
  account_push_added: security,
  account_transfer_receiver_added: security,
  account_payouts_allowed: application,
  account_secret_key_renewed: application,
  account_webhook_secret_renewed: application,
  account_notify_url_changed: application,
  account_rates_changed: application,
  account_webhook_endpoint_changed: application,
  account_approved: null,
  account_advanced: null,
  account_refused: null,
  account_frozen: null,
  account_unfrozen: null,
  account_fees_changed: ['billing'],
  announcement: null,
  announcement_withdrawn: null,
  work_order_answered: workOrder,
  work_order_documents: workOrder,
  work_order_closed: workOrder,
  work_order_reopened: workOrder,
  payment_paid: payment,
  payment_partial: payment,
  payment_over: payment,
  payment_late: payment,
  payment_not_counted: payment,
  payment_chain_failure: payment,
  payment_error: payment,
  refund_claimed: refund,
  // Nothing was made that refund records list.
  refund_short: payment,
  refund_link_expired: payment,
  refund_accomplished: refund,
  refund_abnormal: refund,
  refund_returned: refund,
  recharge_credited: recharge,
  recharge_reversed: recharge,
  deposit_returned: null,
  transfer_sent: transfer,
  transfer_received: transfer,
  withdrawal_waits: withdrawal,
  withdrawal_approved: withdrawal,
  withdrawal_accomplished: withdrawal,
  withdrawal_rejected: withdrawal,
  withdrawal_returned: withdrawal,
  withdrawal_abnormal: withdrawal,
  callback_given_up: callback,
  callback_withheld: callback,
  callback_page_answered: callback,
  deposit_callback_given_up: callback,
  // Its page is a dialog of its own.
  fund_aggregation: null,
  chain_halted: null,
  chain_resumed: null,
}
