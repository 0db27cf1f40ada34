// The service worker of the console. It shows alerts, and keeps nothing.
addEventListener('install', () => skipWaiting())

addEventListener('push', event => {
  const { title, body, tag, link } = event.data.json()
  event.waitUntil(registration.showNotification(title, { body, tag, data: new URL(link).pathname }))
})

addEventListener('notificationclick', event => {
  const { notification } = event
  notification.close()
  const show = async () => {
    const [open] = await clients.matchAll({ type: 'window' })
    const shown = await open?.navigate(notification.data).catch(() => null)
    return shown ? shown.focus() : clients.openWindow(notification.data)
  }
  event.waitUntil(show())
})
