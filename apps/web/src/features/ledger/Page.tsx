import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Balances } from './Balances.tsx'
import { TotalAssetValue } from './TotalAssetValue.tsx'

const ProofButton = lazyComponent(() => import('./ProofButton.tsx'))

export default function PropertyPage() {
  const t = useMessages('ledger')
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/statistics/assets', { query: { all: '1' } }))
  return (
    <>
      <PageHeader title={t.title} actions={<ProofButton />} />
      <div className="flex flex-col gap-4">
        <TotalAssetValue data={data} error={error} />
        <Balances data={data} error={error} onRetry={() => void refetch()} />
      </div>
    </>
  )
}
