import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { buttonClass, cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icons.tsx'
import { Link } from '../../ui/Link.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Balances } from './Balances.tsx'
import { Worth } from './Worth.tsx'

export default function PropertyPage() {
  const t = useMessages('property')
  const assets = useQuery(apiQuery('GET /api/v1/statistics/assets', { query: { all: '1' } }))
  return (
    <>
      <PageHeader
        title={t.title}
        actions={
          <>
            <Link to="/property/fundingDetails" look="none" className={buttonClass()}>
              <Icon name="swap" size={16} className="-ml-0.5" />
              {t.fundingDetails}
            </Link>
            <Link to="/property/fixedAddr" look="none" className={cx(buttonClass())}>
              <Icon name="pin" size={16} className="-ml-0.5" />
              {t.fixedAddr}
            </Link>
          </>
        }
      />
      <div className="flex flex-col gap-4">
        <Worth data={assets.data} error={assets.error} />
        <Balances data={assets.data} error={assets.error} onRetry={() => void assets.refetch()} />
      </div>
    </>
  )
}
