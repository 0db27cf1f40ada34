import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import {
  paymentStatus as contractStatus,
  errors,
  type ParsedQuery,
  type RouteBody,
  type RouteData,
  withdrawalStatus,
} from '@coffer/contract'
import type { Webhook } from '@coffer/contract/callbacks/webhooks.ts'
import type {
  Address,
  AddressDepositList,
  AddressList,
  Application,
  ApplicationChanges,
  ApplicationStatistics,
  Balances,
  CallbackDetail,
  CallbackList,
  Currency,
  Deposit,
  Member,
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
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookEvent,
  Withdrawal,
  WithdrawalFilter,
  WithdrawalList,
} from './index.ts'
import { errorCodes, paymentStatus, payoutStatus } from './index.ts'

/** True if both types are assignable to each other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

// Does not compile if the generated types differ from the contract's.
const same: {
  order: Same<Order, RouteData<'POST /api/v1/pay/orders'>>
  deposit: Same<Deposit, RouteData<'POST /api/v1/pay/orders'>['deposits'][number]>
  query: Same<OrderFilter & Page, Partial<ParsedQuery<'GET /api/v1/pay/orders'>>>
  newOrder: Same<NewOrder, RouteBody<'POST /api/v1/pay/orders'>>
  orders: Same<OrderList, RouteData<'GET /api/v1/pay/orders'>>
  address: Same<Address, RouteData<'POST /api/v1/pay/addresses'>>
  newAddress: Same<NewAddress, RouteBody<'POST /api/v1/pay/addresses'>>
  addresses: Same<AddressList, RouteData<'GET /api/v1/pay/addresses'>>
  addressDeposits: Same<AddressDepositList, RouteData<'GET /api/v1/pay/deposits'>>
  closed: Same<Order, RouteData<'POST /api/v1/pay/orders/:trade_no/close'>>
  paidMark: Same<PaidMark, RouteBody<'POST /api/v1/pay/orders/:trade_no/mark-paid'>>
  marked: Same<Order, RouteData<'POST /api/v1/pay/orders/:trade_no/mark-paid'>>
  currencies: Same<{ list: Currency[] }, RouteData<'GET /api/v1/pay/currencies'>>
  balances: Same<Balances, RouteData<'GET /api/v1/pay/balances'>>
  newWithdrawal: Same<NewWithdrawal, RouteBody<'POST /api/v1/pay/withdrawals'>>
  withdrawal: Same<Withdrawal, RouteData<'POST /api/v1/pay/withdrawals'>>
  withdrawals: Same<WithdrawalList, RouteData<'GET /api/v1/pay/withdrawals'>>
  withdrawalQuery: Same<WithdrawalFilter, Partial<ParsedQuery<'GET /api/v1/pay/withdrawals'>>>
  newRefund: Same<NewRefund, RouteBody<'POST /api/v1/pay/refunds'>>
  newRefundLink: Same<NewRefundLink, RouteBody<'POST /api/v1/pay/refund-links'>>
  refundLink: Same<RefundLink, RouteData<'POST /api/v1/pay/refund-links'>>
  refund: Same<Refund, RouteData<'POST /api/v1/pay/refunds'>>
  refundQuery: Same<RefundFilter, Partial<ParsedQuery<'GET /api/v1/pay/refunds'>>>
  callbacks: Same<CallbackList, RouteData<'GET /api/v1/pay/callbacks'>>
  callback: Same<CallbackDetail, RouteData<'GET /api/v1/pay/callbacks/:id'>>
  newLink: Same<NewPaymentLink, RouteBody<'POST /api/v1/pay/links'>>
  link: Same<PaymentLink, RouteData<'POST /api/v1/pay/links/:id/close'>>
  links: Same<PaymentLinkList, RouteData<'GET /api/v1/pay/links'>>
  linkQuery: Same<PaymentLinkFilter, Partial<ParsedQuery<'GET /api/v1/pay/links'>>>
  endpoint: Same<WebhookEndpoint, RouteData<'POST /api/v1/pay/webhook-endpoints/:id'>>
  createdEndpoint: Same<WebhookEndpointWithSecret, RouteData<'POST /api/v1/pay/webhook-endpoints/:id/renew'>>
  newEndpoint: Same<NewWebhookEndpoint, RouteBody<'POST /api/v1/pay/webhook-endpoints'>>
  application: Same<Application, RouteData<'GET /api/v1/pay/application'>>
  applicationChanges: Same<ApplicationChanges, RouteBody<'POST /api/v1/pay/application'>>
  member: Same<Member, RouteData<'GET /api/v1/pay/members'>['list'][number]>
  members: Same<Members, RouteData<'GET /api/v1/pay/members'>>
  newInvitation: Same<NewMemberInvitation, RouteBody<'POST /api/v1/pay/members'>>
  invitation: Same<MemberInvitation, RouteData<'POST /api/v1/pay/members'>>
  statistics: Same<ApplicationStatistics, RouteData<'GET /api/v1/pay/statistics'>>
  webhook: Same<WithoutId<WebhookEvent>, Webhook>
} = {
  order: true,
  deposit: true,
  query: true,
  newOrder: true,
  orders: true,
  address: true,
  newAddress: true,
  addresses: true,
  addressDeposits: true,
  closed: true,
  paidMark: true,
  marked: true,
  currencies: true,
  balances: true,
  newWithdrawal: true,
  withdrawal: true,
  withdrawals: true,
  withdrawalQuery: true,
  newRefund: true,
  newRefundLink: true,
  refundLink: true,
  refund: true,
  refundQuery: true,
  callbacks: true,
  callback: true,
  newLink: true,
  link: true,
  links: true,
  linkQuery: true,
  endpoint: true,
  createdEndpoint: true,
  newEndpoint: true,
  application: true,
  applicationChanges: true,
  member: true,
  members: true,
  newInvitation: true,
  invitation: true,
  statistics: true,
  webhook: true,
}

test('types, status codes and error codes match the contract', () => {
  assert.ok(Object.values(same).every(Boolean))
  assert.deepEqual(paymentStatus, contractStatus)
  assert.deepEqual(payoutStatus, withdrawalStatus)
  for (const [name, code] of Object.entries(errorCodes))
    assert.equal(errors[name as keyof typeof errors].code, code, name)
})

test('imports nothing but libraries without Node.js at run time, so that it works in every runtime', async () => {
  const reached = new Set(['./index.ts'])
  // A set grows while it is read. The command line is a program of its own, for Node.js.
  for (const file of reached) {
    const text = await readFile(new URL(file, import.meta.url), 'utf8')
    for (const [, source = ''] of text.matchAll(/from '([^']+)'/g)) {
      assert.match(source, /^(?:\.\/|standardwebhooks$|@noble\/|@scure\/)/, `${file} imports ${source}`)
      if (source.startsWith('./')) reached.add(`./${join(dirname(file), source)}`)
    }
  }
  assert.ok(reached.has('./request.ts') && !reached.has('./commands.ts'), [...reached].join())
})
