import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { AssetRatio } from './AssetRatio.tsx'
import { Balance } from './Balance.tsx'
import { LatestPayments } from './LatestPayments.tsx'
import { MarketPanel } from './market/MarketPanel.tsx'
import { PaymentsCard } from './PaymentsCard.tsx'
import { isBlank } from './steps.ts'
import { useFirstSteps } from './useFirstSteps.ts'

export default function DashboardPage() {
  const t = useMessages('dashboard')
  const steps = useFirstSteps()
  const { data } = useQuery(apiQuery('GET /api/v1/statistics/overview', {}))
  if (isBlank(steps, data))
    return (
      <div className="flex flex-col gap-4">
        <h1 className="sr-only">{t.title}</h1>
        <PaymentsCard />
        <Balance blank />
      </div>
    )
  return (
    <>
      <h1 className="sr-only">{t.title}</h1>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="min-w-0 lg:col-span-2">
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
