import { useBlocker } from '@tanstack/react-router'

/** Makes the phone's back close what is open instead of leaving the page. */
export function useBackCloses(close: () => unknown, disabled = false): void {
  useBlocker({
    disabled,
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false
      close()
      return true
    },
    enableBeforeUnload: false,
  })
}
