import type { Language } from '@coffer/contract/languages.ts'

type Loader<M> = () => Promise<{ default: M }>

/** A message area. English is the source; a language without one of its keys does not compile. */
export const area = <M>(loaders: { en: Loader<M> } & Record<Exclude<Language, 'en'>, Loader<NoInfer<M>>>) => loaders
