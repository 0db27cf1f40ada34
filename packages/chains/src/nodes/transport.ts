import { ChainUnavailable, TooLarge } from '../errors.ts'
import type { AnswerSpace } from './answer-space.ts'

export type Endpoint = {
  /** URL of its main interface. */
  url: string
  /** URLs of its other interfaces, without a trailing slash, by the names that its kind gives them (`nodeUrls`). */
  urls?: Record<string, string>
  /** Sent with every request, such as an API key. */
  headers?: Record<string, string>
}

/** Limits of one request: its time, the size of a response (TooLarge above it), and where it holds its memory. */
export type RequestLimits = { timeoutMs: number; maxBytes: number; holder: ReturnType<AnswerSpace['open']> }

/** The node limits the rate of requests. Another may answer; it does after `retryAfterMs`, if it says so. */
export class RateLimited extends ChainUnavailable {
  override name = 'RateLimited'
  retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** Parses the answer to a request. Throws ChainUnavailable. */
export function parse(status: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ChainUnavailable(`HTTP ${status}, response is not JSON`)
  }
}

/**
 * Posts to a node.
 * @throws TooLarge if the response is, RateLimited, and ChainUnavailable if the request fails or times out
 */
export async function post(url: string, to: Endpoint, body: string, { timeoutMs, maxBytes, holder }: RequestLimits) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...to.headers },
      body,
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), holder.signal]),
    })
    const retryAfter = response.headers.get('retry-after')
    if (response.status === 429 || (response.status === 503 && retryAfter)) {
      await response.body?.cancel()
      throw new RateLimited('too many requests', waitOf(retryAfter))
    }
    return { status: response.status, text: await readUpTo(response, maxBytes, holder.take) }
  } catch (error) {
    // Throws if memory was short.
    holder.take(0)
    if (error instanceof TooLarge || error instanceof ChainUnavailable) throw error
    const cause = (error as { cause?: { code?: string } }).cause?.code
    throw new ChainUnavailable(cause ?? (error as Error).message)
  }
}

/** Reads the header Retry-After, in seconds or as a date (RFC 9110). Returns milliseconds. */
function waitOf(header: string | null): number | undefined {
  if (!header) return undefined
  const wait = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

async function readUpTo(response: Response, maxBytes: number, take: (bytes: number) => void): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Throwing out of the loop cancels the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new TooLarge(`response exceeds ${maxBytes} bytes`)
    take(chunk.byteLength)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString('utf8')
}
