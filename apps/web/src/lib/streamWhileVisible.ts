/**
 * Keeps the event stream of a payment open while the tab is visible, in one tab of a browser at a time: a browser opens
 * at most six connections to a server over HTTP/1.1. Tabs that wait poll. Returns a function that closes it.
 */
export function streamWhileVisible(url: string, on: Pick<EventSource, 'onmessage' | 'onerror'>): () => void {
  let ending = new AbortController()
  const hold = ({ signal }: AbortController) =>
    new Promise<void>(done => {
      if (signal.aborted) return done()
      const events = Object.assign(new EventSource(url), on)
      signal.addEventListener('abort', () => {
        events.close()
        done()
      })
    })
  const follow = () => {
    ending.abort()
    if (document.visibilityState !== 'visible') return
    const mine = new AbortController()
    ending = mine
    // Without locks, as on plain HTTP, each visible tab has a stream.
    if (navigator.locks) navigator.locks.request('payment', { signal: mine.signal }, () => hold(mine)).catch(() => {})
    else void hold(mine)
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    ending.abort()
  }
}
