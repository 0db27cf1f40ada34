import { readToken } from '../lib/session.ts'
import { readStored } from '../lib/storage.ts'

/** Once the page is idle, keeps the push subscription of a device that has one. */
export const keepPushAtStart = (): unknown =>
  readStored('push') &&
  readToken() !== null &&
  addEventListener('load', () => void import('./push.ts').then(push => push.keepPush()).catch(() => {}))
