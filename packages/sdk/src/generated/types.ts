// Generated from packages/contract by tools/sdk-types.ts; run "node tools/generated.ts" to write it again.

/** Language of error texts. */
export type Language = 'en-US' | 'zh-CN'

/** An order to create. */
export interface NewOrder {
  /** Your order number, unique per application: 1 to 64 printable characters, with spaces only between others. At most 64 characters. */
  out_trade_no: string
  /** Amount in `currency`, as a decimal string. At most 40 characters. */
  amount: string
  /** USDT, another token such as ETH or USDC, or a fiat currency such as USD, EUR or CNY; by default USDT. */
  currency?: string | undefined
  /** ID of a chain. Together with `token`, fixes the asset to pay in; without them, the payer chooses. At most 64 characters. */
  chain?: string | undefined
  /** Token on that chain. At most 20 characters. */
  token?: string | undefined
  /** Description shown to the payer. At most 128 characters. */
  subject?: string | undefined
  /** Custom data, returned unchanged in responses and callbacks. At most 512 characters. */
  attach?: string | undefined
  /** Custom data as an object of texts, numbers and booleans, returned in responses and callbacks. At most 50 keys and 16 kB. Orders can be listed by it. */
  metadata?: Record<string, string | number | boolean> | undefined
  /** URL to which the payer can return from the checkout page. At most 500 characters. */
  return_url?: string | undefined
  /** URL to which the payer can return without paying; by default, there is no such link. At most 500 characters. */
  cancel_url?: string | undefined
  /** Whether the checkout page goes to return_url once the order is paid, and to cancel_url once it is closed. It first shows where. */
  auto_redirect?: boolean | undefined
  /** Shortfall up to which the order counts as paid, in thousandths; at most, and by default, the application’s. 0 to 50. */
  tolerance_permille?: number | undefined
  /** Notify URL of this order, instead of the application’s. At most 500 characters. */
  notify_url?: string | undefined
  /** Seconds until the order expires; by default 1800. 300 to 86400. */
  expires_in?: number | undefined
}

export interface OrderFilter {
  /** Created at or after this time, in Unix seconds. */
  start_time?: number | undefined
  /** Created at or before this time, in Unix seconds. */
  end_time?: number | undefined
  /** Status of the orders. 1 to 8. */
  status?: number | undefined
  /** Your order number. At most 64 characters. */
  out_trade_no?: string | undefined
  /** Exception of the orders. */
  exception?: 'partial' | 'over' | 'late' | 'marked_paid' | 'marked_invalid' | undefined
  /** Start of an order number, or starts of words of the subject and of your custom data; finds the newest 2,000 at most. At most 64 characters. */
  text?: string | undefined
  /** Deposit address. At most 64 characters. */
  address?: string | undefined
  /** Transaction hash of a transfer. */
  txid?: string | undefined
  /** Entry of the metadata as key=value, such as customer=42. At most 1000 characters. */
  metadata?: string | undefined
}

export interface Page {
  /** Page, counted from 1; by default 1. */
  current?: number | undefined
  /** Entries per page; by default 10. 1 to 100. */
  pageSize?: number | undefined
  /** `next_cursor` of the page before, instead of `current`: new orders do not shift the pages. Send the same filters. With `text`, pages go on beyond its newest 2,000. */
  cursor?: string | undefined
}

/** A mark of an order as paid. */
export interface PaidMark {
  /** Why, as the history of the payment shows it. At most 200 characters. */
  reason: string
}

/** A withdrawal to request. */
export interface NewWithdrawal {
  /** Your own number, unique per application: 1 to 64 printable characters. At most 64 characters. */
  out_no: string
  /** ID of the chain. At most 64 characters. */
  chain: string
  /** Token on that chain. At most 20 characters. */
  token: string
  /** Amount taken from the balance, in the token. Fee and gas are included. At most 40 characters. */
  amount: string
  /** Receiving address. At most 128 characters. */
  address: string
  /** Shown in the back-office. At most 200 characters. */
  remark?: string | undefined
}

export interface WithdrawalFilter {
  /** Page, counted from 1; by default 1. */
  current?: number | undefined
  /** Entries per page; by default 10. 1 to 100. */
  pageSize?: number | undefined
  /** `next_cursor` of the page before, instead of `current`: new entries do not shift the pages. Send the same filters. */
  cursor?: string | undefined
  /** Created at or after this time, in Unix seconds. */
  start_time?: number | undefined
  /** Created at or before this time, in Unix seconds. */
  end_time?: number | undefined
  /** Status of the payouts. 1 to 7. */
  status?: number | undefined
  /** Your own number, unique per application: 1 to 64 printable characters. At most 64 characters. */
  out_no?: string | undefined
}

/** A refund to request. */
export interface NewRefund {
  /** Your own number, unique per application: 1 to 64 printable characters. At most 64 characters. */
  out_no: string
  /** Number of the order. */
  trade_no: string
  /** What is given back; for a part, name the amount. */
  kind: 'surplus' | 'part' | 'all'
  /** Amount in the token of the order, for a part. At most 40 characters. */
  amount?: string | undefined
  /** token, by default: as paid; fiat: what the price of the order is worth in the token today, at most what was paid. */
  basis?: 'token' | 'fiat' | undefined
  /** Who pays the gas. */
  gas_payer: 'merchant' | 'payer'
  /** Receiving address. At most 128 characters. */
  address: string
  /** Shown in the back-office. At most 200 characters. */
  reason?: string | undefined
}

/** A refund link to make. */
export interface NewRefundLink {
  /** Your own number, unique per application: 1 to 64 printable characters. At most 64 characters. */
  out_no: string
  /** Number of the order. */
  trade_no: string
  /** What is given back; for a part, name the amount. */
  kind: 'surplus' | 'part' | 'all'
  /** Who pays the gas. */
  gas_payer: 'merchant' | 'payer'
  /** Amount in the token of the order, for a part. At most 40 characters. */
  amount?: string | undefined
  /** Shown in the back-office. At most 200 characters. */
  reason?: string | undefined
  /** token: as paid; fiat: what the price of the order is worth in the token today, at most what was paid. */
  basis?: 'token' | 'fiat' | undefined
}

export interface RefundFilter {
  /** Page, counted from 1; by default 1. */
  current?: number | undefined
  /** Entries per page; by default 10. 1 to 100. */
  pageSize?: number | undefined
  /** `next_cursor` of the page before, instead of `current`: new entries do not shift the pages. Send the same filters. */
  cursor?: string | undefined
  /** Created at or after this time, in Unix seconds. */
  start_time?: number | undefined
  /** Created at or before this time, in Unix seconds. */
  end_time?: number | undefined
  /** Status of the payouts. 1 to 7. */
  status?: number | undefined
  /** Your own number, unique per application: 1 to 64 printable characters. At most 64 characters. */
  out_no?: string | undefined
  /** Number of the order. */
  trade_no?: string | undefined
}

/** An address to create. */
export interface NewAddress {
  /** Your reference, unique per application: 1 to 64 printable characters. At most 64 characters. */
  reference: string
  /** ID of a chain. At most 64 characters. */
  chain: string
}

export interface AddressFilter {
  /** Page, counted from 1; by default 1. */
  current?: number | undefined
  /** Entries per page; by default 10. 1 to 100. */
  pageSize?: number | undefined
  /** `next_cursor` of the page before, instead of `current`: new entries do not shift the pages. Send the same filters. */
  cursor?: string | undefined
  /** Your reference, unique per application: 1 to 64 printable characters. At most 64 characters. */
  reference?: string | undefined
  /** The whole address. At most 128 characters. */
  address?: string | undefined
  /** ID of a chain. At most 64 characters. */
  chain?: string | undefined
}

export interface CallbackFilter {
  /** Created at or after this time, in Unix seconds. */
  start_time?: number | undefined
  /** Created at or before this time, in Unix seconds. */
  end_time?: number | undefined
  /** Status of the callbacks. 1 to 5. */
  status?: number | undefined
  /** Type of the event. */
  event?: 'payment.seen' | 'payment.partial' | 'payment.paid' | 'payment.over' | 'payment.late' | 'payment.timeout' | 'payment.closed' | 'payment.chain_failure' | 'payment.error' | 'withdrawal.created' | 'withdrawal.approved' | 'withdrawal.rejected' | 'withdrawal.sent' | 'withdrawal.confirming' | 'withdrawal.completed' | 'withdrawal.canceled' | 'withdrawal.abnormal' | 'refund.created' | 'refund.sent' | 'refund.confirming' | 'refund.completed' | 'refund.canceled' | 'refund.abnormal' | 'deposit.credited' | 'deposit.reversed' | 'test.ping' | undefined
  /** Number of the payment, withdrawal or refund. */
  trade_no?: string | undefined
  /** Entries per page; by default 10. 1 to 100. */
  pageSize?: number | undefined
  /** `next_cursor` of the page before. Send the same filters. */
  cursor?: string | undefined
}

/** A payment link to create. */
export interface NewPaymentLink {
  /** What is paid for, as the payer sees it. At most 100 characters. */
  title: string
  /** USDT, another token such as ETH or USDC, or a fiat currency such as USD, EUR or CNY; by default USDT. */
  currency?: string | undefined
  /** Amount of each payment in `currency`; empty, as by default: the payer enters it. At most 40 characters. */
  amount?: string | undefined
  /** Minimum amount to enter, for a link without an amount; by default none. At most 40 characters. */
  min_amount?: string | undefined
  /** Maximum amount to enter, likewise. At most 40 characters. */
  max_amount?: string | undefined
  /** Whether the link takes one payment only; by default false. */
  once?: boolean | undefined
  /** When the link expires; 0, as by default, for never. */
  expire_time?: number | undefined
}

export interface PaymentLinkFilter {
  /** Created at or after this time, in Unix seconds. */
  start_time?: number | undefined
  /** Created at or before this time, in Unix seconds. */
  end_time?: number | undefined
  /** Entries per page; by default 10. 1 to 100. */
  pageSize?: number | undefined
  /** `next_cursor` of the page before. Send the same filters. */
  cursor?: string | undefined
}

/** A webhook endpoint to create. */
export interface NewWebhookEndpoint {
  /** URL that receives the events. At most 500 characters. */
  url: string
  /** Your note. At most 200 characters. */
  description?: string | undefined
  /** Types of the events that are sent; by default all. */
  events?: ('payment.seen' | 'payment.partial' | 'payment.paid' | 'payment.over' | 'payment.late' | 'payment.timeout' | 'payment.closed' | 'payment.chain_failure' | 'payment.error' | 'withdrawal.created' | 'withdrawal.approved' | 'withdrawal.rejected' | 'withdrawal.sent' | 'withdrawal.confirming' | 'withdrawal.completed' | 'withdrawal.canceled' | 'withdrawal.abnormal' | 'refund.created' | 'refund.sent' | 'refund.confirming' | 'refund.completed' | 'refund.canceled' | 'refund.abnormal' | 'deposit.credited' | 'deposit.reversed')[] | undefined
}

/** What changes of a webhook endpoint. */
export interface WebhookEndpointChanges {
  /** URL that receives the events. At most 500 characters. */
  url?: string | undefined
  /** Your note. At most 200 characters. */
  description?: string | undefined
  /** Types of the events that are sent; by default all. */
  events?: ('payment.seen' | 'payment.partial' | 'payment.paid' | 'payment.over' | 'payment.late' | 'payment.timeout' | 'payment.closed' | 'payment.chain_failure' | 'payment.error' | 'withdrawal.created' | 'withdrawal.approved' | 'withdrawal.rejected' | 'withdrawal.sent' | 'withdrawal.confirming' | 'withdrawal.completed' | 'withdrawal.canceled' | 'withdrawal.abnormal' | 'refund.created' | 'refund.sent' | 'refund.confirming' | 'refund.completed' | 'refund.canceled' | 'refund.abnormal' | 'deposit.credited' | 'deposit.reversed')[] | undefined
  /** Whether events are sent. */
  enabled?: boolean | undefined
}

/** What changes of the application. */
export interface ApplicationChanges {
  /** URL that receives callbacks; empty for none. At most 500 characters. */
  notify_url?: string | undefined
  /** Events that are sent to the notify URL. */
  callback_events?: ('payment.seen' | 'payment.partial' | 'payment.paid' | 'payment.over' | 'payment.late' | 'payment.timeout' | 'payment.closed' | 'payment.chain_failure' | 'payment.error' | 'withdrawal.created' | 'withdrawal.approved' | 'withdrawal.rejected' | 'withdrawal.sent' | 'withdrawal.confirming' | 'withdrawal.completed' | 'withdrawal.canceled' | 'withdrawal.abnormal' | 'refund.created' | 'refund.sent' | 'refund.confirming' | 'refund.completed' | 'refund.canceled' | 'refund.abnormal' | 'deposit.credited' | 'deposit.reversed')[] | undefined
  /** Your note. At most 200 characters. */
  remark?: string | undefined
}

/** A person to invite. */
export interface NewMemberInvitation {
  /** Address that gets the link. */
  email: string
  /** Role of the person. Owners invite owners, finance and developers in the back-office. */
  role: 'support' | 'clerk' | 'viewer'
}

export interface StatisticsRange {
  /** From the day of this time, in Unix seconds; by default 30 days. */
  start_time?: number | undefined
  /** Up to the day of this time, in Unix seconds; by default today. */
  end_time?: number | undefined
  /** The last days up to today, instead of a time range. 1 to 366. */
  days?: number | undefined
}

export interface DepositFilter {
  /** Page, counted from 1; by default 1. */
  current?: number | undefined
  /** Entries per page; by default 10. 1 to 100. */
  pageSize?: number | undefined
  /** `next_cursor` of the page before, instead of `current`: new entries do not shift the pages. Send the same filters. */
  cursor?: string | undefined
  /** Your reference, unique per application: 1 to 64 printable characters. At most 64 characters. */
  reference: string
}

/** Deviation of the received amount or its time from the order. */
export type PaymentException = 'none' | 'partial' | 'over' | 'late' | 'marked_paid' | 'marked_invalid'

/** A transfer on a chain to a deposit address. */
export interface Deposit {
  /** When the deposit was credited; 0 while it awaits confirmations. */
  confirmation_time: number
  /** When the transfer was detected. */
  seen_time: number
  /** Transaction hash. */
  txid: string
  /** URL of the transaction in a block explorer, or empty. */
  browser_url: string
  /** Name of the chain. */
  chain: string
  /** Amount received, in `token`. */
  amount: string
  /** Gas fee paid by the sender, in the native coin. */
  gas: string
  /** Native coin of the chain. */
  gas_token: string
  /** Token received. */
  token: string
  /** Deposit address. */
  to_address: string
  /** Address of the sender. */
  from_address: string
  /** Name under which payers know the network, such as ERC20. */
  net: string
  /** Confirmations so far. */
  confirmations: number
  /** Confirmations after which the transfer is credited. */
  required_confirmations: number
  /** seen: awaits confirmations; credited: final; dropped: reorged out before it was final; undone: reversed after it was credited. */
  state: 'seen' | 'credited' | 'dropped' | 'undone'
  /** Whether the transfer arrived after the payment had ended. */
  late: boolean
  /** Whether it has its confirmations and is not credited yet, as its token is being compared with balances or is on hold. */
  held: boolean
}

/** A payment. Amounts are decimal strings, never numbers; times are Unix seconds, 0 if not set. */
export interface Order {
  /** Order number assigned by Coffer, 32 digits. */
  trade_no: string
  /** Your order number. */
  out_trade_no: string
  /** ID of the application that created the order. */
  appid: string
  /** 1 To be paid, 2 Account paid, 3 Transaction timeout, 4 Transaction closed, 5 Under refund, 6 Refunded, 7 Error, 8 Chain confirmation failure. */
  status: number
  exception: PaymentException
  /** Requested amount in USDT. */
  usdt_amount: string
  /** Fiat currency of the order; empty for USDT. */
  fiat_name: string
  /** Requested amount in that currency. */
  fiat_amount: string
  /** Exchange rate from the currency to USDT, locked when the order was created; null for USDT. */
  rate: {
    /** USDT for one unit of the currency, with the spread. */
    price: string
    /** `fixed`, `own` (a URL of the merchant), or the price sources of Coffer, separated by commas. */
    source: string
    /** When the price was read. */
    time: number
    /** Percent that the price includes; 0 for none. */
    spread: string
  } | null
  /** Token to pay in. Like chain, chain_id and address, empty until the payer has chosen one. */
  token: string
  /** Name of the chain. */
  chain: string
  /** ID of the chain, as in the list of currencies. */
  chain_id: string
  /** Requested amount in `token`. */
  amount: string
  /** Amount credited so far, in `token`. */
  paid_amount: string
  /** Fee charged, in `token`. */
  fees: string
  /** Rate of the fee that was applied, in hundredths of a percent; null until a deposit is credited, and for earlier orders of which it is not known. */
  fee_bps: number | null
  /** Deposit address. */
  address: string
  /** Index of the address below the operator’s account, from which you can derive it: 0/<index>. Null without an address, and in orders of Coffer 0.1. */
  address_index: number | null
  /** Description shown to the payer. */
  subject: string
  /** Your custom data, unchanged. */
  attach: string
  /** Your custom data as an object. */
  metadata: Record<string, string | number | boolean>
  /** Shortfall up to which the order counts as paid, in thousandths of the requested amount. */
  tolerance_permille: number
  /** URL of the checkout page. Redirect your customer to it. */
  pay_url: string
  /** When the order was created. */
  created_time: number
  /** When the order expires. */
  expire_time: number
  /** When the order was paid; 0 until then. */
  paid_time: number
  /** Transfers received, oldest first; at most the latest 100. */
  deposits: Deposit[]
}

export interface OrderList {
  /** The page. */
  list: Order[]
  /** Number of entries on all pages. */
  total: number
  /** `cursor` of the next page; empty on the last one. */
  next_cursor: string
}

/** Money that leaves your balance for an address. */
export interface Withdrawal {
  /** Number assigned by Coffer, 32 digits. */
  id: string
  /** Your own number; empty if it was requested in the back-office. */
  out_no: string
  /** ID of the application; empty for withdrawals requested in the back-office. */
  appid: string
  /** 1 Auditing, 2 Audit rejected, 3 Transferring, 4 Confirming, 5 Accomplished, 6 Canceled, 7 Abnormal. */
  status: number
  /** ID of the chain. */
  chain_id: string
  /** Name of the chain. */
  chain: string
  /** Symbol of the token. All amounts but `usdt_value` are in it. */
  token: string
  /** Receiving address. */
  address: string
  /** Value in USDT when it was requested. */
  usdt_value: string
  /** Network fee, fixed when it was requested. */
  gas: string
  /** Amount that arrives. */
  receives: string
  /** What spoke against the address without refusing it when it was requested: `code`, it is a contract; `first_payment`, it was never paid before; `look_alike`, it resembles the address of somebody who paid you. */
  warnings: string[]
  /** Transaction hash; empty until it is in a block. */
  txid: string
  /** When it was requested. */
  created_time: number
  /** When its status last changed. */
  updated_time: number
  /** Amount taken from the balance. */
  amount: string
  /** Withdraw fee. */
  fee: string
  /** Why it was rejected or failed. */
  reason: string
  /** Your remark. */
  remark: string
}

export interface WithdrawalList {
  /** The page. */
  list: Withdrawal[]
  /** Number of entries on all pages. */
  total: number
  /** `cursor` of the next page; empty on the last one. */
  next_cursor: string
}

/** Money of an order that is given back. */
export interface Refund {
  /** Number assigned by Coffer, 32 digits. */
  id: string
  /** Your own number; empty if it was requested in the back-office. */
  out_no: string
  /** ID of the application; empty for withdrawals requested in the back-office. */
  appid: string
  /** 1 Auditing, 2 Audit rejected, 3 Transferring, 4 Confirming, 5 Accomplished, 6 Canceled, 7 Abnormal. */
  status: number
  /** ID of the chain. */
  chain_id: string
  /** Name of the chain. */
  chain: string
  /** Symbol of the token. All amounts but `usdt_value` are in it. */
  token: string
  /** Receiving address. */
  address: string
  /** Value in USDT when it was requested. */
  usdt_value: string
  /** Network fee, fixed when it was requested. */
  gas: string
  /** Amount that arrives. */
  receives: string
  /** What spoke against the address without refusing it when it was requested: `code`, it is a contract; `first_payment`, it was never paid before; `look_alike`, it resembles the address of somebody who paid you. */
  warnings: string[]
  /** Transaction hash; empty until it is in a block. */
  txid: string
  /** When it was requested. */
  created_time: number
  /** When its status last changed. */
  updated_time: number
  /** Number of the order that is refunded. */
  trade_no: string
  /** Your number of that order. */
  out_trade_no: string
  /** What is given back. */
  kind: 'surplus' | 'part' | 'all'
  /** Who pays the gas. */
  gas_payer: 'merchant' | 'payer'
  /** Amount that counts against the order. */
  amount: string
  /** Amount taken from the balance. */
  total: string
  /** Your reason. */
  reason: string
  /** Why it failed. */
  failure: string
}

/** A link by which the payer claims a refund. */
export interface RefundLink {
  /** Number assigned by Coffer, 32 digits. */
  id: string
  /** Your own number; empty if it was made in the back-office. */
  out_no: string
  /** Number of the order that is refunded. */
  trade_no: string
  /** open: the payer has not claimed it; claimed: a refund was made of it. */
  state: 'open' | 'claimed' | 'canceled' | 'expired'
  /** Page for the payer, who needs nothing else; empty unless the link is open. */
  url: string
  /** Symbol of the token. */
  token: string
  /** Amount that counts against the order. */
  amount: string
  /** Number of the refund; empty until it is claimed. */
  refund_id: string
  /** Your reason. */
  reason: string
  /** When it was made. */
  created_time: number
  /** When it expires. */
  expire_time: number
}

export interface RefundList {
  /** The page. */
  list: Refund[]
  /** Number of entries on all pages. */
  total: number
  /** `cursor` of the next page; empty on the last one. */
  next_cursor: string
}

/** A chain with the tokens accepted on it. */
export interface Currency {
  /** ID of the chain. */
  id: string
  /** Name of the chain. */
  chain: string
  /** Name under which payers know the network, such as ERC20. */
  net_work: string
  /** URL of the logo. */
  logo: string
  /** Confirmations after which a deposit is final. */
  confirmations: number
  /** Tokens accepted on the chain. */
  tokens: {
    /** ID of the asset. */
    id: string
    /** Symbol of the token. */
    token: string
    /** Contract address; empty for the native coin. */
    contract: string
    /** Decimal places of the token. */
    decimals: number
    /** URL of the logo. */
    logo: string
    /** Last known price in USDT; 0 if unknown. */
    usdt_price: string
  }[]
}

/** A balance in one token on one chain. */
export interface Balance {
  /** Symbol of the token. */
  token: string
  /** Name of the chain. */
  chain: string
  /** ID of the chain. */
  chain_id: string
  /** Amount available for withdrawals and refunds. */
  available: string
  /** Amount reserved for withdrawals and refunds in progress. */
  held: string
  /** Value of `available` and `held` in USDT, at the last known price. */
  usdt_value: string
}

export interface Balances {
  /** One entry per token and chain. */
  list: Balance[]
  /** Value of all balances in USDT. */
  total_usdt: string
}

/** A deposit address of one of your customers. It never expires. */
export interface Address {
  /** ID of the address. */
  id: string
  /** Your reference, such as the number of a customer. */
  reference: string
  /** ID of the application that created it. */
  appid: string
  /** Name of the chain. */
  chain: string
  /** ID of the chain. */
  chain_id: string
  /** The address. Chains of one kind, such as Ethereum and BNB Smart Chain, share it. */
  address: string
  /** Index of the address below the operator’s account, from which you can derive it: 0/<index>. Null without an address, and in orders of Coffer 0.1. */
  address_index: number | null
  /** Tokens to send there; not the native coin. */
  tokens: string[]
  /** When the address was created. */
  created_time: number
}

export interface AddressList {
  /** The page. */
  list: Address[]
  /** Number of entries on all pages. */
  total: number
  /** `cursor` of the next page; empty on the last one. */
  next_cursor: string
}

/** A transfer to an address of one of your customers. */
export interface AddressDeposit {
  /** When the deposit was credited; 0 while it awaits confirmations. */
  confirmation_time: number
  /** When the transfer was detected. */
  seen_time: number
  /** Transaction hash. */
  txid: string
  /** URL of the transaction in a block explorer, or empty. */
  browser_url: string
  /** Name of the chain. */
  chain: string
  /** Amount received, in `token`. */
  amount: string
  /** Gas fee paid by the sender, in the native coin. */
  gas: string
  /** Native coin of the chain. */
  gas_token: string
  /** Token received. */
  token: string
  /** Deposit address. */
  to_address: string
  /** Address of the sender. */
  from_address: string
  /** Name under which payers know the network, such as ERC20. */
  net: string
  /** Confirmations so far. */
  confirmations: number
  /** Confirmations after which the transfer is credited. */
  required_confirmations: number
  /** seen: awaits confirmations; credited: final; dropped: reorged out before it was final; undone: reversed after it was credited. */
  state: 'seen' | 'credited' | 'dropped' | 'undone'
  /** Whether it has its confirmations and is not credited yet, as its token is being compared with balances or is on hold. */
  held: boolean
  /** ID of the deposit: credit your customer once for each. */
  id: string
  /** ID of the address. */
  address_id: string
  /** Your reference of the address. */
  reference: string
  /** ID of the application that created the address. */
  appid: string
  /** ID of the chain. */
  chain_id: string
}

export interface AddressDepositList {
  /** The page. */
  list: AddressDeposit[]
  /** Number of entries on all pages. */
  total: number
  /** `cursor` of the next page; empty on the last one. */
  next_cursor: string
}

/** An event that is sent to the merchant’s server. */
export interface Callback {
  /** ID of the callback: its `webhook-id`. */
  id: string
  /** Type of the event. */
  event: 'payment.seen' | 'payment.partial' | 'payment.paid' | 'payment.over' | 'payment.late' | 'payment.timeout' | 'payment.closed' | 'payment.chain_failure' | 'payment.error' | 'withdrawal.created' | 'withdrawal.approved' | 'withdrawal.rejected' | 'withdrawal.sent' | 'withdrawal.confirming' | 'withdrawal.completed' | 'withdrawal.canceled' | 'withdrawal.abnormal' | 'refund.created' | 'refund.sent' | 'refund.confirming' | 'refund.completed' | 'refund.canceled' | 'refund.abnormal' | 'deposit.credited' | 'deposit.reversed' | 'test.ping'
  /** 1 To be confirmed, 2 Success, 3 Failed, 4 Callback timeout, 5 Withheld. */
  status: number
  /** Result of the last attempt: an HTTP status or a failure; empty before it. */
  result: string
  /** Attempts so far. */
  attempts: number
  /** URL to which it was queued. */
  notify_url: string
  /** Number of the payment, withdrawal or refund; empty for others. */
  trade_no: string
  /** When the event occurred. */
  created_time: number
  /** When the next attempt is due; 0 if none is. */
  next_time: number
}

export interface CallbackList {
  /** The page. */
  list: Callback[]
  /** `cursor` of the next page; empty on the last one. */
  next_cursor: string
}

export interface CallbackDetail {
  /** The callback. */
  callback: Callback
  /** The body as it is signed. */
  body: string
  /** Attempts, newest first. */
  attempts: {
    /** When it was made. */
    time: number
    /** Milliseconds until the response. */
    duration_ms: number
    /** HTTP status of the response; 0 without one. */
    http_status: number
    /** The HTTP status, or why there was no response. */
    result: string
    /** Begin of the response. */
    answer: string
    /** What was sent in the form of a shop’s protocol: its body, or its URL; empty where it was `body`. */
    sent: string
    /** Whether it was requested by hand or by a call. */
    manual: boolean
  }[]
}

/** A link by which payers create orders. */
export interface PaymentLink {
  /** ID of the link. */
  id: string
  /** Page for payers, who need nothing else. */
  url: string
  /** What is paid for, as the payer sees it. */
  title: string
  /** ID of the application. */
  appid: string
  /** Currency of the amounts. */
  currency: string
  /** Amount of each payment; empty where the payer enters it. */
  amount: string
  /** Minimum amount to enter, or empty. */
  min_amount: string
  /** Maximum amount to enter, or empty. */
  max_amount: string
  /** Whether the link takes one payment only. */
  once: boolean
  /** used: its one payment was received; closed: by you; unavailable: application or account is not active. */
  state: 'open' | 'used' | 'expired' | 'closed' | 'unavailable'
  /** Paid payments, counted up to 1,000. */
  paid: number
  /** When the link expires; 0 for never. */
  expire_time: number
  /** When the link was created. */
  created_time: number
}

export interface PaymentLinkList {
  /** The page. */
  list: PaymentLink[]
  /** `cursor` of the next page; empty on the last one. */
  next_cursor: string
}

/** A receiver of the application’s events, beside its notify URL. */
export interface WebhookEndpoint {
  /** ID of the endpoint. */
  id: string
  /** URL that receives the events. */
  url: string
  /** Your note. */
  description: string
  /** Types of the events that are sent. */
  events: ('payment.seen' | 'payment.partial' | 'payment.paid' | 'payment.over' | 'payment.late' | 'payment.timeout' | 'payment.closed' | 'payment.chain_failure' | 'payment.error' | 'withdrawal.created' | 'withdrawal.approved' | 'withdrawal.rejected' | 'withdrawal.sent' | 'withdrawal.confirming' | 'withdrawal.completed' | 'withdrawal.canceled' | 'withdrawal.abnormal' | 'refund.created' | 'refund.sent' | 'refund.confirming' | 'refund.completed' | 'refund.canceled' | 'refund.abnormal' | 'deposit.credited' | 'deposit.reversed')[]
  /** Whether events are sent. */
  enabled: boolean
  /** Until when the replaced secret signs too; 0 if it does not. */
  previous_secret_until: number
  /** When the endpoint was created. */
  created_time: number
}

export interface WebhookEndpointWithSecret {
  /** The endpoint. */
  endpoint: WebhookEndpoint
  /** Secret that signs its callbacks, `whsec_...`: shown only in this answer. */
  secret: string
}

/** A person who works for the shop. */
export interface Member {
  /** ID of the person. */
  id: string
  /** Email. */
  email: string
  /** `owner`: everything, and the people. `finance`: sees everything, and moves money within the policy. `developer`: applications, keys that move no money, callbacks and test orders. `support`: sees payments, and refunds within a limit. `clerk`: collects, and sees what this person collected. `viewer`: sees everything, changes nothing. */
  role: 'owner' | 'finance' | 'developer' | 'support' | 'clerk' | 'viewer'
  /** Since when the person has the role. */
  since: number
}

/** An invitation that was not accepted yet. */
export interface MemberInvitation {
  /** ID of the invitation. */
  id: string
  /** Invited address. */
  email: string
  /** `owner`: everything, and the people. `finance`: sees everything, and moves money within the policy. `developer`: applications, keys that move no money, callbacks and test orders. `support`: sees payments, and refunds within a limit. `clerk`: collects, and sees what this person collected. `viewer`: sees everything, changes nothing. */
  role: 'owner' | 'finance' | 'developer' | 'support' | 'clerk' | 'viewer'
  /** When it was sent. */
  created_time: number
  /** When its link ends. */
  expires_time: number
}

export interface Members {
  /** Members, the first one first. */
  list: Member[]
  /** Open invitations, newest first. */
  invitations: MemberInvitation[]
}

/** The application of the key. */
export interface Application {
  /** ID of the application. */
  appid: string
  /** Name, shown to payers as the payee. */
  name: string
  /** Website, or empty. */
  website: string
  /** URL that receives callbacks; empty for none. */
  notify_url: string
  /** 1: each order has an address of its own; 2: orders share one. */
  payment_mode: number
  /** Whether other tokens of the chain count towards an order. */
  mixed_payment: boolean
  /** Shortfall up to which orders count as paid, in thousandths of the requested amount. */
  tolerance_permille: number
  /** Events that are sent to the notify URL. */
  callback_events: ('payment.seen' | 'payment.partial' | 'payment.paid' | 'payment.over' | 'payment.late' | 'payment.timeout' | 'payment.closed' | 'payment.chain_failure' | 'payment.error' | 'withdrawal.created' | 'withdrawal.approved' | 'withdrawal.rejected' | 'withdrawal.sent' | 'withdrawal.confirming' | 'withdrawal.completed' | 'withdrawal.canceled' | 'withdrawal.abnormal' | 'refund.created' | 'refund.sent' | 'refund.confirming' | 'refund.completed' | 'refund.canceled' | 'refund.abnormal' | 'deposit.credited' | 'deposit.reversed')[]
  /** Whether the key may read. */
  read_allowed: boolean
  /** Whether the key may make orders, payment links and addresses. */
  orders_allowed: boolean
  /** Whether the key may refund. */
  refunds_allowed: boolean
  /** Whether the key may request withdrawals. */
  payouts_allowed: boolean
  /** Whether the key may mark orders as paid. */
  marks_allowed: boolean
  /** Whether the key may change settings. */
  settings_allowed: boolean
  /** Whether the key may invite and remove members; absent if not. */
  members_allowed?: boolean | undefined
  /** Whether the key, from before scopes, manages webhook endpoints. */
  endpoints_allowed: boolean
  /** Origins whose pages may show checkouts in a frame. */
  embed_origins: string[]
  /** Your note. */
  remark: string
  /** When the application was created. */
  created_time: number
}

/** Figures of an application. Amounts are in USDT unless stated. */
export interface ApplicationStatistics {
  /** All days together. */
  total: {
    /** Amount credited, after fees, in USDT. */
    income: string
    /** Amount refunded, in USDT. */
    refund: string
    /** Orders created. */
    create_num: number
    /** Orders paid. */
    pay_num: number
  }
  /** Each day in order, including those without payments. */
  days: {
    /** YYYY-MM-DD in the merchant’s time zone. */
    date: string
    /** Amount credited, after fees, in USDT. */
    income: string
    /** Amount refunded, in USDT. */
    refund: string
    /** Orders created. */
    create_num: number
    /** Orders paid. */
    pay_num: number
  }[]
  /** Assets that were received, largest income first. */
  assets: {
    /** Symbol of the token. */
    token: string
    /** Name of the chain. */
    chain: string
    /** URL of the token’s logo. */
    logo: string
    /** Amount credited, after fees, in USDT. */
    income: string
    /** Amount received in the token. */
    amount: string
    /** Orders paid. */
    pay_num: number
  }[]
}

/** Type of the event. */
export type DepositEventType = 'deposit.credited' | 'deposit.reversed'

/** Type of the event. */
export type PaymentEventType = 'payment.seen' | 'payment.partial' | 'payment.paid' | 'payment.over' | 'payment.late' | 'payment.timeout' | 'payment.closed' | 'payment.chain_failure' | 'payment.error'

/** Type of the event. */
export type WithdrawalEventType = 'withdrawal.created' | 'withdrawal.approved' | 'withdrawal.rejected' | 'withdrawal.sent' | 'withdrawal.confirming' | 'withdrawal.completed' | 'withdrawal.canceled' | 'withdrawal.abnormal'

/** Type of the event. */
export type RefundEventType = 'refund.created' | 'refund.sent' | 'refund.confirming' | 'refund.completed' | 'refund.canceled' | 'refund.abnormal'

/** A verified callback. */
export type WebhookEvent = {
  /** The same at every attempt: store it, and ignore repeated events. */
  id: string
  type: PaymentEventType
  /** When the event occurred. */
  timestamp: string
  /** The payment right after the event. */
  data: Order
} | {
  /** The same at every attempt: store it, and ignore repeated events. */
  id: string
  type: WithdrawalEventType
  /** When the event occurred. */
  timestamp: string
  /** The withdrawal right after the event. */
  data: Withdrawal
} | {
  /** The same at every attempt: store it, and ignore repeated events. */
  id: string
  type: RefundEventType
  /** When the event occurred. */
  timestamp: string
  /** The refund right after the event. */
  data: Refund
} | {
  /** The same at every attempt: store it, and ignore repeated events. */
  id: string
  type: DepositEventType
  /** When the event occurred. */
  timestamp: string
  /** The deposit right after the event. */
  data: AddressDeposit
} | {
  /** The same at every attempt: store it, and ignore repeated events. */
  id: string
  /** Type of the event. */
  type: 'test.ping'
  /** When the merchant sent it. */
  timestamp: string
  /** The application. */
  data: {
    /** ID of the application. */
    appid: string
  }
}

/** Codes of `status`. */
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

/** Codes of `status` of withdrawals and refunds. */
export const payoutStatus = {
  /** Auditing. */
  auditing: 1,
  /** Audit rejected. */
  audit_rejected: 2,
  /** Transferring. */
  transferring: 3,
  /** Confirming. */
  confirming: 4,
  /** Accomplished. */
  accomplished: 5,
  /** Canceled. */
  canceled: 6,
  /** Abnormal. */
  abnormal: 7,
} as const

/** Codes of `CofferError`. */
export const errorCodes = {
  /** Operation failed. */
  operation_failed: 10001,
  /** Parameter error. */
  parameter_error: 10002,
  /** Currency not supported temporarily. */
  currency_not_supported: 10004,
  /** No address available. */
  no_address_available: 10005,
  /** Non-existent transaction. */
  transaction_not_exist: 10006,
  /** This transaction cannot be refunded. */
  cannot_refund: 10007,
  /** Frequent operation. */
  frequent_operation: 10010,
  /** Currency does not exist. */
  currency_not_exist: 10012,
  /** Amount is too small. */
  amount_too_small: 10022,
  /** Insufficient balance. */
  insufficient_balance: 10023,
  /** Your account cannot be withdrawn temporarily. */
  withdrawal_forbidden: 10024,
  /** Your single withdrawal amount is too large. */
  withdrawal_too_large: 10025,
  /** Total withdrawal value exceeds the limit within 24 hours. */
  withdrawal_day_limit: 10026,
  /** Please enter the correct email format. */
  bad_email: 10040,
  /** Please enter the correct URL. */
  bad_url: 10041,
  /** Please enter a correct amount. */
  bad_amount: 10048,
  /** The address format does not match the selected chain. */
  bad_address: 10050,
  /** A trade number has 32 digits. */
  bad_trade_no: 10051,
  /** This field is required. */
  text_needed: 10055,
  /** This order number was already used for a different order. */
  order_conflict: 10056,
  /** This Idempotency-Key was already used for a different request. */
  idempotency_conflict: 10057,
  /** A request with this Idempotency-Key is still being processed. */
  idempotency_in_flight: 10058,
  /** This request was carried out, but its answer was lost. Look at what it changed before you repeat it. */
  idempotency_unknown: 10107,
  /** No reliable price is available right now, please try again shortly. */
  price_unavailable: 10059,
  /** This transaction can no longer be closed. */
  transaction_cannot_close: 10060,
  /** This application is disabled. */
  application_disabled: 10061,
  /** This account is frozen, please contact the operator. */
  account_frozen: 10063,
  /** The account is on hold. */
  account_held: 10260,
  /** Please open merchant permission first. */
  merchant_not_open: 10064,
  /** This IP address is not on the whitelist of the application. */
  ip_not_allowed: 10065,
  /** Callback does not exist. */
  callback_not_exist: 10069,
  /** This URL points to an address that is not allowed. */
  url_forbidden: 10070,
  /** Limit reached. */
  limit_reached: 10073,
  /** This network is currently unavailable. */
  chain_unavailable: 10074,
  /** This network is halted after a deep reorg of its blocks, until the operator has checked it. */
  chain_halted: 10252,
  /** Amount is too large. */
  amount_too_large: 10075,
  /** Please use an https URL. */
  https_needed: 10080,
  /** Metadata may have at most 50 keys and 16 kB. */
  metadata_too_large: 10081,
  /** The tolerance exceeds that of the application. */
  tolerance_too_large: 10082,
  /** This transaction cannot be marked now. */
  transaction_cannot_mark: 10083,
  /** The email could not be sent, please try again later. */
  mail_failed: 10090,
  /** Payouts to this address are not allowed. */
  address_not_allowed: 10092,
  /** Withdrawal does not exist. */
  withdrawal_not_exist: 10094,
  /** This withdrawal can no longer be changed. */
  withdrawal_cannot_change: 10095,
  /** Not allowed by your withdrawal policy. */
  policy_refused: 10096,
  /** The gas exceeds your limit for this token. */
  gas_too_high: 10100,
  /** This application may not pay out, allow it in its settings first. */
  payouts_not_allowed: 10102,
  /** This number was already used for a different payout. */
  reference_conflict: 10104,
  /** A deposit of this payment was reversed by its chain; wait until the operator has decided on it. */
  payment_in_doubt: 10183,
  /** Your withdrawal policy requires a passkey for this amount. */
  passkey_needed: 10139,
  /** Address does not exist. */
  address_not_exist: 10118,
  /** Invalid API key. */
  bad_key: 10076,
  /** This person does not belong to the shop. */
  member_not_exist: 10290,
  /** This person belongs to the shop already. */
  member_exists: 10291,
  /** This person is an owner: owners remove owners, in the back-office. */
  member_is_owner: 10299,
  /** This payment link does not exist. */
  payment_link_not_exist: 10200,
  /** The amount is out of range. */
  amount_out_of_range: 10202,
  /** No such webhook endpoint. */
  webhook_endpoint_not_exist: 10240,
  /** Another webhook endpoint of the application has this URL. */
  webhook_endpoint_exists: 10241,
  /** This application may not mark orders as paid, allow it in its settings first. */
  marks_not_allowed: 10250,
  /** The key may not change settings. */
  settings_not_allowed: 10251,
  /** The key may not make this call, allow it in the settings of the application first. */
  scope_missing: 10253,
  /** The secret key was made by somebody who is no owner of the shop: an owner has to renew it first. */
  secret_of_no_owner: 10254,
  /** The request is too large. */
  body_too_large: 413,
  /** Something went wrong on our side. */
  internal: 500,
  /** The service is busy. */
  busy: 503,
} as const
