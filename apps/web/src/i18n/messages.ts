import type { Language } from '@coffer/contract/languages.ts'
import { use } from 'react'
import { useCell } from '../lib/useCell.ts'
import { type Area, areas, type Messages } from './areas.ts'
import { language, rememberLanguage } from './language.ts'

type Loaders = Record<Language, () => Promise<{ default: unknown }>>
type Loading = Promise<unknown>
type Tables = Partial<Record<Area, Loaders>>
const tables: Tables = { ...areas }
let loadRest: (() => Promise<Tables>) | undefined
const loading = new Map<string, Loading>()
const loaded = new Map<string, unknown>()

/** Adds areas to those of every page. `rest` loads the table of further ones, with the first of them. */
export function addAreas(more: Tables, rest?: () => Promise<Tables>): void {
  Object.assign(tables, more)
  loadRest = rest
}

async function loadLater(inLanguage: Language, name: Area): Promise<{ default: unknown }> {
  Object.assign(tables, await loadRest!())
  return tables[name]![inLanguage]()
}

/** Loads areas in the current language. Routes call it alongside the page's code so that both load in parallel. */
export async function loadMessages(...names: Area[]): Promise<void> {
  await Promise.all(names.map(name => load(language.get(), name)))
}

function load(inLanguage: Language, name: Area): Loading {
  const key = `${inLanguage} ${name}`
  const known = loading.get(key)
  if (known) return known
  const promise: Loading = (tables[name]?.[inLanguage]() ?? loadLater(inLanguage, name)).then(module => {
    loaded.set(key, module.default)
    // `use` reads these, and does not suspend for what has been loaded.
    Object.assign(promise, { status: 'fulfilled', value: module.default })
    return module.default
  })
  // Do not cache a failed download: the next attempt retries.
  promise.catch(() => loading.delete(key))
  loading.set(key, promise)
  return promise
}

/** The messages of an area in the current language: `const t = useMessages('payments')`. Suspends while loading. */
export function useMessages<A extends Area>(name: A): Messages<A> {
  const inLanguage = useCell(language)
  // Never skipped: React counts on `use` when it renders a component again that has waited in it.
  return use(load(inLanguage, name)) as Messages<A>
}

/** Like useMessages, outside components. The area must be loaded already; `common` always is. */
export const messages = <A extends Area>(name: A): Messages<A> => loaded.get(`${language.get()} ${name}`) as Messages<A>

/** Switches the language once all loaded areas are available in it, so that nothing flickers. */
export async function chooseLanguage(next: Language): Promise<void> {
  const names = new Set([...loading.keys()].map(key => key.split(' ')[1] as Area))
  await Promise.all([...names].map(name => load(next, name)))
  rememberLanguage(next)
}
