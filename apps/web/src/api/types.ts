import type { Body, Data, Params, Query, RouteKey, Routes } from '@coffer/contract'

type Given<Name extends string, T> = [T] extends [undefined]
  ? { [key in Name]?: undefined }
  : undefined extends T
    ? { [key in Name]?: T }
    : Record<string, never> extends T
      ? { [key in Name]?: T }
      : { [key in Name]: T }

/** What a call takes, read off the route table: `params` of the path, `query` and `body`. */
export type Input<K extends RouteKey> = Given<'params', Params<K>> &
  Given<'query', Query<K>> &
  (Routes[K] extends { kind: 'multipart' } ? { body: FormData } : Given<'body', Body<K>>)

export interface CallOptions {
  signal?: AbortSignal
  /** Sent instead of the stored token; null sends none (login and register from the login page). */
  token?: string | null
  /** Every call but GET is a submission and guarded against a second one to its URL, unless this says false. */
  guarded?: boolean
  /** Names the click. Made per call when not given; keep it to repeat a call whose answer was lost. */
  idempotencyKey?: string
}

/** The body of an answer. `data` is there only when `code` is 200; `msg` is in the language of the reader. */
export interface Reply<T> {
  /** Of HTTP. */
  status: number
  code: number
  data?: T
  msg?: string
  /** The input that was refused, by its name in the body. */
  field?: string
}

export type { Data, RouteKey }
