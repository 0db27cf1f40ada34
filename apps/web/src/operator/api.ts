import { languages } from '@coffer/contract/languages.ts'
import type {
  OperatorBody,
  OperatorData,
  OperatorKey,
  OperatorParams,
  OperatorQuery,
} from '@coffer/contract/operator/index.ts'
import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { createClient } from '../api/client.ts'
import { Refused, Unanswered } from '../api/failure.ts'
import { language } from '../i18n/language.ts'
import { messages } from '../i18n/messages.ts'
import { cell } from '../lib/cell.ts'
import { forgetToken, readToken, storeToken } from '../lib/session.ts'
import { showErrorSoon, showToast, tellElsewhere } from '../lib/toast.ts'
import { askFreshCode } from './fresh.ts'

/** Whether somebody is signed in; the shell shows the sign-in otherwise. */
export const signedIn = cell(readToken() !== null)

export function enter(token: string): void {
  storeToken(token)
  signedIn.set(true)
}

export function leave(): void {
  forgetToken()
  queryClient.clear()
  signedIn.set(false)
}

const client = createClient({
  fetch: (input, init) => fetch(input, init),
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
  language: () => languages[language.get()].tag,
  token: readToken,
  storeToken,
  forgetToken,
  showError: message => showErrorSoon(message || messages('common').operationFailed),
  showLoginExpired: () => showToast('error', messages('common').loginExpired),
  goToLogin: leave,
})

type Given<Name extends string, T> = [T] extends [undefined]
  ? { [key in Name]?: undefined }
  : Record<string, never> extends T
    ? { [key in Name]?: T }
    : { [key in Name]: T }
export type Input<K extends OperatorKey> = Given<'params', OperatorParams<K>> &
  Given<'query', OperatorQuery<K>> &
  Given<'body', OperatorBody<K>>
type Options = { token?: string | null; signal?: AbortSignal; guarded?: boolean }

// The client is typed by the merchants' table of routes and works with any.
const send = client.api as unknown as (key: string, options: object) => Promise<unknown>

const freshNeeded = 10_160

/** Sends a call of the console. One that needs a fresh code asks for it, and is sent again. */
export async function api<K extends OperatorKey>(key: K, options: Input<K> & Options): Promise<OperatorData<K>> {
  try {
    return (await send(key, options)) as OperatorData<K>
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== freshNeeded) throw error
    tellElsewhere(error.message)
    if (!(await askFreshCode())) throw new Unanswered('aborted')
    return (await send(key, options)) as OperatorData<K>
  }
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5_000 }, mutations: { retry: false } },
})

/** How often (ms) a page that is in view is read again. */
const pollMs = 10_000

/** Reads a call of the console, and again while the page is in view. */
export const useRead = <K extends OperatorKey & `GET ${string}`>(
  key: K,
  input: Input<K>,
  { enabled = true, every = pollMs } = {},
) =>
  useQuery(
    queryOptions<OperatorData<K>>({
      queryKey: [key, input],
      queryFn: ({ signal }) => api(key, { ...input, signal }),
      refetchInterval: every,
      enabled,
    }),
  )
