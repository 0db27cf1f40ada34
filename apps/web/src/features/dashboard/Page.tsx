import { lazy, Suspense } from 'react'
import { useMessages } from '../../i18n/messages.ts'
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
  return (
    <>
      <h1 className="sr-only">{t.title}</h1>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-4 lg:col-span-2">
          <Suspense fallback={null}>{steps && <FirstSteps steps={steps} />}</Suspense>
          <Balance />
        </div>
        <PaymentsCard />
        <AssetRatio />
        <LatestPayments />
        <MarketPanel />
      </div>
    </>
  )
}
