/** Registers the service worker once the page is idle, so that its files do not compete with those of the page. */
export const registerWorker = (): unknown =>
  import.meta.env.PROD &&
  'serviceWorker' in navigator &&
  addEventListener('load', () => void navigator.serviceWorker.register('/m/worker.js').catch(() => {}))
