import { useBlocker, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * Makes the phone's back close what is open instead of leaving the page. What is `addressed` has an entry of the
 * history of its own.
 */
export function useCloseOnBack(close: () => unknown, addressed = false): void {
  const { history } = useRouter()
  // On a page that was opened directly there is nothing to go back to, and back would leave without asking.
  useEffect(() => {
    if (history.canGoBack()) return
    const { href, pathname, state } = history.location
    if (addressed) {
      history.replace(pathname, state, { ignoreBlocker: true })
      history.flush()
    }
    history.push(href, { ...state, place: history.location.state.__TSR_key }, { ignoreBlocker: true })
  }, [history, addressed])
  useBlocker({
    disabled: addressed,
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false
      close()
      return true
    },
    enableBeforeUnload: false,
  })
}
