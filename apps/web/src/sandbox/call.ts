import { languages } from '@coffer/contract/languages.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../api/query.ts'
import { language } from '../i18n/language.ts'
import { messages } from '../i18n/messages.ts'
import { showToast } from '../lib/toast.ts'

/** How often what is shown is read again (ms). */
export const pollMs = 1_500

/** Calls a route of the sandbox, which is not in the contract. Throws the server's message, or that it does not answer. */
export async function call<T>(path: string, body?: object): Promise<T> {
  const unreachable = messages('sandbox').unreachable
  const response = await fetch(`/sandbox/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'X-Language': languages[language.get()].tag,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error(unreachable)
  })
  const answer = (await response.json().catch(() => ({}))) as { code?: number; msg?: string; data: T }
  if (answer.code !== 200) throw new Error(answer.msg ?? unreachable)
  return answer.data
}

/** A list of the sandbox, read again and again while the page is visible. */
export const useRows = <Row>(path: string) =>
  useQuery({
    queryKey: ['sandbox', path],
    queryFn: async () => (await call<{ list: Row[] }>(path)).list,
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
