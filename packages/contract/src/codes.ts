/**
 * Numeric codes of the wire format and the database, by name. The numbers are the specification's, or extend it; never
 * change one. Code compares by name.
 */
export * from './codes/applications.ts'
export * from './codes/logins.ts'
export * from './codes/proofs.ts'
export * from './kit/fiats.ts'

export const paymentStatus = {
  open: 1,
  paid: 2,
  timed_out: 3,
  closed: 4,
  refunding: 5,
  refunded: 6,
  /** A credited deposit was reorged out; the operator decides. */
  in_doubt: 7,
  /** A deposit was reorged out before it was final; the payment can still be paid. */
  dropped: 8,
} as const
export type PaymentState = keyof typeof paymentStatus

/** Whether a payment with this status can be paid. */
export const isPayableStatus = (status: number) => status === paymentStatus.open || status === paymentStatus.dropped

/**
 * Ways in which the amount or time of a payment's deposits deviates from the request. `marked_paid` and
 * `marked_invalid`: the merchant decided, whatever was received.
 */
export const paymentExceptions = ['none', 'partial', 'over', 'late', 'marked_paid', 'marked_invalid'] as const
export type PaymentException = (typeof paymentExceptions)[number]

/** What a merchant can mark a payment as, with the statuses in which it can. */
export const markableStatuses = {
  paid: [
    paymentStatus.open,
    paymentStatus.dropped,
    paymentStatus.timed_out,
    paymentStatus.closed,
    paymentStatus.in_doubt,
  ],
  invalid: [
    paymentStatus.open,
    paymentStatus.dropped,
    paymentStatus.timed_out,
    paymentStatus.paid,
    paymentStatus.in_doubt,
  ],
} as const
export type PaymentMark = keyof typeof markableStatuses

/** Statuses in which what was received can be given back. */
export const refundableStatuses = [
  paymentStatus.paid,
  paymentStatus.timed_out,
  paymentStatus.closed,
  paymentStatus.in_doubt,
] as const

/**
 * `abnormal`: the chain transaction reverted or its outcome is in doubt; what was reserved stays held until a person
 * decides.
 */
export const withdrawalStatus = {
  auditing: 1,
  audit_rejected: 2,
  /** Queued, signed or sent. */
  transferring: 3,
  /** In a block that is not final. */
  confirming: 4,
  accomplished: 5,
  canceled: 6,
  abnormal: 7,
} as const
export type WithdrawalState = keyof typeof withdrawalStatus

export const merchantStatus = {
  not_opened: 0,
  primary_audit: 1,
  advanced_audit: 2,
  approved: 3,
  failed_audit: 4,
  abnormal: 5,
} as const
export type MerchantState = keyof typeof merchantStatus

/** `retrying`: the last attempt failed, and another is scheduled. */
export const callbackStatus = { pending: 1, delivered: 2, retrying: 3, given_up: 4, withheld: 5 } as const
export type CallbackState = keyof typeof callbackStatus

/** Returns the name of a code; undefined for an unknown one, as a newer server may send. */
export const codeNameOf = <Name extends string>(codes: Record<Name, number>, code: number): Name | undefined =>
  (Object.keys(codes) as Name[]).find(name => codes[name] === code)

export const notificationStatus = { read: 1, unread: 2 } as const
export const workOrderStatus = { in_progress: 1, answered: 2, closed: 3 } as const
export type WorkOrderState = keyof typeof workOrderStatus
/**
 * 1 announcement, 2 login notice, 3 payment, 4 account and review, 5 fund aggregation, 6 money that moved as it should.
 */
export const notificationType = { announcement: 1, login: 2, payment: 3, account: 4, aggregation: 5, moved: 6 } as const
/** The two lists of notifications by their types: what somebody should read, and what a busy shop has hundreds of. */
export const notificationGroups = {
  notices: [
    notificationType.announcement,
    notificationType.login,
    notificationType.payment,
    notificationType.account,
  ] as readonly number[],
  money: [notificationType.aggregation, notificationType.moved] as readonly number[],
} as const
export type NotificationGroup = keyof typeof notificationGroups

/** What a notification is about, each with a page. `billing` and `security` have no id. */
export const notificationSubjects = [
  'payment',
  'refund',
  'withdrawal',
  'transfer',
  'recharge',
  'callback',
  'work_order',
  'application',
  'security',
  'billing',
] as const
export type NotificationSubject = (typeof notificationSubjects)[number]

export const refundLinkStates = ['open', 'claimed', 'canceled', 'expired'] as const

/** States of a deposit: see `Deposit` in the documentation. */
export const depositStates = ['seen', 'credited', 'dropped', 'undone'] as const
export type DepositState = (typeof depositStates)[number]

/** Types of entries in the fund flow. */
export const fundFlowTypes = [
  'payment',
  'recharge',
  'refund',
  'withdrawal',
  'transfer',
  'fee',
  'gas',
  'adjustment',
] as const
export type FundFlowType = (typeof fundFlowTypes)[number]

export const callbackEvents = [
  'payment.seen',
  'payment.partial',
  'payment.paid',
  'payment.over',
  'payment.late',
  'payment.timeout',
  'payment.closed',
  'payment.chain_failure',
  'payment.error',
  'withdrawal.created',
  'withdrawal.approved',
  'withdrawal.rejected',
  'withdrawal.sent',
  'withdrawal.confirming',
  'withdrawal.completed',
  'withdrawal.canceled',
  'withdrawal.abnormal',
  'refund.created',
  'refund.sent',
  'refund.confirming',
  'refund.completed',
  'refund.canceled',
  'refund.abnormal',
  'deposit.credited',
  'deposit.reversed',
  'test.ping',
] as const
export type CallbackEvent = (typeof callbackEvents)[number]
/** Events that an application can choose among. */
export const selectableEvents = callbackEvents.filter(event => event !== 'test.ping')
export type SelectableEvent = Exclude<CallbackEvent, 'test.ping'>
export type PaymentCallbackEvent = Extract<CallbackEvent, `payment.${string}`>
export type WithdrawalCallbackEvent = Extract<CallbackEvent, `withdrawal.${string}`>
export type RefundCallbackEvent = Extract<CallbackEvent, `refund.${string}`>
const eventsOf = <E extends CallbackEvent>(subject: string) =>
  callbackEvents.filter((event): event is E => event.startsWith(`${subject}.`))
export const paymentEvents = /* @__PURE__ */ eventsOf<PaymentCallbackEvent>('payment')
export const withdrawalEvents = /* @__PURE__ */ eventsOf<WithdrawalCallbackEvent>('withdrawal')
export const refundEvents = /* @__PURE__ */ eventsOf<RefundCallbackEvent>('refund')
/** Events of deposits at an address that an application made, see `POST /api/v1/pay/addresses`. */
export type DepositCallbackEvent = Extract<CallbackEvent, `deposit.${string}`>
export const depositEvents = /* @__PURE__ */ eventsOf<DepositCallbackEvent>('deposit')

/**
 * Failures of a callback attempt without a response. With a response, the result is its HTTP status, as in `HTTP 500`.
 * `superseded`: not sent again, because a later callback of the payment was delivered. `not_confirmed`: the body of the
 * response is not the word by which a shop's protocol confirms. `page_answered`: a web page answered, such as the
 * challenge of a proxy. `not_paid`: withheld, because it says that its order is paid in full, and it is not, or no
 * longer.
 */
export const callbackFailures = [
  'timeout',
  'host_not_found',
  'address_forbidden',
  'connection_refused',
  'connection_lost',
  'tls_error',
  'bad_answer',
  'no_address',
  'superseded',
  'not_confirmed',
  'page_answered',
  'not_paid',
] as const
export type CallbackFailure = (typeof callbackFailures)[number]

/** Entries of the audit log about an account. */
export const accountEvents = [
  'registered',
  'login',
  'logout',
  'new_device',
  'not_me',
  'hold_lifted',
  'password_guessed',
  'code_sent',
  'action_confirmed',
  'password_changed',
  'password_reset',
  'authenticator_bound',
  'authenticator_removed',
  'mailbox_changed',
  'phone_bound',
  'profile_changed',
  'session_ended',
  'sessions_ended',
  'sign_in_linked',
  'push_added',
  'push_removed',
  'channel_added',
  'channel_removed',
  'passkey_added',
  'passkey_removed',
  'passkey_blocked',
  'wallet_linked',
  'wallet_unlinked',
  'security_tightened',
  'security_loosened',
  'recovery_codes_renewed',
  'recovery_code_used',
  'removal_requested',
  'removal_confirmed',
  'removal_canceled',
  'opening_requested',
  'advanced',
  'approved',
  'refused',
  'frozen',
  'unfrozen',
  'fees_changed',
  'closed',
  'application_created',
  'application_changed',
  'appearance_changed',
  'application_deleted',
  'payouts_allowed',
  'members_allowed',
  'secret_key_renewed',
  'webhook_secret_renewed',
  'previous_secret_ended',
  'shop_connected',
  'shop_key_renewed',
  'shop_disconnected',
  'shop_webhook_changed',
  'payment_marked',
  'notify_url_changed',
  'rates_changed',
  'webhook_endpoint_changed',
  'transfer_sent',
  'transfer_receiver_added',
  'withdrawal_requested',
  'withdrawal_canceled',
  'withdrawal_approved',
  'withdrawal_rejected',
  'withdrawal_released',
  'refund_requested',
  'refund_canceled',
  'refund_approved',
  'refund_link_made',
  'refund_link_canceled',
  'refund_claimed',
  'withdrawal_settings_changed',
  'sweep_requested',
  'approval_link_sent',
  'policy_tightened',
  'policy_loosened',
  'address_added',
  'address_changed',
  'address_removed',
  'member_invited',
  'invitation_canceled',
  'member_joined',
  'member_role_changed',
  'member_removed',
  'member_left',
  'member_agreed',
  'second_factor_rule_changed',
  'shop_opened',
] as const
export type AccountEvent = (typeof accountEvents)[number]

/** Events that are also recorded when they were attempted and refused. */
export const accountAttempts = [
  'registered',
  'login',
  'code_sent',
  'action_confirmed',
  'password_changed',
  'password_reset',
  'authenticator_bound',
  'mailbox_changed',
  'phone_bound',
  'recovery_codes_renewed',
  'push_added',
  'channel_added',
  'passkey_added',
  'passkey_removed',
  'security_tightened',
  'wallet_linked',
  'wallet_unlinked',
  'closed',
  'application_created',
  'application_changed',
  'appearance_changed',
  'application_deleted',
  'secret_key_renewed',
  'webhook_secret_renewed',
  'previous_secret_ended',
  'shop_connected',
  'shop_key_renewed',
  'shop_disconnected',
  'payment_marked',
  'notify_url_changed',
  'rates_changed',
  'webhook_endpoint_changed',
  'transfer_sent',
  'withdrawal_requested',
  'refund_requested',
  'refund_link_made',
  'withdrawal_settings_changed',
  'policy_tightened',
  'member_invited',
  'member_joined',
  'member_role_changed',
  'member_removed',
  'member_left',
  'second_factor_rule_changed',
] as const satisfies readonly AccountEvent[]
export type AccountAttempt = (typeof accountAttempts)[number]

/** What confirms an identity. */
export type ConfirmationFactor =
  | 'password'
  | 'email'
  | 'phone'
  | 'google'
  | 'passkey'
  | 'wallet'
  | 'recovery'
  | 'third_party'
  | 'ticket'
