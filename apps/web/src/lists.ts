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
  isPaymentSearchText,
  isSearchText,
  isTextUpTo,
  isTradeNo,
  isTxid,
} from '@coffer/contract/kit/texts.ts'
import {
  asDrawerParam,
  asPageParam,
  dayRangeRules,
  declareList,
  isAny,
  isUnofferedFilter,
  oneOf,
  withQueryName,
} from './kit/list/search.ts'

/** The lists of the back-office: the call of each, and the parameters of its URL. */
export const lists = {
  payments: declareList('GET /api/v1/transactions/list', {
    ...dayRangeRules,
    status: oneOf(paymentStatus.open, paymentStatus.paid, paymentStatus.timed_out),
    appid: isId,
    out_trade_no: isOutTradeNo,
    platform_no: withQueryName(isTradeNo, 'trade_no'),
    exception: oneOf('partial', 'over', 'late', 'marked_paid', 'marked_invalid'),
    text: isPaymentSearchText,
    address: isUnofferedFilter,
    txid: isUnofferedFilter,
    metadata: isMetadataFilter,
    collected_by: isId,
    trade_no: asDrawerParam(isTradeNo),
  }),
  withdrawals: declareList(
    'GET /api/v1/account/withdrawal-list',
    {
      ...dayRangeRules,
      status: oneOf(...Object.values(withdrawalStatus)),
      network_id: isId,
      token_id: isUnofferedFilter,
      appid: isUnofferedFilter,
      number: withQueryName(isTradeNo, 'id'),
      txid: isTxid,
      address: isNonBlankUpTo(128),
      id: asDrawerParam(isTradeNo),
    },
    { rowsOnPhone: limits.mobileWithdrawalPageSize },
  ),
  refunds: declareList('GET /api/v1/transactions/refund-list', {
    ...dayRangeRules,
    // A refund needs no approval.
    status: oneOf(
      withdrawalStatus.transferring,
      withdrawalStatus.confirming,
      withdrawalStatus.accomplished,
      withdrawalStatus.canceled,
      withdrawalStatus.abnormal,
    ),
    token_id: isUnofferedFilter,
    appid: isId,
    trade_no: isUnofferedFilter,
    order: isOutTradeNo,
  }),
  refundLinks: declareList('GET /api/v1/transactions/refund-link-list', {
    state: oneOf(...refundLinkStates),
    order: isOutTradeNo,
  }),
  // Of one account at a time, by default the available one: what is reserved leaves one and enters the other.
  fundFlow: declareList('GET /api/v1/account/stream', {
    ...dayRangeRules,
    type: oneOf(...fundFlowTypes),
    account: oneOf('held'),
    direction: oneOf('in', 'out'),
    network_id: isId,
    token_id: isId,
  }),
  expenses: declareList(
    'GET /api/v1/account/expend',
    { ...dayRangeRules, network_id: isId, token_id: isId },
    { page: 'page' },
  ),
  addresses: declareList('GET /api/v1/account/fixed-address', {
    appid: isId,
    currency_id: isId,
    text: isNonBlankUpTo(128),
  }),
  recharges: declareList('GET /api/v1/account/recharge', {
    ...dayRangeRules,
    token_id: isId,
    state: oneOf(...depositStates),
    text: isNonBlankUpTo(128),
  }),
  transfers: declareList('GET /api/v1/account/internal-transfer', {
    ...dayRangeRules,
    direction: oneOf('in', 'out'),
    token_id: isId,
    id: isId,
  }),
  paymentLinks: declareList('GET /api/v1/payment-link', {
    active: oneOf(1, 0),
    text: isSearchText,
    trade_no: asPageParam(isTradeNo),
    view: asPageParam(oneOf('links', 'new')),
  }),
  applications: declareList('GET /api/v1/user/secret-key/list', {
    all: isUnofferedFilter,
    name: isTextUpTo(limits.applicationNameMax),
    appid: asDrawerParam(isAny),
  }),
  callbacks: declareList('GET /api/v1/callback/list', {
    ...dayRangeRules,
    status: oneOf(...Object.values(callbackStatus)),
    event: oneOf(...callbackEvents),
    appid: isId,
    trade_no: isTradeNo,
    id: asDrawerParam(isId),
  }),
  addressBook: declareList('GET /api/v1/address', { currency_id: isId, text: isSearchText }),
  invoices: declareList('GET /api/v1/account/invoices', {
    invoice: asPageParam(isId),
    version: asPageParam((text: string) => /^[1-9]\d{0,2}$/.test(text)),
  }),
  workOrders: declareList('GET /api/v1/work-order/list', {
    status: oneOf(...Object.values(workOrderStatus)),
    type: oneOf('payment', 'withdrawal', 'callback', 'account', 'billing', 'documents', 'other'),
    text: isTextUpTo(100),
    number: asDrawerParam(isId),
    about_kind: asPageParam(isId),
    about_id: asPageParam(isId),
  }),
  activity: declareList('GET /api/v1/user/log', {}),
}
