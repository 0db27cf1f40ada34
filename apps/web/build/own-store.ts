import type { Plugin } from 'vite'

/** React has `useSyncExternalStore`: what libraries bring along for older versions is not loaded. */
export const ownStore = [
  {
    find: /^use-sync-external-store\/shim\/with-selector(?:\.js)?$/,
    replacement: 'use-sync-external-store/with-selector',
  },
  { find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' },
]

/**
 * Modules that libraries bring along, by the names under which these import them, and what is loaded in place of each.
 */
const unused: Record<string, string> = {
  // The cache of mutations that every query client has: pages submit by `useSubmit`.
  './mutationCache.js': 'export class MutationCache { clear() {} resumePausedMutations() {} }',
  // The router's own forms of search parameters: `makeRouter` supplies others.
  './searchParams.js': ['defaultParseSearch', 'defaultStringifySearch', 'parseSearchWith', 'stringifySearchWith']
    .map(name => `export const ${name} = undefined`)
    .join('\n'),
}

export const noUnused = (): Plugin => ({
  name: 'coffer-no-unused',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    Object.hasOwn(unused, source) && importer.includes('/node_modules/@tanstack/') ? `\0unused:${source}` : null,
  load: id => unused[id.replace('\0unused:', '')] ?? null,
})
