import type { Plugin } from 'vite'

/** React has `useSyncExternalStore`: what libraries bring along for older versions is not loaded. */
export const ownStore = [
  {
    find: /^use-sync-external-store\/shim\/with-selector(?:\.js)?$/,
    replacement: 'use-sync-external-store/with-selector',
  },
  { find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' },
]

/** Pages submit by `useSubmit`: the cache of mutations that every query client brings along is not loaded. */
export const noMutations = (): Plugin => ({
  name: 'coffer-no-mutations',
  enforce: 'pre',
  resolveId: source => (source === './mutationCache.js' ? '\0no-mutations' : null),
  load: id => (id === '\0no-mutations' ? 'export class MutationCache { clear() {} resumePausedMutations() {} }' : null),
})
