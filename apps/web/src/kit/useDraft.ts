import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { apiQuery } from '../api/query.ts'
import { readSessionStorage, writeSessionStorage } from '../lib/storage.ts'
import type { Form } from './useForm.ts'

/**
 * Keeps what is typed into a form of texts for this tab, so that a reload, an expired session or the way back loses
 * nothing. Only the merchant who typed it gets it back, is told so and can clear it. `drop` forgets it, once it is
 * sent.
 */
export function useDraft<V extends Record<string, string>>(name: 'withdrawal', form: Form<V>): Draft {
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const { values, setAll } = form
  const owner = user?.mchid
  const looked = useRef(false)
  const [restored, setRestored] = useState(false)
  useEffect(() => {
    if (owner === undefined) return
    if (!looked.current) {
      looked.current = true
      const draft = draftOf<V>(name, owner)
      if (draft) {
        setRestored(true)
        return setAll(now => ({ ...now, ...draft }))
      }
    }
    if (Object.values(values).some(text => text !== '')) writeSessionStorage(name, JSON.stringify({ owner, values }))
  }, [name, owner, values, setAll])
  const drop = () => {
    writeSessionStorage(name, null)
    setRestored(false)
  }
  const clear = () => {
    drop()
    setAll(now => Object.fromEntries(Object.keys(now).map(key => [key, ''])) as V)
  }
  return { restored, drop, clear }
}

interface Draft {
  /** Whether what stands in the form was restored. */
  restored: boolean
  drop(): void
  /** Empties the form, too. */
  clear(): void
}

function draftOf<V>(name: string, owner: string): V | undefined {
  try {
    const draft = JSON.parse(readSessionStorage(name) ?? 'null') as { owner: string; values: V } | null
    return draft?.owner === owner ? draft.values : undefined
  } catch {
    return undefined
  }
}
