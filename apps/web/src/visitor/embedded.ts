/**
 * The origin of the page whose frame this is, as that page names it; null outside a frame. Only it may frame this page.
 */
const embedder = parent === window ? null : new URLSearchParams(location.search).get('embed')

export const isEmbedded = embedder !== null

/** Adds what keeps the next page of this frame embedded. */
export const addEmbedParameter = (path: string): string =>
  embedder === null ? path : `${path}?embed=${encodeURIComponent(embedder)}`

/** Tells the page around this frame what happened: nothing secret, and to its origin alone. */
export function notifyEmbedder(event: 'paid' | 'expired' | 'escape', tradeNo = ''): void {
  if (embedder !== null) parent.postMessage({ coffer: 1, event, trade_no: tradeNo }, embedder)
}

if (isEmbedded)
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') notifyEmbedder('escape')
  })
