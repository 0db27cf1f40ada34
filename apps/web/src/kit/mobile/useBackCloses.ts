import { useBlocker, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Makes the phone's back close what is open instead of leaving the page. */
export function useBackCloses(close: () => unknown, disabled = false): void {
  const { history } = useRouter()
  // On a page that was opened directly there is nothing to go back to, and back would leave without asking.
  useEffect(() => {
    if (!disabled && !history.canGoBack())
      history.push(history.location.href, history.location.state, { ignoreBlocker: true })
  }, [history, disabled])
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
