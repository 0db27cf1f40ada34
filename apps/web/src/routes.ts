import { paymentStatus } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { Language } from '@coffer/contract/languages.ts'
import type { CallInput, RouteKey } from './api/types.ts'
import type { Messages } from './i18n/areas.ts'
import { buildFirstPage, dayRangeRules, isAny, search } from './kit/list/search.ts'
import type { PageRoute } from './kit/router/pageRoute.ts'
import { lists } from './lists.ts'
import type { pageIcons } from './ui/pageIcons.ts'
import type { shellIcons } from './ui/shellIcons.ts'

/**
 * All pages of the back-office, by their paths on the desktop; phones have the same under /m. To add a page, write
 * features/<area>/Page.tsx with a default export (and Page.mobile.tsx beside it for phones) and its messages (see
 * i18n/pages.ts), and add an entry here. The name of its file is not type-checked, so check new ones in the browser.
 */
export interface Route extends PageRoute {
  /** In the side menu, the window title and the command menu. */
  title: Record<Language, string>
  /** The file of its page, in features/. */
  desktop: string
  /** Place in the side menu. Pages without it are reached from other pages. */
  menu?: {
    group: keyof Messages<'shell'>['groups']
    icon: keyof typeof pageIcons | keyof typeof shellIcons
    /** A call that counts what waits there. Who works alone does not see the page in the menu. */
    counts?: 'GET /api/v1/approval/count'
  }
}

const planned = [
  {
    path: '/',
    title: { en: 'Dashboard', 'zh-CN': '首页' },
    desktop: 'dashboard/Page',
    messages: ['dashboard'],
    search: search({ ...dayRangeRules, days: isAny, appid: isAny }),
    menu: { group: 'overview', icon: 'home' },
  },
  {
    path: '/statistics',
    title: { en: 'Statistics overview', 'zh-CN': '统计概览' },
    desktop: 'statistics/Page',
    messages: ['statistics'],
    search: search({ ...dayRangeRules, days: isAny, appid: isAny }),
    menu: { group: 'overview', icon: 'chart' },
  },

  {
    path: '/collect',
    title: { en: 'Collect', 'zh-CN': '收款' },
    desktop: 'payment-links/Page',
    messages: ['payment-links'],
    search: lists.paymentLinks.search,
    menu: { group: 'money', icon: 'plus' },
  },
  {
    path: '/record',
    title: { en: 'Collection records', 'zh-CN': '收款记录' },
    desktop: 'payments/Page',
    messages: ['payments'],
    search: lists.payments.search,
    menu: { group: 'money', icon: 'list' },
  },
  {
    path: '/record/withdrawal',
    title: { en: 'Withdrawal records', 'zh-CN': '提现记录' },
    desktop: 'withdrawals/RecordsPage',
    messages: ['withdrawals'],
    search: lists.withdrawals.search,
    menu: { group: 'money', icon: 'send' },
  },
  {
    path: '/record/refund',
    title: { en: 'Refund records', 'zh-CN': '退款记录' },
    desktop: 'refunds/Page',
    messages: ['refunds'],
    search: lists.refunds.search,
    menu: { group: 'money', icon: 'refund' },
  },
  {
    path: '/record/refund/links',
    title: { en: 'Refund links', 'zh-CN': '退款链接' },
    desktop: 'refunds/LinksPage',
    messages: ['refunds'],
    search: lists.refundLinks.search,
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
    search: lists.fundFlow.search,
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
    search: lists.addresses.search,
  },
  {
    path: '/property/recharge',
    title: { en: 'Recharge', 'zh-CN': '充值' },
    desktop: 'recharges/Page',
    messages: ['ledger'],
    search: lists.recharges.search,
  },
  {
    path: '/withdraw',
    title: { en: 'Withdraw', 'zh-CN': '提现' },
    desktop: 'withdrawals/Page',
    messages: ['withdrawals', 'ledger'],
    search: search({ id: isAny }),
    menu: { group: 'money', icon: 'withdraw' },
  },
  {
    path: '/approvals',
    title: { en: 'Waits for you', 'zh-CN': '待我复核' },
    desktop: 'withdrawals/ApprovalsPage',
    messages: ['approvals', 'withdrawals'],
    menu: { group: 'money', icon: 'approve', counts: 'GET /api/v1/approval/count' },
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
    search: lists.transfers.search,
  },

  {
    path: '/appManage',
    title: { en: 'Applications', 'zh-CN': '应用管理' },
    desktop: 'applications/Page',
    messages: ['applications'],
    search: lists.applications.search,
    menu: { group: 'integration', icon: 'key' },
  },
  {
    path: '/connectShop',
    title: { en: 'Connect a shop', 'zh-CN': '接入店铺' },
    desktop: 'applications/ConnectShopPage',
    messages: ['shops'],
    search: search({ name: isAny, redirect: isAny, permissions: isAny }),
  },
  {
    path: '/callbackList',
    title: { en: 'Callback records', 'zh-CN': '回调记录' },
    desktop: 'callbacks/Page',
    messages: ['callbacks'],
    search: lists.callbacks.search,
    menu: { group: 'integration', icon: 'webhook' },
  },

  {
    path: '/address',
    title: { en: 'Address book', 'zh-CN': '地址簿' },
    desktop: 'address-book/Page',
    messages: ['address-book'],
    search: lists.addressBook.search,
    menu: { group: 'account', icon: 'pin' },
  },
  {
    path: '/billing',
    title: { en: 'Billing settings', 'zh-CN': '计费设置' },
    desktop: 'billing/Page',
    messages: ['billing'],
    search: lists.invoices.search,
    menu: { group: 'account', icon: 'bill' },
  },
  {
    path: '/workOrder',
    title: { en: 'Work orders', 'zh-CN': '工单' },
    desktop: 'work-orders/Page',
    messages: ['work-orders'],
    search: lists.workOrders.search,
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
    path: '/user/people',
    title: { en: 'People', 'zh-CN': '成员' },
    desktop: 'members/Page',
    messages: ['members'],
  },
  {
    path: '/user/messages',
    title: { en: 'Messages', 'zh-CN': '消息' },
    desktop: 'messages/Page',
    messages: ['messages'],
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
    messages: ['onboarding', 'dashboard'],
  },
] as const satisfies Route[]

/** Each page with its literal path and search, for the router's types. */
export type TypedAppRoute = (typeof planned)[number]

export const routes: readonly Route[] = planned

/** A GET call with its input, as `apiQuery` takes it. */
export type FirstCall = { [K in RouteKey & `GET ${string}`]: [key: K, input: CallInput<K>] }[RouteKey & `GET ${string}`]

/** The first calls of a page on the desktop and on phones. */
interface FirstCalls {
  desktop: FirstCall[]
  phone: FirstCall[]
}

/**
 * The calls of a page's first render when it is opened without search parameters. The HTML sends them before the code
 * of the page has loaded (`early/plan.ts`): parameters have the same order as in the page's own call, whose URL is
 * compared. A function, so that the pages' code is built without it.
 */
export function firstCalls(): Partial<Record<TypedAppRoute['path'], FirstCalls>> {
  const applications: FirstCall = ['GET /api/v1/user/application-list', {}]
  const overview: FirstCall = ['GET /api/v1/statistics/overview', {}]
  const latest: FirstCall = [
    'GET /api/v1/transactions/list',
    { query: { current: 1, pageSize: limits.latestPayments, status: paymentStatus.paid } },
  ]
  const assets: FirstCall = ['GET /api/v1/statistics/assets', { query: { all: '1' } }]
  const { payments } = lists
  return {
    '/': {
      desktop: [
        overview,
        ['GET /api/v1/statistics/daily-collection', { query: { days: 59 } }],
        latest,
        ['GET /api/v1/statistics/assets', {}],
        applications,
        ['GET /api/v1/market/follow/list', {}],
      ],
      phone: [overview, latest, ['GET /api/v1/statistics/daily-collection', { query: { days: 30 } }]],
    },
    '/record': {
      desktop: [[payments.call, { query: buildFirstPage(payments, 'desktop') }], applications],
      phone: [[payments.call, { query: buildFirstPage(payments, 'phone') }]],
    },
    '/property': { desktop: [assets], phone: [assets] },
  }
}
