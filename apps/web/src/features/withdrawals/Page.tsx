import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BackToAssets } from '../../kit/BackToAssets.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import { WithdrawalForm } from './WithdrawalForm.tsx'

/** Requests a withdrawal; `id` in the URL names the asset. */
export default function WithdrawPage() {
  const t = useMessages('withdrawals')
  const navigate = useNavigate()
  const { id } = useSearch({ from: '/withdraw' })
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/statistics/assets', { query: { all: '1' } }))
  return (
    <>
      <BackToAssets />
      <PageHeader
        title={t.title}
        text={t.text}
        actions={
          <>
            <Link to="/property/WithdrawSetting" look="secondary">
              {t.settings}
            </Link>
            <Link to="/record/withdrawal" look="secondary">
              {t.records}
            </Link>
          </>
        }
      />
      {data ? (
        <WithdrawalForm
          assets={data.list}
          assetId={id ?? ''}
          onAsset={next => void navigate({ to: '.', search: { id: next }, replace: true })}
        />
      ) : (
        <Card>
          <Loading of={{ error, refetch }} className="h-[420px] w-full" />
        </Card>
      )}
    </>
  )
}
