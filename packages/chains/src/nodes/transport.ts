import * as http from 'node:http'
import * as https from 'node:https'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate } from 'node:timers/promises'
import { createGunzip, gunzipSync } from 'node:zlib'
import { ChainUnavailable, ResponseTooLarge } from '../errors.ts'
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
export type RequestLimits = {
  timeoutMs: number
  maxBytes: number
  holder: ReturnType<AnswerSpace['open']>
  /** The error for a larger response, in place of TooLarge. */
  exceeded?: (bytes: number) => Error
}

/** The node limits the rate of requests. Another may answer; it does after `retryAfterMs`, if it says so. */
export class RateLimited extends ChainUnavailable {
  override name = 'RateLimited'
  retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** An answer as sent. */
export type RawResponse = { status: number; retryAfter?: string | null | undefined; text: string }

/** Sends requests. Simulations and benchmarks replace it to answer from memory. */
export const nodeTransport = { send }

/**
 * Posts to a node.
 * @throws TooLarge if the response is, RateLimited, and ChainUnavailable if the request fails or times out
 */
export async function postToNode(url: string, to: Endpoint, body: string, limits: RequestLimits): Promise<RawResponse> {
  try {
    const sent = await nodeTransport.send(url, to, body, limits)
    const { status, retryAfter } = sent
    if (status === 429 || (status === 503 && retryAfter)) throw new RateLimited('too many requests', waitOf(retryAfter))
    return sent
  } catch (error) {
    // Throws if memory was short.
    limits.holder.take(0)
    if (error instanceof ResponseTooLarge || error instanceof ChainUnavailable) throw error
    const { code, message } = error as { code?: unknown; message: string }
    throw new ChainUnavailable(typeof code === 'string' ? code : message)
  }
}

/** Takes half of the processor time of `fetch`, whose streams and signals polls do not need. Redirects are refused. */
function send(url: string, to: Endpoint, body: string, limits: RequestLimits): Promise<RawResponse> {
  const { timeoutMs, maxBytes, holder, exceeded } = limits
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip', ...to.headers }
  return new Promise((resolve, reject) => {
    const { request: open } = url.startsWith('https:') ? https : http
    const request = open(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } })
    const fail = (error: unknown) => {
      reject(error)
      request.destroy()
    }
    const timer = setTimeout(() => fail(new ChainUnavailable('timeout')), timeoutMs)
    const giveUp = () => fail(new ChainUnavailable('given up'))
    holder.signal.addEventListener('abort', giveUp)
    request.on('close', () => {
      clearTimeout(timer)
      holder.signal.removeEventListener('abort', giveUp)
    })
    request.on('error', reject)
    request.on('response', response => {
      response.on('error', fail)
      const status = response.statusCode ?? 0
      const retryAfter = response.headers['retry-after']
      if (response.headers.location !== undefined) return fail(new ChainUnavailable(`HTTP ${status}, a redirect`))
      const collect = (content: Readable, done: (bytes: Buffer) => void) => {
        const chunks: Buffer[] = []
        let size = 0
        content.on('data', (chunk: Buffer) => {
          size += chunk.length
          try {
            if (size > maxBytes)
              throw exceeded?.(maxBytes) ?? new ResponseTooLarge(`response exceeds ${maxBytes} bytes`)
            holder.take(chunk.length)
            chunks.push(chunk)
          } catch (error) {
            content.destroy()
            fail(error)
          }
        })
        content.on('end', () => done(Buffer.concat(chunks, size)))
      }
      const answer = (bytes: Buffer) => {
        textOf(bytes).then(text => resolve({ status, retryAfter, text }), fail)
      }
      const isPacked = response.headers['content-encoding'] === 'gzip'
      collect(response, bytes => {
        if (!isPacked) return answer(bytes)
        try {
          const unpacked = unpackSmall(bytes, maxBytes)
          if (!unpacked) return collect(createGunzip().on('error', fail).end(bytes), answer)
          holder.take(unpacked.length)
          answer(unpacked)
        } catch (error) {
          fail(error)
        }
      })
    })
    request.end(body)
  })
}

/** Largest answer that is unpacked in one go, which takes a few milliseconds. */
const smallMax = 1 << 20
/** Bytes of an answer that are decoded in one go, which takes a few milliseconds. */
const decodedAtOnce = 1 << 22
/** By what answers of nodes grow when they are unpacked: ten times at most, as a rule. */
const growth = 10

/**
 * Unpacks an answer of gzip, in half of the time that it takes by parts in other threads. Returns null for a large one,
 * which would hold up everything else. Throws Error for what is no gzip.
 */
function unpackSmall(bytes: Buffer, maxBytes: number): Buffer | null {
  const chunkSize = Math.min(smallMax, Math.max(1_024, bytes.length * growth))
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.min(smallMax, maxBytes), chunkSize })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') return null
    throw error
  }
}

/** Decodes an answer, a large one with pauses. */
async function textOf(bytes: Buffer): Promise<string> {
  if (bytes.length <= decodedAtOnce) return bytes.toString('utf8')
  const decoder = new StringDecoder('utf8')
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += decodedAtOnce) {
    parts.push(decoder.write(bytes.subarray(at, at + decodedAtOnce)))
    await setImmediate()
  }
  return parts.join('') + decoder.end()
}

/** Reads the header Retry-After, in seconds or as a date (RFC 9110). Returns milliseconds. */
function waitOf(header: string | null | undefined): number | undefined {
  if (!header) return undefined
  const wait = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
