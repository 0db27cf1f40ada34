import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { language } from '../../i18n/language.ts'
import { useCell } from '../../lib/useCell.ts'
import { ConfirmHost } from '../../ui/feedback/ConfirmHost.tsx'
import { Toasts } from '../../ui/feedback/Toasts.tsx'
import { signedIn } from '../kit/api.ts'
import { freshRequest } from '../kit/fresh.ts'
import type { ConsoleRouter } from '../routes.ts'

const SignIn = lazy(() => import('./SignIn.tsx'))
const FreshCode = lazy(() => import('./FreshCode.tsx'))

/** The operator's console: the sign-in, or the pages. */
export function Console({ router }: { router: ConsoleRouter }) {
  const inside = useCell(signedIn)
  const inLanguage = useCell(language)
  const fresh = useCell(freshRequest)
  useEffect(() => {
    document.documentElement.lang = inLanguage
  }, [inLanguage])
  return (
    <div className="flex min-h-dvh flex-col">
      {inside ? <RouterProvider router={router} /> : <SignIn />}
      {/* What is on screen stays while its code is loaded. */}
      <Suspense fallback={null}>{fresh && <FreshCode onAnswer={fresh.answer} />}</Suspense>
      <ConfirmHost />
      <Toasts />
    </div>
  )
}
