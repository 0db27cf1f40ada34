import { notificationStatus, notificationType } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { buildRequestTarget } from '../api/url.ts'
import type { Area } from '../i18n/areas.ts'
import { type FirstCall, firstCalls, routes } from '../routes.ts'

/** A GET call by its URL, and as `apiQuery` takes it. */
export interface PrefetchedCall {
  url: string
  read: FirstCall
}

/**
 * What `start.js` requests from the HTML, while the code of the back-office is still loading. Each call must be one of
 * the page's first render, with its parameters in the same order: the API client recognises it by its URL.
 */
export interface PrefetchPlan {
  calls: PrefetchedCall[]
  /** The page's modules. */
  modules?: string[]
  messages: readonly Area[]
}

const toEarlyRead = (read: FirstCall): PrefetchedCall => {
  const [key, input] = read
  return { url: buildRequestTarget(key, undefined, (input as { query?: Record<string, unknown> }).query).url, read }
}

const account: FirstCall = ['GET /api/v1/user/info', {}]
const notifications: FirstCall = [
  'GET /api/v1/message',
  { query: { current: 1, pageSize: limits.notificationPageSize, group: 'notices' } },
]
const announcements: FirstCall = [
  'GET /api/v1/message',
  {
    query: { read: notificationStatus.unread, types: notificationType.announcement, current: 1, pageSize: 10 },
  },
]

/** Drawn with all pages of phones but the list of payments, as `phone.tsx` loads it. */
const icons = 'src/ui/pageIcons.ts'

/** The module of a page, and what is loaded with it. */
function modulesOf(desktop: string, path: string, device: 'desktop' | 'phone'): string[] {
  if (device === 'desktop') return [`src/features/${desktop}.tsx`]
  return [`src/features/${desktop}.mobile.tsx`, ...(path === '/record' ? [] : [icons])]
}

/**
 * What pages request besides, by path, when they are opened without search parameters. Others have their calls later.
 */
function pagesOn(device: 'desktop' | 'phone'): Record<string, PrefetchPlan> {
  const calls: Partial<Record<string, ReturnType<typeof firstCalls>['/']>> = firstCalls()
  const early = routes.flatMap(({ path, desktop, messages = [] }) => {
    const first = calls[path]?.[device]
    if (!first) return []
    return [[path, { calls: first.map(toEarlyRead), modules: modulesOf(desktop, path, device), messages }] as const]
  })
  return Object.fromEntries(early)
}

/** The HTML entries with early calls: what every page requests, and what some request besides. */
export const prefetchPlansByDevice: Record<
  'index' | 'phone',
  { shell: PrefetchPlan; pages: Record<string, PrefetchPlan> }
> = {
  index: {
    shell: {
      calls: [account, announcements, notifications].map(toEarlyRead),
      messages: ['common', 'shell', 'desktop'],
    },
    pages: pagesOn('desktop'),
  },
  phone: {
    shell: { calls: [account, notifications].map(toEarlyRead), messages: ['common', 'shell', 'phone'] },
    pages: pagesOn('phone'),
  },
}
