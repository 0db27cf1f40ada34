import { lazy, Suspense } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { May } from '../../ui/controls/May.tsx'
import { Skeleton } from '../../ui/feedback/States.tsx'
import { AssetRatio } from './AssetRatio.tsx'
import { Balance } from './Balance.tsx'
import { LatestPayments } from './LatestPayments.tsx'
import { MarketPanel } from './market/MarketPanel.tsx'
import { PaymentsCard } from './PaymentsCard.tsx'
import { useFirstSteps } from './useFirstSteps.ts'

const FirstSteps = lazy(() => import('./FirstSteps.tsx'))

export default function DashboardPage() {
  const t = useMessages('dashboard')
  const steps = useFirstSteps()
  const loading = <Skeleton className="h-96 w-full lg:col-span-2" />
  return (
    <>
      <h1 className="sr-only">{t.title}</h1>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
        <May call="GET /api/v1/statistics/overview">
          <div className="min-w-0 lg:col-span-2">
            <Balance />
          </div>
        </May>
        {/* Nothing is drawn where first steps would push it down. */}
        <Suspense fallback={loading}>
          {steps === undefined ? (
            loading
          ) : (
            <>
              {steps && (
                <div className="min-w-0 lg:col-span-2">
                  <FirstSteps steps={steps} />
                </div>
              )}
              <May call="GET /api/v1/statistics/daily-collection">
                <PaymentsCard />
              </May>
              <May call="GET /api/v1/statistics/assets">
                <AssetRatio />
              </May>
              <LatestPayments />
              <MarketPanel />
            </>
          )}
        </Suspense>
      </div>
    </>
  )
}
