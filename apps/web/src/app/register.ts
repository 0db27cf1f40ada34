/** How long (ms) after the page has loaded, so that the worker's files and start do not compete with the first render. */
const registerAfterMs = 2_000

/** Registers the service worker. */
export const registerWorker = (): unknown =>
  import.meta.env.PROD &&
  'serviceWorker' in navigator &&
  addEventListener('load', () =>
    setTimeout(() => void navigator.serviceWorker.register('/m/worker.js').catch(() => {}), registerAfterMs),
  )
