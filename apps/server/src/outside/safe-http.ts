import type { LookupFunction } from 'node:net'
import type { CallbackFailure } from '@coffer/contract'
import { Agent, errors, request } from 'undici'
import {
  type CallbackReach,
  type HostResolver,
  isCallableAddress,
  isCallablePort,
  literalAddress,
  resolveHost,
} from './addresses.ts'

export interface SafeRequest {
  /** By default POST. A GET has no body. */
  method?: 'GET' | 'POST' | undefined
  url: string
  headers: Record<string, string>
  body?: string | Buffer | undefined
  /** Addresses allowed besides public ones, and ports besides 443 and 80. */
  reach: CallbackReach
  /** Allows http; without it only https is called. */
  allowHttp: boolean
  resolve?: HostResolver | undefined
  /** Total time allowed for name resolution, connection, request and answer. */
  timeoutMs?: number | undefined
}

export interface SafeResponse {
  /** HTTP status; 0 when there was no answer. */
  status: number
  /** Null when there was an answer, whatever its status. */
  failure: CallbackFailure | null
  /** The first 64 KB of the answer, as text. */
  text: string
  /** Seconds of the header Retry-After, at most a day; undefined without one. A date is not read. */
  retryAfter?: number | undefined
  durationMs: number
}

const bytesMax = 64 * 1024

/**
 * Sends a request to an untrusted URL (protection against SSRF). The connection goes only to addresses of the host that
 * are public or allowed, and that were checked: the name is resolved once, so that DNS rebinding cannot redirect it.
 * Redirects are not followed. Never throws.
 */
export async function sendSafeRequest(post: SafeRequest): Promise<SafeResponse> {
  const started = performance.now()
  const deadline = AbortSignal.timeout(post.timeoutMs ?? 15_000)
  const answer = await attempt(post, deadline).catch(error => ({
    status: 0,
    text: '',
    failure: failureOf(error, deadline),
  }))
  return { ...answer, durationMs: Math.round(performance.now() - started) }
}

class Forbidden extends Error {}
class NoHost extends Error {}

async function attempt(post: SafeRequest, deadline: AbortSignal): Promise<Omit<SafeResponse, 'durationMs'>> {
  const addresses = await before(deadline, addressesOf(post))
  const agent = new Agent({
    connect: { lookup: pinnedLookup(addresses), allowH2: false },
    connections: 1,
    pipelining: 0,
  })
  try {
    const { statusCode, headers, body } = await request(post.url, {
      method: post.method ?? 'POST',
      headers: post.headers,
      body: post.body ?? null,
      dispatcher: agent,
      signal: deadline,
    })
    const retryAfter = parseRetryAfter(headers['retry-after'])
    return { status: statusCode, failure: null, text: await readStart(body), ...(retryAfter && { retryAfter }) }
  } finally {
    // Not awaited: a peer that keeps the connection open must not block the caller.
    void agent.destroy()
  }
}

/** Reads a number of seconds (RFC 9110, 10.2.3; some services give a fraction). */
function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  const seconds = typeof header === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(header) ? Math.ceil(Number(header)) : 0
  return seconds > 0 ? Math.min(seconds, 86_400) : undefined
}

async function addressesOf(post: SafeRequest): Promise<string[]> {
  const url = new URL(post.url)
  if (url.protocol !== 'https:' && !post.allowHttp) throw new Forbidden(url.protocol)
  if (!isCallablePort(url, post.reach)) throw new Forbidden(`port ${url.port}`)
  const literal = literalAddress(url)
  const found = literal
    ? [literal]
    : await (post.resolve ?? resolveHost)(url.hostname, post.reach).catch(cause => {
        throw new NoHost(url.hostname, { cause })
      })
  const allowed = found.filter(address => isCallableAddress(address, url.hostname, post.reach))
  if (allowed.length === 0) throw new Forbidden(found[0])
  return allowed
}

/** A lookup function that returns only the checked addresses. */
function pinnedLookup(addresses: string[]): LookupFunction {
  const list = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
  list.sort((a, b) => a.family - b.family)
  const [first] = list
  return (_host, options, done) => {
    if (options.all) done(null, list)
    else done(null, first?.address ?? '', first?.family)
  }
}

/**
 * Reads a body up to the size limit or the deadline. Errors are ignored: the status has arrived, the body is only
 * shown.
 */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= bytesMax) break
    }
  } catch {
    // The connection broke or the deadline passed after the status.
  }
  return Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8')
}

async function before<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = () => {}
  const ended = new Promise<never>((_, reject) => {
    stop = () => reject(deadline.reason)
    deadline.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([work, ended])
  } finally {
    deadline.removeEventListener('abort', stop)
  }
}

function failureOf(error: unknown, deadline: AbortSignal): CallbackFailure {
  if (deadline.aborted) return 'timeout'
  if (error instanceof Forbidden) return 'address_forbidden'
  if (error instanceof NoHost) return 'host_not_found'
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) return 'bad_answer'
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'connection_refused'
  if (/^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'tls_error'
  return 'connection_lost'
}

/** The code of an error, of its cause, or of the first of several connection attempts. */
function codeOf(error: unknown): string {
  const { code, cause, errors } = (error ?? {}) as { code?: unknown; cause?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  if (errors?.length) return codeOf(errors[0])
  return cause ? codeOf(cause) : ''
}
