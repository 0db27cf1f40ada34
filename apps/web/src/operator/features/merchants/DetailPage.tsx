import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useSearch } from '@tanstack/react-router'
import { useMessages } from '../../../i18n/messages.ts'
import { Tabs } from '../../../ui/controls/Tabs.tsx'
import { Card } from '../../../ui/data/Card.tsx'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { DetailList } from '../../../ui/data/DetailList.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { useRead } from '../../kit/api.ts'
import { Link, LogLink, ParentPageLink, useConsoleNavigate, usePathId } from '../../kit/links.tsx'
import { Loaded, LogSubject, MerchantBadge, RiskBadge, RowsCard, TwoLineCell } from '../../kit/Rows.tsx'
import type { ConsoleRouter } from '../../routes.ts'
import { Payments, Payouts, Sessions } from './Activity.tsx'
import { isUnapprovedMerchant, MerchantActions } from './MerchantActions.tsx'
import { MerchantHistory, RiskReason } from './MerchantHistory.tsx'
import { TermsCard } from './Terms.tsx'

type Detail = OperatorData<'GET /api/operator/v1/merchants/:id'>

const parts = ['overview', 'payments', 'account'] as const
type Part = (typeof parts)[number]

export default function Merchant() {
  const id = usePathId()
  const { part = 'overview' } = useSearch<ConsoleRouter, '/merchants/$id'>({ from: '/merchants/$id' })
  const navigate = useConsoleNavigate()
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/merchants/:id', { params: { id } })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <ParentPageLink to="/merchants">{t.menu.merchants}</ParentPageLink>
          <PageHeader
            title={data.name || data.mchid}
            text={
              <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
                <MerchantBadge status={data.status} frozen={data.frozen} />
                <RiskBadge level={data.risk_level} />
                <span className="break-all">{data.email}</span>
              </span>
            }
            actions={<MerchantActions merchant={data} />}
          />
          <Tabs<Part>
            label={t.parts}
            value={part}
            tabs={parts.map(value => ({ value, title: t.partNames[value] }))}
            onChange={chosen =>
              void navigate({
                to: '/merchants/$id',
                params: { id },
                search: chosen === 'overview' ? {} : { part: chosen },
                replace: true,
              })
            }
          >
            <div className="grid grid-cols-1 items-start gap-4 pt-4 lg:grid-cols-2 *:min-w-0">
              {part === 'overview' && <Overview merchant={data} />}
              {part === 'payments' && (
                // One below the other: the order numbers of shops are long, and stay whole.
                <div className="flex flex-col gap-4 lg:col-span-2">
                  <Payments id={data.mchid} />
                  <Payouts id={data.mchid} />
                </div>
              )}
              {part === 'account' && (
                <>
                  <AccountLog merchant={data} />
                  <Sessions id={data.mchid} />
                </>
              )}
            </div>
          </Tabs>
        </>
      )}
    </Loaded>
  )
}

/** Who the merchant is, what holds for it and what it has. */
function Overview({ merchant }: { merchant: Detail }) {
  const t = useMessages('operator')
  return (
    <>
      <div className="flex min-w-0 flex-col gap-4">
        {isUnapprovedMerchant(merchant) && <MerchantHistory merchant={merchant} />}
        <Card title={t.profile}>
          <Profile merchant={merchant} />
        </Card>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <RowsCard
          title={t.balances}
          columns={[
            { title: t.token, cell: row => <TwoLineCell first={row.token} second={row.chain} /> },
            { title: t.available, align: 'end', cell: row => <Amount value={row.available} /> },
            { title: t.reserved, align: 'end', cell: row => <Amount value={row.held} /> },
          ]}
          read={readOf(merchant)}
          list="balances"
          by={['chain', 'token']}
          empty={t.noBalance}
        />
        <TermsCard merchant={merchant} />
        {!isUnapprovedMerchant(merchant) && <MerchantHistory merchant={merchant} />}
      </div>
    </>
  )
}

/** What was done in the account, newest first. */
function AccountLog({ merchant }: { merchant: Detail }) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.accountLog}
      columns={[
        { title: t.time, cell: row => <Time seconds={row.created_time} /> },
        {
          title: t.what,
          cell: row => <TwoLineCell first={t.accountEvent(row)} second={<LogSubject text={row.subject} />} />,
        },
        {
          title: t.origin,
          cell: row => (
            <TwoLineCell
              first={row.ip || t.byOperator}
              second={[row.outcome !== 'done' && t.outcomes[row.outcome], row.reason, row.device]
                .filter(Boolean)
                .join(' · ')}
            />
          ),
        },
      ]}
      read={readOf(merchant)}
      list="log"
      by={['created_time', 'type', 'subject']}
      empty={t.noLog}
    />
  )
}

/** What was read already, as tables take it. */
const readOf = (data: Detail) => ({ data, error: null, refetch: () => {} })

function Profile({ merchant: row }: { merchant: Detail }) {
  const t = useMessages('operator')
  const s = useMessages('support')
  const joined = (...parts: string[]) => parts.filter(Boolean).join(', ')
  return (
    <DetailList
      rows={[
        [t.number, <CopyText key="n" look="whole" value={row.mchid} />],
        ...(row.frozen ? [[s.toldFrozen, row.frozen_reason || s.toldNothing] as const] : []),
        [t.auditReason, row.audit_reason],
        [
          t.risk,
          <span key="r">
            {row.risk_level ? t.risks[row.risk_level] : t.notJudged}
            <RiskReason merchant={row} />
          </span>,
        ],
        [t.authenticator, row.authenticator ? t.bound : t.notBound],
        ...(row.removal_asked_by.length > 0 ? [[t.removalAsked, joined(...row.removal_asked_by)] as const] : []),
        [t.website, row.website],
        [t.phone, row.phone],
        [t.address, joined(row.street, row.city, row.country)],
        [t.socials, joined(row.telegram, row.twitter, row.facebook)],
        [t.timeZone, row.time_zone],
        [
          t.menu.orders,
          <Link key="o" to="/orders" search={{ text: row.mchid }}>
            {t.showAll}
          </Link>,
        ],
        [t.menu.log, <LogLink key="l" text={row.mchid} />],
        [t.registered, <Time key="t" seconds={row.created_time} />],
      ]}
    />
  )
}
