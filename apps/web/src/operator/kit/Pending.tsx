import { lazy, Suspense } from 'react'
import { useRead } from './api.ts'

const PendingRows = lazy(() => import('./PendingRows.tsx'))

/** What one operator has asked for and another one must; nothing while there is none. */
export function Pending() {
  const { data } = useRead('GET /api/operator/v1/decisions', {})
  if (!data?.list.length) return null
  return (
    // What is on screen stays while its code is loaded.
    <Suspense fallback={null}>
      <PendingRows />
    </Suspense>
  )
}
