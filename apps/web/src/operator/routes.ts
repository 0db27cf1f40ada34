import { workOrderTypes } from '@coffer/contract/codes/work-orders.ts'
import { merchantStatus, workOrderStatus } from '@coffer/contract/codes.ts'
import { isTextUpTo } from '@coffer/contract/kit/texts.ts'
import type { RoleRestrictedCall } from '@coffer/contract/operator/calls.ts'
import type { Messages } from '../i18n/areas.ts'
import { declareList, oneOf, search } from '../kit/list/search.ts'
import type { RouterOf } from '../kit/router/makeRouter.tsx'
import type { PageRoute } from '../kit/router/pageRoute.ts'
import type { IconName } from '../ui/icons.tsx'

/**
 * The pages of the console; those of the menu in its order. The port of the console serves these paths (`http/web.ts`).
 */
export interface Route extends PageRoute {
  /** What the page reads: a role that may not make this call has no such page. */
  call: RoleRestrictedCall & `GET ${string}`
  /** The file of its page, in features/. */
  page: string
  /** Place in the menu. Pages without it are reached from the page above. */
  menu?: { name: keyof Messages<'operator'>['menu']; icon: IconName }
}

export const lists = {
  incidents: declareList('GET /api/operator/v1/incidents', { state: oneOf('open', 'closed'), text: isTextUpTo(100) }),
  merchants: declareList('GET /api/operator/v1/merchants', {
    status: oneOf(...Object.values(merchantStatus)),
    text: isTextUpTo(100),
  }),
  workOrders: declareList('GET /api/operator/v1/work-orders', {
    status: oneOf(...Object.values(workOrderStatus)),
    type: oneOf(...workOrderTypes),
    text: isTextUpTo(100),
  }),
}

const planned = [
  {
    path: '/',
    call: 'GET /api/operator/v1/today',
    page: 'today/Page',
    messages: ['incidents'],
    menu: { name: 'today', icon: 'home' },
  },
  {
    path: '/incidents',
    call: 'GET /api/operator/v1/incidents',
    page: 'incidents/Page',
    messages: ['incidents'],
    search: lists.incidents.search,
    menu: { name: 'incidents', icon: 'warning' },
  },
  {
    path: '/incidents/$id',
    call: 'GET /api/operator/v1/incidents/:id',
    page: 'incidents/DetailPage',
    messages: ['dialogs', 'incidents'],
  },
  {
    path: '/merchants',
    call: 'GET /api/operator/v1/merchants',
    page: 'merchants/Page',
    search: lists.merchants.search,
    menu: { name: 'merchants', icon: 'user' },
  },
  {
    path: '/merchants/$id',
    call: 'GET /api/operator/v1/merchants/:id',
    page: 'merchants/DetailPage',
    messages: ['dialogs', 'support', 'callbacks'],
    search: search({ part: oneOf('payments', 'account') }),
  },
  {
    path: '/payments/$id',
    call: 'GET /api/operator/v1/payments/:id',
    page: 'payments/DetailPage',
    messages: ['support', 'payment-details', 'callbacks'],
  },
  {
    path: '/search',
    call: 'GET /api/operator/v1/search',
    page: 'search/Page',
    messages: ['support'],
    search: search({ text: isTextUpTo(128) }),
  },
  {
    path: '/withdrawals',
    call: 'GET /api/operator/v1/withdrawals',
    messages: ['dialogs'],
    page: 'withdrawals/Page',
    search: search({ group: oneOf('waiting', 'sending', 'ended') }),
    menu: { name: 'withdrawals', icon: 'withdraw' },
  },
  {
    path: '/withdrawals/$id',
    call: 'GET /api/operator/v1/withdrawals/:id',
    page: 'withdrawals/DetailPage',
    messages: ['dialogs', 'withdrawals'],
  },
  {
    path: '/refunds/$id',
    call: 'GET /api/operator/v1/refunds/:id',
    messages: ['dialogs'],
    page: 'withdrawals/RefundPage',
  },
  {
    path: '/orders',
    call: 'GET /api/operator/v1/work-orders',
    page: 'work-orders/Page',
    messages: ['work-orders'],
    search: lists.workOrders.search,
    menu: { name: 'orders', icon: 'ticket' },
  },
  {
    path: '/orders/$id',
    call: 'GET /api/operator/v1/work-orders/:id',
    page: 'work-orders/DetailPage',
    messages: ['dialogs', 'work-orders'],
  },
  {
    path: '/announcements',
    call: 'GET /api/operator/v1/announcements',
    messages: ['dialogs'],
    page: 'announcements/Page',
    menu: { name: 'announcements', icon: 'bell' },
  },
  {
    path: '/money',
    call: 'GET /api/operator/v1/wallets',
    messages: ['dialogs'],
    page: 'wallets/Page',
    menu: { name: 'money', icon: 'wallet' },
  },
  {
    path: '/chains',
    call: 'GET /api/operator/v1/chains',
    messages: ['dialogs'],
    page: 'chains/Page',
    menu: { name: 'chains', icon: 'globe' },
  },
  {
    path: '/queues',
    call: 'GET /api/operator/v1/queues',
    page: 'queues/Page',
    messages: ['dialogs', 'callbacks'],
    menu: { name: 'queues', icon: 'webhook' },
  },
  {
    path: '/operators',
    call: 'GET /api/operator/v1/operators',
    page: 'operators/Page',
    messages: ['dialogs', 'identity', 'operator-alerts'],
    menu: { name: 'operators', icon: 'shield' },
  },
  {
    path: '/log',
    call: 'GET /api/operator/v1/log',
    page: 'log/Page',
    messages: ['actions', 'shell', 'incidents', 'callbacks', 'operator-alerts'],
    search: search({ text: isTextUpTo(100) }),
    menu: { name: 'log', icon: 'list' },
  },
] as const satisfies Route[]

type PlannedRoute = (typeof planned)[number]
export type ConsoleRouter = RouterOf<PlannedRoute>

export const routes: readonly PlannedRoute[] = planned

const entries = routes.flatMap(route => ('menu' in route ? [route] : []))
export type MenuEntry = (typeof entries)[number]

/** The pages of the menu whose calls somebody may make. */
export const menuOf = (may: (call: Route['call']) => boolean): readonly MenuEntry[] =>
  entries.filter(({ call }) => may(call))

/** What the first page reads, at `/`. */
export const homeCall: Route['call'] = 'GET /api/operator/v1/today'
