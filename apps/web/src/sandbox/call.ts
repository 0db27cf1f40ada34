import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../api/query.ts'
import { messages } from '../i18n/messages.ts'
import { callSandbox } from '../lib/inSandbox.ts'
import { showToast } from '../lib/toast.ts'

/** How often what is shown is read again (ms). */
export const pollMs = 1_500

/** Calls a route of the sandbox. Throws the server's message, or that it does not answer. */
export const requestSandbox = <T>(path: string, body?: object) =>
  callSandbox<T>(path, body, messages('sandbox').unreachable)

/** A list of the sandbox, read again and again while the page is visible. */
export const useRows = <Row>(path: string) =>
  useQuery({
    queryKey: ['sandbox', path],
    queryFn: async () => (await requestSandbox<{ list: Row[] }>(path)).list,
    refetchInterval: pollMs,
  })

/** Runs an action: `busy` meanwhile, then a toast with its outcome, and the lists anew. */
export function useAction() {
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<string>): Promise<boolean> => {
    setBusy(true)
    try {
      showToast('success', await work())
      return true
    } catch (error) {
      showToast('error', (error as Error).message)
      return false
    } finally {
      setBusy(false)
      await queryClient.invalidateQueries()
    }
  }
  return { busy, run }
}
