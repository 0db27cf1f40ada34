import type { Deps } from './deps.ts'

/** A callback that waits to be sent: the body as it was stored, and where it goes. */
export interface StoredCallback {
  merchant_id: string
  id: string
  url: string
  body: string
}

/** A callback as it is sent, signed. */
export interface CallbackRequest {
  method?: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
}

/** How a shop's protocol sends a callback and confirms it. */
export interface CallbackProtocol {
  /**
   * Makes the request that is sent now; null while the order is not, or no longer, paid in full: then nothing is
   * signed.
   */
  request: (deps: Deps, callback: StoredCallback) => Promise<CallbackRequest | null>
  /** Whether the text of a 2xx response confirms the callback; otherwise it is sent again. */
  confirms: (text: string) => boolean
}

/** Forms by name, supplied by `serve.ts`. Names are stored in the database: never rename one. */
export type CallbackProtocols = Record<string, CallbackProtocol>
