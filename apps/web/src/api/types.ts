import type { RouteData, RouteKey, Routes } from '@coffer/contract'
import type { RouteInput } from '@coffer/contract/kit/typed.ts'

type Given<Name extends string, T> = [T] extends [undefined]
  ? { [key in Name]?: undefined }
  : undefined extends T
    ? { [key in Name]?: T }
    : Record<string, never> extends T
      ? { [key in Name]?: T }
      : { [key in Name]: T }

/** The input of a route: path `params`, `query` and `body`. */
export type InputOf<R> = Given<'params', RouteInput<R, 'params'>> &
  Given<'query', RouteInput<R, 'query'>> &
  (R extends { kind: 'multipart' } ? { body: FormData } : Given<'body', RouteInput<R, 'body'>>)

/** The input of a call of the back-office. */
export type CallInput<K extends RouteKey> = InputOf<Routes[K]>

export interface CallOptions {
  signal?: AbortSignal
  /** Sent instead of the stored token; null sends none (login and register from the login page). */
  token?: string | null
  /** Rejects a second submission to a URL in flight. Defaults to true for every method but GET. */
  guarded?: boolean
  /** Defaults to a new key per call. Reuse a key to repeat a call whose response was lost. */
  idempotencyKey?: string
}

/** A response body. `data` is set only on success (code 200) and HTTP 500; `msg` is in the reader's language. */
export interface Reply<T> {
  /** The HTTP status. */
  status: number
  code: number
  data?: T
  msg?: string
  /** The refused field, by its name in the request body. */
  field?: string
}

export type { RouteData, RouteKey }
