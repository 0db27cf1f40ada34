import type { Language } from '@coffer/contract/languages.ts'
import { use } from 'react'
import { useCell } from '../lib/useCell.ts'
import { type Area, areas, type Messages } from './areas.ts'
import { language, rememberLanguage } from './language.ts'

type Loading = Promise<unknown>
const loading = new Map<string, Loading>()
const loaded = new Map<string, unknown>()

/** Fetches areas in the language in use. The route table calls it beside the page's code, so that both load at once. */
export async function loadMessages(...names: Area[]): Promise<void> {
  await Promise.all(names.map(name => load(language.get(), name)))
}

function load(inLanguage: Language, name: Area): Loading {
  const key = `${inLanguage} ${name}`
  const known = loading.get(key)
  if (known) return known
  const promise = areas[name][inLanguage]().then(module => {
    loaded.set(key, module.default)
    return module.default
  })
  // A failed download must not stay: the next attempt asks again.
  promise.catch(() => loading.delete(key))
  loading.set(key, promise)
  return promise
}

/** The messages of one area in the language in use: `const t = useMessages('payments')`. Waits when not loaded yet. */
export function useMessages<A extends Area>(name: A): Messages<A> {
  const inLanguage = useCell(language)
  const ready = loaded.get(`${inLanguage} ${name}`)
  return (ready ?? use(load(inLanguage, name))) as Messages<A>
}

/** The same outside of components. The area must be loaded: `common` always is. */
export const messages = <A extends Area>(name: A): Messages<A> => loaded.get(`${language.get()} ${name}`) as Messages<A>

/** Changes the language once everything on the screen is there in the new one, so that nothing blinks. */
export async function chooseLanguage(next: Language): Promise<void> {
  const names = new Set([...loading.keys()].map(key => key.split(' ')[1] as Area))
  await Promise.all([...names].map(name => load(next, name)))
  rememberLanguage(next)
}
