import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { startLive } from '../api/live.ts'
import { queryClient } from '../api/query.ts'
import { language } from '../i18n/language.ts'
import { useMessages } from '../i18n/messages.ts'
import { isUnderM, plainPath } from '../lib/devicePath.ts'
import { routes } from '../routes.tsx'
import { ConfirmHost } from '../ui/feedback/Confirm.tsx'
import { Toasts } from '../ui/feedback/Toasts.tsx'
import { Desktop } from './desktop/Desktop.tsx'

/** What stands around every page: the shell for the device, messages, questions and the stream of events. */
export function Root() {
  const path = useLocation({ select: location => location.pathname })
  const plain = plainPath(path)
  useTitle(plain)
  useEffect(startLive, [])
  // Notifications, and whatever else the server words, come in the language they were asked in.
  useEffect(() => language.subscribe(() => void queryClient.invalidateQueries()), [])
  return (
    <>
      {isUnderM(path) && !standsAsOnDesktop(plain) ? (
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

/** A page under /m/ that is drawn as on the desktop brings the desktop's shell. */
const standsAsOnDesktop = (plain: string) => routes.some(route => route.path === plain && !route.phone)

function useTitle(path: string) {
  const { titles } = useMessages('shell')
  const { productName } = useMessages('common')
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path
  const title = titles[routes.find(route => route.path === plain)?.title ?? 'notFound']
  useEffect(() => {
    document.title = `${title} · ${productName}`
  }, [title, productName])
}
