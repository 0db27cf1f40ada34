import { AddressError, addressVerifier, type ShownAddress } from './addresses.ts'
import type {
  Address,
  AddressDeposit,
  AddressDepositList,
  AddressFilter,
  AddressList,
  Application,
  ApplicationChanges,
  ApplicationStatistics,
  Balances,
  Callback,
  CallbackDetail,
  CallbackFilter,
  CallbackList,
  Currency,
  DepositFilter,
  MemberInvitation,
  Members,
  NewAddress,
  NewMemberInvitation,
  NewOrder,
  NewPaymentLink,
  NewRefund,
  NewRefundLink,
  NewWebhookEndpoint,
  NewWithdrawal,
  Order,
  OrderFilter,
  OrderList,
  Page,
  PaidMark,
  PaymentLink,
  PaymentLinkFilter,
  PaymentLinkList,
  Refund,
  RefundFilter,
  RefundLink,
  RefundList,
  StatisticsRange,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointWithSecret,
  WebhookEvent,
  Withdrawal,
  WithdrawalFilter,
  WithdrawalList,
} from './generated/types.ts'
import { type CallOptions, type CofferOptions, connectionOf, type SubmitOptions } from './options.ts'
import { eachAfter } from './pages.ts'
import { type Call, type Connection, request } from './request.ts'

/** Identifies an order by its `trade_no` or by your own number. */
export type OrderRef = string | { out_trade_no: string }

/** Identifies a withdrawal or refund by its number or by your own. */
export type PayoutRef = string | { out_no: string }

/** Client for a merchant's server. Every method returns the data of the response or throws a CofferError. */
export class Coffer {
  private readonly connection: Connection
  private readonly verify: ((shown: ShownAddress) => void) | undefined

  /** Throws TypeError on an invalid base URL, key or account key, and on an unknown option: misspelled account keys would verify nothing. */
  constructor(options: CofferOptions) {
    this.connection = connectionOf(options)
    this.verify = options.accountKeys && addressVerifier(options.accountKeys)
  }

  /** Creates an order; the customer pays it at its `pay_url`. The same `out_trade_no` and input return the same order. */
  async createOrder(order: NewOrder, options: SubmitOptions = {}): Promise<Order> {
    const made = await this.call<Order>('POST', '/orders', { body: order, ...options })
    // Without a chain the payer chooses, and the order has no address yet.
    if (order.chain !== undefined && !made.address) this.verify?.(made)
    return this.verified(made)
  }

  /** Gets an order by `trade_no`, or by your own number: `getOrder({ out_trade_no: 'A-1' })`. */
  async getOrder(ref: OrderRef, options: CallOptions = {}): Promise<Order> {
    const id = typeof ref === 'string' ? ref : `out:${ref.out_trade_no}`
    return this.verified(await this.call<Order>('GET', `/orders/${encodeURIComponent(id)}`, options))
  }

  /** Lists a page of orders, newest first. */
  listOrders(filter: OrderFilter & Page = {}, options: CallOptions = {}): Promise<OrderList> {
    return this.call('GET', '/orders', { query: { ...filter }, ...options })
  }

  /**
   * Iterates over all matching orders, newest first: `for await (const order of coffer.orders())`. Leaves out orders created
   * meanwhile, and returns none twice.
   */
  orders(filter: OrderFilter = {}, options: CallOptions = {}): AsyncGenerator<Order, void, undefined> {
    return eachAfter(page => this.listOrders({ ...filter, ...page }, options))
  }

  /** Closes an order for which nothing has been paid. */
  closeOrder(tradeNo: string, options: SubmitOptions = {}): Promise<Order> {
    return this.call('POST', `/orders/${encodeURIComponent(tradeNo)}/close`, options)
  }

  /** Marks an order as paid for which nothing was received; the application's settings must allow it. */
  markOrderPaid(tradeNo: string, mark: PaidMark, options: SubmitOptions = {}): Promise<Order> {
    return this.call('POST', `/orders/${encodeURIComponent(tradeNo)}/mark-paid`, { body: mark, ...options })
  }

  /** Creates a payment link: send its `url` to payers, each of whom gets an order. */
  createLink(link: NewPaymentLink, options: SubmitOptions = {}): Promise<PaymentLink> {
    return this.call('POST', '/links', { body: link, ...options })
  }

  /** Gets a payment link by its ID. */
  getLink(id: string, options: CallOptions = {}): Promise<PaymentLink> {
    return this.call('GET', linkPath(id), options)
  }

  /** Lists a page of payment links, newest first. */
  listLinks(filter: PaymentLinkFilter = {}, options: CallOptions = {}): Promise<PaymentLinkList> {
    return this.call('GET', '/links', { query: { ...filter }, ...options })
  }

  /** Iterates over all matching payment links, newest first, each once. */
  links(filter: PaymentLinkFilter = {}, options: CallOptions = {}): AsyncGenerator<PaymentLink, void, undefined> {
    return eachAfter(page => this.listLinks({ ...filter, ...page }, options))
  }

  /** Closes a payment link for good. Orders that it has created stay payable. */
  closeLink(id: string, options: SubmitOptions = {}): Promise<PaymentLink> {
    return this.call('POST', `${linkPath(id)}/close`, options)
  }

  /**
   * Requests a withdrawal; its amount is reserved at once. The same `out_no` and input return the same withdrawal: when in doubt
   * whether it was requested, call it again.
   */
  createWithdrawal(withdrawal: NewWithdrawal, options: SubmitOptions = {}): Promise<Withdrawal> {
    return this.call('POST', '/withdrawals', { body: withdrawal, ...options })
  }

  /** Gets a withdrawal by its number, or by your own: `getWithdrawal({ out_no: 'W-1' })`. */
  getWithdrawal(ref: PayoutRef, options: CallOptions = {}): Promise<Withdrawal> {
    return this.call('GET', `/withdrawals/${payoutPath(ref)}`, options)
  }

  /** Lists a page of withdrawals, newest first. */
  listWithdrawals(filter: WithdrawalFilter = {}, options: CallOptions = {}): Promise<WithdrawalList> {
    return this.call('GET', '/withdrawals', { query: { ...filter }, ...options })
  }

  /** Iterates over all matching withdrawals, newest first, each once. */
  withdrawals(filter: WithdrawalFilter = {}, options: CallOptions = {}): AsyncGenerator<Withdrawal, void, undefined> {
    return eachAfter(page => this.listWithdrawals({ ...filter, ...page }, options))
  }

  /** Cancels a withdrawal that is not being sent yet. */
  cancelWithdrawal(id: string, options: SubmitOptions = {}): Promise<Withdrawal> {
    return this.call('POST', `/withdrawals/${encodeURIComponent(id)}/cancel`, options)
  }

  /** Refunds an order to an address. The same `out_no` and input return the same refund. */
  createRefund(refund: NewRefund, options: SubmitOptions = {}): Promise<Refund> {
    return this.call('POST', '/refunds', { body: refund, ...options })
  }

  /** Gets a refund by its number, or by your own: `getRefund({ out_no: 'R-1' })`. */
  getRefund(ref: PayoutRef, options: CallOptions = {}): Promise<Refund> {
    return this.call('GET', `/refunds/${payoutPath(ref)}`, options)
  }

  /** Lists a page of refunds, newest first. */
  listRefunds(filter: RefundFilter = {}, options: CallOptions = {}): Promise<RefundList> {
    return this.call('GET', '/refunds', { query: { ...filter }, ...options })
  }

  /** Iterates over all matching refunds, newest first, each once. */
  refunds(filter: RefundFilter = {}, options: CallOptions = {}): AsyncGenerator<Refund, void, undefined> {
    return eachAfter(page => this.listRefunds({ ...filter, ...page }, options))
  }

  /** Cancels a refund that is not being sent yet. */
  cancelRefund(id: string, options: SubmitOptions = {}): Promise<Refund> {
    return this.call('POST', `/refunds/${encodeURIComponent(id)}/cancel`, options)
  }

  /** Makes a link by which the payer claims a refund: send its `url` to the payer. The same `out_no` and input return the same link. */
  createRefundLink(link: NewRefundLink, options: SubmitOptions = {}): Promise<RefundLink> {
    return this.call('POST', '/refund-links', { body: link, ...options })
  }

  /** Gets a refund link by its number. */
  getRefundLink(id: string, options: CallOptions = {}): Promise<RefundLink> {
    return this.call('GET', `/refund-links/${encodeURIComponent(id)}`, options)
  }

  /** Cancels a refund link that was not claimed. */
  cancelRefundLink(id: string, options: SubmitOptions = {}): Promise<RefundLink> {
    return this.call('POST', `/refund-links/${encodeURIComponent(id)}/cancel`, options)
  }

  /** Creates a deposit address for one of your customers. The same `reference` and chain return the same address. */
  async createAddress(address: NewAddress, options: SubmitOptions = {}): Promise<Address> {
    return this.verified(await this.call<Address>('POST', '/addresses', { body: address, ...options }))
  }

  /** Gets an address by its ID. */
  async getAddress(id: string, options: CallOptions = {}): Promise<Address> {
    return this.verified(await this.call<Address>('GET', `/addresses/${encodeURIComponent(id)}`, options))
  }

  /** Lists a page of addresses, newest first. */
  listAddresses(filter: AddressFilter = {}, options: CallOptions = {}): Promise<AddressList> {
    return this.call('GET', '/addresses', { query: { ...filter }, ...options })
  }

  /** Iterates over all matching addresses, newest first, each once. */
  addresses(filter: AddressFilter = {}, options: CallOptions = {}): AsyncGenerator<Address, void, undefined> {
    return eachAfter(page => this.listAddresses({ ...filter, ...page }, options))
  }

  /** Lists a page of deposits at the addresses of a reference, newest first. */
  listDeposits(filter: DepositFilter, options: CallOptions = {}): Promise<AddressDepositList> {
    return this.call('GET', '/deposits', { query: { ...filter }, ...options })
  }

  /** Iterates over all deposits at the addresses of a reference, newest first, each once. */
  deposits(filter: DepositFilter, options: CallOptions = {}): AsyncGenerator<AddressDeposit, void, undefined> {
    return eachAfter(page => this.listDeposits({ ...filter, ...page }, options))
  }

  /** Lists a page of callbacks, newest first. */
  listCallbacks(filter: CallbackFilter = {}, options: CallOptions = {}): Promise<CallbackList> {
    return this.call('GET', '/callbacks', { query: { ...filter }, ...options })
  }

  /** Gets a callback with its body and attempts. */
  getCallback(id: string, options: CallOptions = {}): Promise<CallbackDetail> {
    return this.call('GET', `/callbacks/${encodeURIComponent(id)}`, options)
  }

  /** Resends a callback now. It keeps its ID. */
  resendCallback(id: string, options: SubmitOptions = {}): Promise<Callback> {
    return this.call('POST', `/callbacks/${encodeURIComponent(id)}/resend`, options)
  }

  /**
   * Lists events since a cursor, oldest first; without one, from 30 days ago. Those of the last 30 seconds come again with the next call.
   * Store `next_cursor` once the events are processed.
   */
  listEvents(
    from: { cursor?: string | undefined; pageSize?: number | undefined } = {},
    options: CallOptions = {},
  ): Promise<{ list: WebhookEvent[]; next_cursor: string }> {
    return this.call('GET', '/events', { query: { ...from }, ...options })
  }

  /** Lists the webhook endpoints of the application, newest first. */
  async listWebhookEndpoints(options: CallOptions = {}): Promise<WebhookEndpoint[]> {
    const { list } = await this.call<{ list: WebhookEndpoint[] }>('GET', '/webhook-endpoints', options)
    return list
  }

  /** Creates a webhook endpoint, beside the notify URL. Its secret is in this answer only. */
  createWebhookEndpoint(endpoint: NewWebhookEndpoint, options: SubmitOptions = {}): Promise<WebhookEndpointWithSecret> {
    return this.call('POST', '/webhook-endpoints', { body: endpoint, ...options })
  }

  /** Changes a webhook endpoint, or turns it on or off. */
  changeWebhookEndpoint(
    id: string,
    changes: WebhookEndpointChanges,
    options: SubmitOptions = {},
  ): Promise<WebhookEndpoint> {
    return this.call('POST', endpointPath(id), { body: changes, ...options })
  }

  /** Renews the secret of a webhook endpoint. The old one signs too for `keep_seconds`, by default a day. */
  renewWebhookEndpoint(
    id: string,
    overlap: { keep_seconds?: 0 | 3600 | 86400 | 604800 } = {},
    options: SubmitOptions = {},
  ): Promise<WebhookEndpointWithSecret> {
    return this.call('POST', `${endpointPath(id)}/renew`, { body: overlap, ...options })
  }

  /** Sends a test.ping to a webhook endpoint. Returns the ID of the callback. */
  testWebhookEndpoint(id: string, options: SubmitOptions = {}): Promise<{ id: string }> {
    return this.call('POST', `${endpointPath(id)}/test`, options)
  }

  /** Removes a webhook endpoint. */
  async removeWebhookEndpoint(id: string, options: SubmitOptions = {}): Promise<void> {
    await this.call('POST', `${endpointPath(id)}/remove`, options)
  }

  /** Gets the settings of the application, and what its key may do. */
  application(options: CallOptions = {}): Promise<Application> {
    return this.call('GET', '/application', options)
  }

  /** Changes the notify URL, its events or the note of the application; its settings must allow it. */
  changeApplication(changes: ApplicationChanges, options: SubmitOptions = {}): Promise<Application> {
    return this.call('POST', '/application', { body: changes, ...options })
  }

  /** Lists the people who work for the shop, and the open invitations. */
  listMembers(options: CallOptions = {}): Promise<Members> {
    return this.call('GET', '/members', options)
  }

  /** Invites a person by mail: support, clerk or viewer. Inviting an address again ends the earlier link. */
  inviteMember(invitation: NewMemberInvitation, options: SubmitOptions = {}): Promise<MemberInvitation> {
    return this.call('POST', '/members', { body: invitation, ...options })
  }

  /** Removes a person who is no owner. Sessions of the person for the shop end at once. */
  async removeMember(id: string, options: SubmitOptions = {}): Promise<void> {
    await this.call('POST', `/members/${encodeURIComponent(id)}/remove`, options)
  }

  /** Lists the chains with the tokens accepted on them. */
  async currencies(options: CallOptions = {}): Promise<Currency[]> {
    const { list } = await this.call<{ list: Currency[] }>('GET', '/currencies', options)
    return list
  }

  /** Gets your balances per token and chain. */
  balances(options: CallOptions = {}): Promise<Balances> {
    return this.call('GET', '/balances', options)
  }

  /** Gets the figures of the application per day, in a time range or of the last days; by default 30. */
  statistics(range: StatisticsRange = {}, options: CallOptions = {}): Promise<ApplicationStatistics> {
    return this.call('GET', '/statistics', { query: { ...range }, ...options })
  }

  /** Throws AddressError unless an order or address derives from `accountKeys`: those of lists and callbacks are not verified by themselves. */
  verifyAddress(shown: ShownAddress): void {
    if (!this.verify) throw new AddressError(shown.address, 'accountKeys is not set')
    this.verify(shown)
  }

  private verified<T extends ShownAddress>(shown: T): T {
    if (shown.address) this.verify?.(shown)
    return shown
  }

  private call<T>(method: Call['method'], path: string, rest: Omit<Call, 'method' | 'path'>): Promise<T> {
    return request<T>(this.connection, { method, path: `/api/v1/pay${path}`, ...rest })
  }
}

const linkPath = (id: string) => `/links/${encodeURIComponent(id)}`
const endpointPath = (id: string) => `/webhook-endpoints/${encodeURIComponent(id)}`
const payoutPath = (ref: PayoutRef) => encodeURIComponent(typeof ref === 'string' ? ref : `out:${ref.out_no}`)
