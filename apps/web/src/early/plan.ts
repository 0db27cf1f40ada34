import { notificationStatus, notificationType, paymentStatus } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { Input, RouteKey } from '../api/types.ts'
import { target } from '../api/url.ts'
import type { Area } from '../i18n/areas.ts'

/** A GET call by its URL, and as `apiQuery` takes it. */
export interface EarlyRead {
  url: string
  read: [key: string, input: object]
}

/**
 * What `start.js` requests from the HTML, while the code of the back-office is still loading. Each call must be one of
 * the page's first render, with its parameters in the same order: the API client recognises it by its URL.
 */
export interface EarlyRequests {
  calls: EarlyRead[]
  /** The page's modules. */
  modules?: string[]
  messages: Area[]
}

const get = <K extends RouteKey & `GET ${string}`>(key: K, input: Input<K>): EarlyRead => ({
  url: target(key, undefined, (input as { query?: Record<string, unknown> }).query).url,
  read: [key, input],
})

const notifications = get('GET /api/v1/message', {
  query: { current: 1, pageSize: limits.notificationPageSize, group: 'notices' },
})

/** What every page requests. */
const shell: EarlyRequests = {
  calls: [
    get('GET /api/v1/user/info', {}),
    get('GET /api/v1/message', {
      query: {
        read: notificationStatus.unread,
        types: notificationType.announcement,
        current: 1,
        pageSize: 10,
      },
    }),
    notifications,
  ],
  messages: ['common', 'shell'],
}

const assets = get('GET /api/v1/statistics/assets', { query: { all: '1' } })
const latest = get('GET /api/v1/transactions/list', {
  query: {
    current: 1,
    pageSize: limits.latestPayments,
    status: paymentStatus.paid,
  },
})
const applications = get('GET /api/v1/user/application-list', {})

/**
 * What pages request besides, by path, when they are opened without search parameters. Others have their calls later.
 */
const pages: Record<string, EarlyRequests> = {
  '/': {
    calls: [
      get('GET /api/v1/statistics/overview', {}),
      get('GET /api/v1/statistics/daily-collection', { query: { days: 59 } }),
      latest,
      get('GET /api/v1/statistics/assets', {}),
      applications,
      get('GET /api/v1/market/follow/list', {}),
    ],
    modules: ['src/features/dashboard/Page.tsx'],
    messages: ['dashboard'],
  },
  '/record': {
    calls: [
      get('GET /api/v1/transactions/list', { query: { current: 1, pageSize: limits.pageSizes[0] } }),
      applications,
    ],
    modules: ['src/features/payments/Page.tsx'],
    messages: ['payments'],
  },
  '/property': {
    calls: [assets],
    modules: ['src/features/ledger/Page.tsx'],
    messages: ['ledger'],
  },
}

/** Drawn with all pages of phones but the list of payments. */
const icons = 'src/ui/pageIcons.ts'

/** The same for phones. */
const phonePages: Record<string, EarlyRequests> = {
  '/': {
    calls: [
      get('GET /api/v1/statistics/overview', {}),
      latest,
      get('GET /api/v1/statistics/daily-collection', { query: { days: 30 } }),
    ],
    modules: ['src/features/dashboard/Page.mobile.tsx', icons],
    messages: ['dashboard'],
  },
  '/record': {
    calls: [get('GET /api/v1/transactions/list', { query: { current: 1, pageSize: 20 } })],
    modules: ['src/features/payments/Page.mobile.tsx'],
    messages: ['payments'],
  },
  '/property': {
    calls: [assets],
    modules: ['src/features/ledger/Page.mobile.tsx', icons],
    messages: ['ledger'],
  },
}

/** The HTML entries with early calls. */
export const devices: Record<'index' | 'phone', { shell: EarlyRequests; pages: Record<string, EarlyRequests> }> = {
  index: { shell, pages },
  phone: {
    shell: { calls: [get('GET /api/v1/user/info', {}), notifications], messages: ['common', 'shell', 'phone'] },
    pages: phonePages,
  },
}
