import { QueryClient } from '@tanstack/react-query'

type Send = (key: never, input: never) => Promise<unknown>

/**
 * A query client whose queries are calls: a query key is a call and its input. Answers are fresh for `staleTime` ms,
 * and read again every `refetchInterval` ms while they are shown. The back-office and the operator's console have one
 * each, and components that both use send their calls through it.
 */
export function makeQueryClient(send: Send, staleTime: number, refetchInterval: number | false = false): QueryClient {
  // That the input fits the call is held by the types of the queries.
  const sendAny = send as (key: unknown, input: object) => Promise<unknown>
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The transport retries already; a second layer would multiply the attempts.
        retry: false,
        // A browser that says that it is offline would keep a query waiting, without a word; its failure is shown.
        networkMode: 'always',
        staleTime,
        refetchInterval,
        queryFn: ({ queryKey: [key, input], signal }) => sendAny(key, { ...(input as object), signal }),
      },
    },
  })
}
