import type { AccountKeys } from './addresses.ts'
import type { Language } from './generated/types.ts'
import type { Connection } from './request.ts'

export interface CofferOptions {
  /** URL of the Coffer server, such as `https://pay.example.com`. */
  baseUrl: string
  /** `sk_live_...` or `sk_test_...`. Keep it on your server. Accepts undefined, for unset variables, only to throw. */
  secretKey: string | undefined
  /** Timeout of one attempt in milliseconds; 30 000 by default. */
  timeoutMs?: number | undefined
  /** Retries after a missing response or a temporary error; 3 by default. */
  retries?: number | undefined
  /** The longest `Retry-After` in milliseconds that a retry waits for; 60 000 by default. A call that would have to wait longer throws. */
  longestWaitMs?: number | undefined
  /**
   * Extended public keys of the operator's accounts. With them, `createOrder`, `getOrder`, `createAddress` and `getAddress` throw AddressError
   * for an address that does not derive from them. Get them from the operator, not from the server.
   */
  accountKeys?: AccountKeys | undefined
  /** Language of error messages; English by default. */
  language?: Language | undefined
  /** Replaces the global fetch, for proxies and tests. */
  fetch?: typeof fetch | undefined
}

const optionNames: Record<keyof CofferOptions, true> = {
  ...{ baseUrl: true, secretKey: true, timeoutMs: true, retries: true, longestWaitMs: true },
  ...{ accountKeys: true, language: true, fetch: true },
}

export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal | undefined
}

export interface SubmitOptions extends CallOptions {
  /** The same key and input return the first response for two days. Generated for each call by default. */
  idempotencyKey?: string | undefined
}

/** Throws TypeError on an invalid base URL or key, and on an unknown option. */
export function connectionOf(options: CofferOptions): Connection {
  const unknown = Object.keys(options).find(name => !Object.hasOwn(optionNames, name))
  if (unknown !== undefined)
    throw new TypeError(`unknown option ${unknown}: the client takes ${Object.keys(optionNames).join(', ')}`)
  return {
    baseUrl: checkedBaseUrl(options.baseUrl),
    secretKey: checkedKey(options.secretKey),
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 3,
    longestWaitMs: options.longestWaitMs ?? 60_000,
    language: options.language ?? 'en-US',
    fetch: options.fetch ?? fetch,
  }
}

/** Plain HTTP would expose the key, so it is allowed for localhost only. */
function checkedBaseUrl(text: string): string {
  const url = new URL(text)
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local))
    throw new TypeError('baseUrl must start with https:// (http:// is allowed for localhost only)')
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '')
}

function checkedKey(key: string | undefined): string {
  if (!key || !/^sk_(?:test|live)_[A-Za-z0-9_-]+$/.test(key))
    throw new TypeError('secretKey must start with sk_live_ or sk_test_')
  return key
}
