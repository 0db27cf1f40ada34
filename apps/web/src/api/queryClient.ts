import { QueryClient } from '@tanstack/react-query'

type Send = (key: never, input: never) => Promise<unknown>

/**
 * A query client whose queries are calls: a query key is a call and its input. Answers are fresh for `staleTime` ms,
 * and read again every `refetchInterval` ms while they are shown. The back-office and the operator's console have one
 * each, and components that both use send their calls through it.
 */
export const makeQueryClient = (send: Send, staleTime: number, refetchInterval: number | false = false): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The transport retries already; a second layer would multiply the attempts.
        retry: false,
        // A browser that says that it is offline would keep a query waiting, without a word; its failure is shown.
        networkMode: 'always',
        staleTime,
        refetchInterval,
        queryFn: ({ queryKey: [key, input], signal }) => send(key as never, { ...(input as object), signal } as never),
      },
    },
  })
