import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BackToAssets } from '../../kit/BackToAssets.tsx'
import { cx } from '../../ui/classes.ts'
import { MayEdit } from '../../ui/controls/May.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { DepositCollection } from './DepositCollection.tsx'
import { PolicyForm } from './PolicyForm.tsx'
import { PolicyReportList } from './QuoteCard.tsx'
import { TokenSettings } from './TokenSettings.tsx'

/** The rules that every withdrawal must pass, the settings of each token, and the collection of deposits. */
export default function SettingsPage() {
  const t = useMessages('withdrawals')
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/account/withdrawal-policy', {}))
  return (
    <>
      <BackToAssets />
      <PageHeader title={t.settings} text={t.settingsText} />
      {data ? (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_400px]">
          <div className="flex min-w-0 flex-col gap-4">
            {data.pending && (
              <p role="status" className="flex items-start gap-2 rounded-lg bg-accent-soft px-4 py-3 text-[13px]">
                <Icon name="info" size={16} className="mt-0.5 shrink-0 text-accent-text" />
                <span>
                  {t.pending} <Time seconds={data.pending.active_time} />
                </span>
              </p>
            )}
            <MayEdit call="PUT /api/v1/account/withdrawal-policy">
              <PolicyForm
                key={data.pending?.active_time ?? data.active_time}
                rules={(data.pending ?? data).rules}
                members={data.approvers}
              />
            </MayEdit>
          </div>
          {data.installation.length > 0 && (
            <Card title={t.installation}>
              {/* The card says whose they are. */}
              <PolicyReportList
                reports={data.installation.map(each => ({ ...each, of_platform: false }))}
                answers={false}
              />
              <p className="mt-3 text-[13px] text-ink-3">{t.installationText}</p>
            </Card>
          )}
        </div>
      ) : (
        <Card>
          <Loading of={{ error, refetch }} className="h-[420px] w-full" />
        </Card>
      )}
      {/* Rules have no known height: what stands below is shown in its place, not moved there. */}
      <div className={cx('mt-4 flex flex-col gap-4', !data && !error && 'invisible')}>
        <TokenSettings />
        <DepositCollection />
      </div>
    </>
  )
}
