import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { startLive } from '../api/live.ts'
import { useMessages } from '../i18n/messages.ts'
import { routes } from '../routes.tsx'
import { ConfirmHost } from '../ui/Confirm.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { Desktop } from './desktop/Desktop.tsx'

/** What stands around every page: the shell for the device, messages, questions and the stream of events. */
export function Root() {
  const path = useLocation({ select: location => location.pathname })
  const underM = path === '/m' || path.startsWith('/m/')
  useTitle(underM ? path.slice(2) || '/' : path)
  useEffect(startLive, [])
  return (
    <>
      {underM ? (
        <Outlet />
      ) : (
        <Desktop>
          <Outlet />
        </Desktop>
      )}
      <ConfirmHost />
      <Toasts />
    </>
  )
}

function useTitle(path: string) {
  const { titles } = useMessages('shell')
  const { productName } = useMessages('common')
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path
  const title = titles[routes.find(route => route.path === plain)?.title ?? 'notFound']
  useEffect(() => {
    document.title = `${title} · ${productName}`
  }, [title, productName])
}
