import {
  callbackEvents,
  callbackStatus,
  depositStates,
  fundFlowTypes,
  paymentStatus,
  refundLinkStates,
  withdrawalStatus,
  workOrderStatus,
} from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import {
  isId,
  isMetadataFilter,
  isNonBlankUpTo,
  isOutTradeNo,
  isRecordText,
  isSearchText,
  isTextUpTo,
  isTradeNo,
  isTxid,
} from '@coffer/contract/kit/texts.ts'
import { aside, days, isAny, listAt, named, notOffered, oneOf, opens } from './kit/list/search.ts'

/** The lists of the back-office: the call of each, and the parameters of its URL. */
export const lists = {
  payments: listAt('GET /api/v1/transactions/list', {
    ...days,
    status: oneOf(paymentStatus.open, paymentStatus.paid, paymentStatus.timed_out),
    appid: isId,
    out_trade_no: isOutTradeNo,
    platform_no: named(isTradeNo, 'trade_no'),
    exception: oneOf('partial', 'over', 'late', 'marked_paid', 'marked_invalid'),
    text: isRecordText,
    address: notOffered,
    txid: notOffered,
    metadata: isMetadataFilter,
    trade_no: opens(isTradeNo),
  }),
  withdrawals: listAt(
    'GET /api/v1/account/withdrawal-list',
    {
      ...days,
      status: oneOf(...Object.values(withdrawalStatus)),
      network_id: isId,
      token_id: notOffered,
      appid: notOffered,
      number: named(isTradeNo, 'id'),
      txid: isTxid,
      address: isNonBlankUpTo(128),
      id: opens(isTradeNo),
    },
    { rowsOnPhone: limits.mobileWithdrawalPageSize },
  ),
  refunds: listAt('GET /api/v1/transactions/refund-list', {
    ...days,
    // A refund needs no approval.
    status: oneOf(
      withdrawalStatus.transferring,
      withdrawalStatus.confirming,
      withdrawalStatus.accomplished,
      withdrawalStatus.canceled,
      withdrawalStatus.abnormal,
    ),
    token_id: notOffered,
    appid: isId,
    trade_no: notOffered,
    order: isOutTradeNo,
  }),
  refundLinks: listAt('GET /api/v1/transactions/refund-link-list', {
    state: oneOf(...refundLinkStates),
    order: isOutTradeNo,
  }),
  // Of one account at a time, by default the available one: what is reserved leaves one and enters the other.
  fundFlow: listAt('GET /api/v1/account/stream', {
    ...days,
    type: oneOf(...fundFlowTypes),
    account: oneOf('held'),
    direction: oneOf('in', 'out'),
    network_id: isId,
    token_id: isId,
  }),
  expenses: listAt('GET /api/v1/account/expend', { ...days, network_id: isId, token_id: isId }, { page: 'page' }),
  addresses: listAt('GET /api/v1/account/fixed-address', {
    appid: isId,
    currency_id: isId,
    text: isNonBlankUpTo(128),
  }),
  recharges: listAt('GET /api/v1/account/recharge', {
    ...days,
    token_id: isId,
    state: oneOf(...depositStates),
    text: isNonBlankUpTo(128),
  }),
  transfers: listAt('GET /api/v1/account/internal-transfer', {
    ...days,
    direction: oneOf('in', 'out'),
    token_id: isId,
    id: isId,
  }),
  paymentLinks: listAt('GET /api/v1/payment-link', {
    active: oneOf(1, 0),
    text: isSearchText,
    trade_no: aside(isTradeNo),
    view: aside(oneOf('links', 'new')),
  }),
  applications: listAt('GET /api/v1/user/secret-key/list', {
    all: notOffered,
    name: isTextUpTo(limits.applicationNameMax),
    appid: opens(isAny),
  }),
  callbacks: listAt('GET /api/v1/callback/list', {
    ...days,
    status: oneOf(...Object.values(callbackStatus)),
    event: oneOf(...callbackEvents),
    appid: isId,
    trade_no: isTradeNo,
    id: opens(isId),
  }),
  addressBook: listAt('GET /api/v1/address', { currency_id: isId, text: isSearchText }),
  invoices: listAt('GET /api/v1/account/invoices', {
    invoice: aside(isId),
    version: aside((text: string) => /^[1-9]\d{0,2}$/.test(text)),
  }),
  workOrders: listAt('GET /api/v1/work-order/list', {
    status: oneOf(...Object.values(workOrderStatus)),
    type: oneOf('payment', 'withdrawal', 'callback', 'account', 'billing', 'documents', 'other'),
    text: isTextUpTo(100),
    number: opens(isId),
    about_kind: aside(isId),
    about_id: aside(isId),
  }),
  activity: listAt('GET /api/v1/user/log', {}),
}
