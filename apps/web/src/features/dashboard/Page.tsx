import { useMessages } from '../../i18n/messages.ts'
import { AssetRatio } from './AssetRatio.tsx'
import { Balance } from './Balance.tsx'
import { LatestPayments } from './LatestPayments.tsx'
import { MarketPanel } from './market/MarketPanel.tsx'
import { PaymentsCard } from './PaymentsCard.tsx'

export default function DashboardPage() {
  const t = useMessages('dashboard')
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
