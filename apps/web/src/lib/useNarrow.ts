import { useSyncExternalStore } from 'react'

const media = matchMedia('(max-width: 639px)')

const subscribe = (notify: () => void) => {
  media.addEventListener('change', notify)
  return () => media.removeEventListener('change', notify)
}

/** Whether the window is as narrow as a phone. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => media.matches)
