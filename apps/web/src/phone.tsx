import { merchantStatus } from '@coffer/contract/codes.ts'
import type { ComponentType } from 'react'
import { apiQuery, queryClient } from './api/query.ts'
import { addAreas } from './i18n/messages.ts'
import { recordAreas } from './i18n/records.ts'
import { readToken } from './lib/session.ts'
import { readStored } from './lib/storage.ts'
import { makeRouter } from './router.tsx'
import { Mobile } from './shells/mobile/Mobile.tsx'
import { startBackOffice } from './start.tsx'
import { loadIcons } from './ui/icons.tsx'
import './shells/mobile/mobile.css'

const files = import.meta.glob<{ default: ComponentType }>('./features/*/*Page.mobile.tsx')

/** Pages for merchants without permission. */
const open = ['/openAuth', '/openAuthPage', '/reviewing', '/initPage']

/**
 * How long (ms) after the page has loaded, so that the worker's files and start do not compete with the first render.
 */
const registerAfterMs = 2_000

/** Registers the service worker. */
const registerWorker = (): unknown =>
  import.meta.env.PROD &&
  'serviceWorker' in navigator &&
  addEventListener('load', () =>
    setTimeout(() => void navigator.serviceWorker.register('/m/worker.js').catch(() => {}), registerAfterMs),
  )

/** Once the page is idle, keeps the push subscription of a device that has one. */
const keepPushAtStart = (): unknown =>
  readStored('push') &&
  readToken() !== null &&
  addEventListener('load', () => void import('./kit/push.ts').then(push => push.bindPushToSession()).catch(() => {}))

/** Leads merchants without permission to where they open it. A page that cannot know shows its own errors. */
async function guard(path: string): Promise<string | undefined> {
  if (open.includes(path)) return undefined
  const user = await queryClient.ensureQueryData(apiQuery('GET /api/v1/user/info', {})).catch(() => null)
  return user && user.status !== merchantStatus.approved ? '/openAuth' : undefined
}

addAreas(recordAreas, async () => (await import('./i18n/pages.ts')).pageAreas)
registerWorker()
keepPushAtStart()
void startBackOffice(
  makeRouter({
    basepath: '/m',
    shell: Mobile,
    // A page without a layout of its own for phones is drawn as on a narrow desktop.
    // The table of those pages is loaded with the first of them.
    pageOf: route => {
      const load =
        files[`./features/${route.desktop}.mobile.tsx`] ??
        (async () => (await import('./pages.ts')).findDesktopPage(route)())
      // The list of payments, which opens the most, has no need of them.
      return route.path === '/record' ? load : async () => (await Promise.all([load(), loadIcons()]))[0]
    },
    guard,
  }),
  'phone',
)
