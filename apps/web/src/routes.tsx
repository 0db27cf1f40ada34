import {
  callbackEvents,
  callbackStatus,
  fundFlowTypes,
  paymentStatus,
  withdrawalStatus,
} from '@coffer/contract/codes.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { isMetadataFilter, isOutTradeNo, isSearchText, isTradeNo, isTxid } from '@coffer/contract/validators.ts'
import type { Messages } from './i18n/areas.ts'
import { days, isAny, isId, oneOf, search } from './kit/list/search.ts'
import type { PageRoute } from './kit/router/makeRouter.tsx'
import type { IconName } from './ui/icons.tsx'

/**
 * All pages of the back-office, by their paths on the desktop; phones have the same under /m. To add a page, write features/<area>/Page.tsx with a default export (and
 * Page.mobile.tsx beside it for phones) and its messages (see i18n/areas.ts), and add an entry here. The name of its file is
 * not type-checked, so check new ones in the browser.
 */
export interface Route extends PageRoute {
  /** In the side menu, the window title and the command menu. */
  title: Record<Language, string>
  /** The file of its page, in features/. */
  desktop: string
  /** Place in the side menu. Pages without it are reached from other pages. */
  menu?: { group: keyof Messages<'shell'>['groups']; icon: IconName }
}

const planned = [
  {
    path: '/',
    title: { en: 'Dashboard', 'zh-CN': '首页' },
    desktop: 'dashboard/Page',
    messages: ['dashboard'],
    search: search({ ...days, days: isAny, appid: isAny }),
    menu: { group: 'overview', icon: 'home' },
  },
  {
    path: '/statistics',
    title: { en: 'Statistics overview', 'zh-CN': '统计概览' },
    desktop: 'statistics/Page',
    messages: ['statistics'],
    search: search({ ...days, days: isAny, appid: isAny }),
    menu: { group: 'overview', icon: 'chart' },
  },

  {
    path: '/collect',
    title: { en: 'Collect', 'zh-CN': '收款' },
    desktop: 'payment-links/Page',
    messages: ['payment-links'],
    search: search({ active: oneOf(0, 1), text: isSearchText, trade_no: isTradeNo, view: oneOf('links') }),
    menu: { group: 'money', icon: 'plus' },
  },
  {
    path: '/record',
    title: { en: 'Collection records', 'zh-CN': '收款记录' },
    desktop: 'payments/Page',
    messages: ['payments'],
    search: search({
      ...days,
      status: oneOf(paymentStatus.open, paymentStatus.paid, paymentStatus.timed_out),
      appid: isId,
      out_trade_no: isOutTradeNo,
      platform_no: isTradeNo,
      trade_no: isTradeNo,
      exception: oneOf('partial', 'over', 'late', 'marked_paid', 'marked_invalid'),
      text: isSearchText,
      address: isSearchText,
      txid: isTxid,
      metadata: isMetadataFilter,
    }),
    menu: { group: 'money', icon: 'list' },
  },
  {
    path: '/record/withdrawal',
    title: { en: 'Withdrawal records', 'zh-CN': '提现记录' },
    desktop: 'withdrawals/RecordsPage',
    messages: ['withdrawals'],
    search: search({
      ...days,
      status: oneOf(...Object.values(withdrawalStatus)),
      network_id: isId,
      number: isTradeNo,
      txid: isTxid,
      address: isSearchText,
      id: isTradeNo,
    }),
    menu: { group: 'money', icon: 'withdraw' },
  },
  {
    path: '/record/refund',
    title: { en: 'Refund records', 'zh-CN': '退款记录' },
    desktop: 'refunds/Page',
    messages: ['refunds'],
    search: search({ ...days, status: oneOf(3, 4, 5, 6, 7), appid: isId, trade_no: isTradeNo }),
    menu: { group: 'money', icon: 'refund' },
  },
  {
    path: '/property',
    title: { en: 'Assets', 'zh-CN': '资产' },
    desktop: 'ledger/Page',
    messages: ['ledger'],
    menu: { group: 'money', icon: 'wallet' },
  },
  {
    path: '/property/fundingDetails',
    title: { en: 'Fund flow', 'zh-CN': '资金流水' },
    desktop: 'fund-flow/Page',
    messages: ['fund-flow', 'ledger'],
    search: search({
      ...days,
      type: oneOf(...fundFlowTypes),
      account: oneOf('available', 'held'),
      direction: oneOf('in', 'out'),
      network_id: isAny,
      token_id: isAny,
    }),
  },
  {
    path: '/property/WithdrawSetting',
    title: { en: 'Withdrawal settings', 'zh-CN': '提现设置' },
    desktop: 'withdrawals/SettingsPage',
    messages: ['withdrawals', 'ledger'],
  },
  {
    path: '/property/fixedAddr',
    title: { en: 'Fixed addresses', 'zh-CN': '固定地址' },
    desktop: 'addresses/Page',
    messages: ['ledger'],
    search: search({ appid: isId, currency_id: isId, text: isAny }),
  },
  {
    path: '/property/recharge',
    title: { en: 'Recharge', 'zh-CN': '充值' },
    desktop: 'recharges/Page',
    messages: ['ledger'],
    search: search({ ...days, token_id: isAny, state: oneOf('seen', 'credited', 'dropped', 'undone'), text: isAny }),
  },
  {
    path: '/withdraw',
    title: { en: 'Withdraw', 'zh-CN': '提现' },
    desktop: 'withdrawals/Page',
    messages: ['withdrawals', 'ledger'],
    search: search({ id: isAny }),
  },
  {
    path: '/transfer',
    title: { en: 'Fund transfer', 'zh-CN': '资金划转' },
    desktop: 'transfers/Page',
    messages: ['transfers'],
    menu: { group: 'money', icon: 'swap' },
  },
  {
    path: '/transfer/record',
    title: { en: 'Transfer records', 'zh-CN': '划转记录' },
    desktop: 'transfers/RecordsPage',
    messages: ['transfers'],
    search: search({ ...days, direction: oneOf('in', 'out'), token_id: isAny, id: isId }),
  },

  {
    path: '/appManage',
    title: { en: 'Applications', 'zh-CN': '应用管理' },
    desktop: 'applications/Page',
    messages: ['applications'],
    search: search({ name: isAny, appid: isAny }),
    menu: { group: 'integration', icon: 'key' },
  },
  {
    path: '/callbackList',
    title: { en: 'Callback records', 'zh-CN': '回调记录' },
    desktop: 'callbacks/Page',
    messages: ['callbacks'],
    search: search({
      ...days,
      status: oneOf(...Object.values(callbackStatus)),
      event: oneOf(...callbackEvents),
      appid: isId,
      trade_no: isTradeNo,
      id: isId,
    }),
    menu: { group: 'integration', icon: 'webhook' },
  },

  {
    path: '/address',
    title: { en: 'Address book', 'zh-CN': '地址管理' },
    desktop: 'address-book/Page',
    messages: ['address-book'],
    search: search({ currency_id: isId, text: isSearchText }),
    menu: { group: 'account', icon: 'pin' },
  },
  {
    path: '/billing',
    title: { en: 'Billing settings', 'zh-CN': '计费设置' },
    desktop: 'billing/Page',
    messages: ['billing'],
    search: search({ invoice: isId, version: text => /^[1-9]\d{0,2}$/.test(text) }),
    menu: { group: 'account', icon: 'bill' },
  },
  {
    path: '/workOrder',
    title: { en: 'Work orders', 'zh-CN': '工单' },
    desktop: 'work-orders/Page',
    messages: ['work-orders'],
    search: search({
      status: isId,
      type: isId,
      text: isAny,
      number: isId,
      about_kind: isId,
      about_id: isId,
    }),
    menu: { group: 'account', icon: 'ticket' },
  },
  {
    path: '/accountInfo',
    title: { en: 'Account security', 'zh-CN': '账号与安全' },
    desktop: 'identity/Page',
    messages: ['identity'],
    menu: { group: 'account', icon: 'shield' },
  },

  {
    path: '/openAuth',
    title: { en: 'Merchant permission', 'zh-CN': '商户权限' },
    desktop: 'onboarding/OpenAuthPage',
    messages: ['onboarding'],
  },
  {
    path: '/openAuthPage',
    title: { en: 'Open merchant permission', 'zh-CN': '开通商户权限' },
    desktop: 'onboarding/FormPage',
    messages: ['onboarding'],
  },
  {
    path: '/reviewing',
    title: { en: 'Review status', 'zh-CN': '审核状态' },
    desktop: 'onboarding/ReviewingPage',
    messages: ['onboarding'],
  },
  {
    path: '/initPage',
    title: { en: 'Getting started', 'zh-CN': '开始使用' },
    desktop: 'onboarding/InitPage',
    messages: ['onboarding'],
  },
] as const satisfies Route[]

/** Each page with its literal path and search, for the router's types. */
export type PlannedRoute = (typeof planned)[number]

export const routes: readonly Route[] = planned
