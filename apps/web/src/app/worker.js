// The service worker of phones. It keeps the shell: the page and the hashed files of its build. Answers of calls are never stored,
// so that no balance is shown which is not true any more. The build replaces the three names.
const cacheName = '__CACHE__'
const offline = '__OFFLINE__'
/** With which the page that takes payments opens without a connection. */
const files = '__FILES__'.split(' ').filter(Boolean)

addEventListener('install', event => {
  // The page of the first visit was not asked from here.
  const shell = new Request('/m/', { headers: { accept: 'text/html' } })
  event.waitUntil(caches.open(cacheName).then(cache => cache.addAll([offline, shell, ...files])))
  skipWaiting()
})

addEventListener('activate', event => {
  const drop = async () => {
    const names = await caches.keys()
    await Promise.all(
      names.filter(name => name.startsWith('coffer-') && name !== cacheName).map(name => caches.delete(name)),
    )
    await clients.claim()
  }
  event.waitUntil(drop())
})

/** The newest page, so that a new build shows at once; without a connection the stored one. */
async function page(request) {
  const cache = await caches.open(cacheName)
  // The login page is another one, to which the shell leads.
  const isShell = new URL(request.url).pathname !== '/m/login'
  try {
    const answer = await fetch(request)
    if (isShell && answer.ok && !answer.redirected) await cache.put('/m/', answer.clone())
    return answer
  } catch {
    return (isShell && (await cache.match('/m/'))) || cache.match(offline)
  }
}

/** A file whose name has its hash never changes. */
async function file(request) {
  const cache = await caches.open(cacheName)
  const known = await cache.match(request)
  if (known) return known
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

/** A received payment, or what waits at a page. One that arrives twice replaces itself. */
addEventListener('push', event => {
  const { title, body, tag, trade_no, page } = event.data.json()
  const icon = '/m/any-192.png'
  event.waitUntil(registration.showNotification(title, { body, tag, icon, data: page ?? trade_no }))
})

addEventListener('notificationclick', event => {
  const { notification } = event
  notification.close()
  const { data } = notification
  const path = data?.startsWith('/') ? data : `/m/record${data ? `?trade_no=${data}` : ''}`
  const show = async () => {
    const [open] = await clients.matchAll({ type: 'window' })
    const shown = await open?.navigate(path).catch(() => null)
    return shown ? shown.focus() : clients.openWindow(path)
  }
  event.waitUntil(show())
})

addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(file(request))
})
