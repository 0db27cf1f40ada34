import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { apiQuery } from '../api/query.ts'
import { keepForTab, readOfTab } from '../lib/storage.ts'
import type { Form } from './useForm.ts'

/**
 * Keeps what is typed into a form of texts for this tab, so that a reload, an expired session or the way back loses nothing. Only
 * the merchant who typed it gets it back. Returns a function that drops it, once it is sent.
 */
export function useDraft<V extends Record<string, string>>(name: 'withdrawal', form: Form<V>): () => void {
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const { values, setAll } = form
  const owner = user?.mchid
  const restored = useRef(false)
  useEffect(() => {
    if (owner === undefined) return
    if (!restored.current) {
      restored.current = true
      const draft = draftOf<V>(name, owner)
      if (draft) return setAll(now => ({ ...now, ...draft }))
    }
    if (Object.values(values).some(text => text !== '')) keepForTab(name, JSON.stringify({ owner, values }))
  }, [name, owner, values, setAll])
  return () => keepForTab(name, null)
}

function draftOf<V>(name: string, owner: string): V | undefined {
  try {
    const draft = JSON.parse(readOfTab(name) ?? 'null') as { owner: string; values: V } | null
    return draft?.owner === owner ? draft.values : undefined
  } catch {
    return undefined
  }
}
