import { limits } from '@coffer/contract/kit/limits.ts'
import { RequestUnanswered } from './failure.ts'

/** Timeout of an attempt and pause before the next, in ms. */
export interface RetryTiming {
  timeoutMs: number
  retryMs: number
}

export const defaultRetryTiming: RetryTiming = { timeoutMs: limits.requestTimeoutMs, retryMs: limits.retryIntervalMs }

export interface RequestAttempt<T> {
  patience: RetryTiming
  fetch: typeof fetch
  url: string
  signal?: AbortSignal | undefined
  /** Called for headers and body of each attempt. */
  init(): RequestInit
  read(response: Response): Promise<T>
  /** Called before a retry. */
  onRetry(): unknown
}

/**
 * Sends a request. An attempt that times out (30 s) is retried after a pause (500 ms), at most 5 times. Other failures
 * are not retried.
 */
export async function sendWithRetry<T>(attempt: RequestAttempt<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    const outcome = await sendOnce(attempt)
    if (outcome !== timedOut) return outcome
    if (retries === limits.retryMax) throw new RequestUnanswered('timeout')
    attempt.onRetry()
    await pause(attempt.patience.retryMs, attempt.signal)
  }
}

const timedOut = Symbol('timed out')

async function sendOnce<T>(attempt: RequestAttempt<T>): Promise<T | typeof timedOut> {
  if (attempt.signal?.aborted) throw new RequestUnanswered('aborted')
  const ending = new AbortController()
  let late = false
  const timer = setTimeout(() => {
    late = true
    ending.abort()
  }, attempt.patience.timeoutMs)
  const abort = () => ending.abort()
  attempt.signal?.addEventListener('abort', abort)
  try {
    const response = await attempt.fetch(attempt.url, { ...attempt.init(), signal: ending.signal })
    return await attempt.read(response)
  } catch (error) {
    if (late) return timedOut
    if (attempt.signal?.aborted) throw new RequestUnanswered('aborted')
    if (error instanceof TypeError) throw new RequestUnanswered('network')
    throw error
  } finally {
    clearTimeout(timer)
    attempt.signal?.removeEventListener('abort', abort)
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    const stop = () => {
      clearTimeout(timer)
      reject(new RequestUnanswered('aborted'))
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
