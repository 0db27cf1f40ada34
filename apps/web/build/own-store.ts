/** React has `useSyncExternalStore`: what libraries bring along for older versions is not loaded. */
export const ownStore = [
  {
    find: /^use-sync-external-store\/shim\/with-selector(?:\.js)?$/,
    replacement: 'use-sync-external-store/with-selector',
  },
  { find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' },
]
