import type { RouteData } from '@coffer/contract'
import { formatBasisPoints } from '@coffer/contract/kit/basis-points.ts'
import { roundDecimal } from '@coffer/contract/kit/decimal.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { apiQuery } from '../../api/query.ts'
import { formatCount } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { defineListColumns } from '../../kit/list/columns.tsx'
import { ListCard } from '../../kit/list/ListCard.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCell } from '../../lib/useCell.ts'
import { lists } from '../../lists.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { MayEdit } from '../../ui/controls/May.tsx'
import { Card, Stat } from '../../ui/data/Card.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Amount, NoValue, Time } from '../../ui/data/Values.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { BillLines } from './BillLines.tsx'
import { DetailsForm } from './DetailsForm.tsx'
import { Invoice } from './Invoice.tsx'

/** Fees, what they came to, and the invoices; with a month in the URL, its invoice. */
export default function BillingPage() {
  const { invoice, version } = useSearch({ from: '/billing' })
  return invoice ? <Invoice month={invoice} version={version} /> : <Overview />
}

function Overview() {
  const t = useMessages('billing')
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/account/billing', {}))
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      {error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Card>
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_380px]">
          <div className="flex min-w-0 flex-col gap-4">
            <Card title={t.plan} actions={data?.plan.own && <span className="text-[13px] text-ink-3">{t.own}</span>}>
              <Plan plan={data?.plan} />
            </Card>
            <Card title={t.soFar}>{data ? <BillLines {...data.current} /> : <Skeleton className="h-32 w-full" />}</Card>
            {/* The lines above have no known height: what stands below is shown in its place, not moved there. */}
            <div className={data ? undefined : 'invisible'}>
              <Invoices />
            </div>
          </div>
          <Card title={t.details} {...(!data && { className: 'max-lg:invisible' })}>
            <MayEdit call="PUT /api/v1/account/billing">
              {data ? <DetailsForm details={data.details} /> : <Skeleton className="h-96 w-full" />}
            </MayEdit>
          </Card>
        </div>
      )}
    </>
  )
}

function Plan({ plan }: { plan: RouteData<'GET /api/v1/account/billing'>['plan'] | undefined }) {
  const t = useMessages('billing')
  const percent = (bps: number | undefined) =>
    bps === undefined ? <Skeleton className="h-8 w-24" /> : formatBasisPoints(bps)
  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Stat label={t.paymentFee} value={percent(plan?.fee_bps)} note={t.paymentFeeNote} />
        <Stat label={t.withdrawalFee} value={percent(plan?.withdraw_fee_bps)} note={t.withdrawalFeeNote} />
      </div>
      <section aria-label={t.gas}>
        <h3 className="text-[13px] font-medium text-ink-2">{t.gas}</h3>
        <DetailList rows={t.gasRows.map(([what, who]) => [what!, who] as const)} />
      </section>
    </div>
  )
}

function Invoices() {
  const t = useMessages('billing')
  const navigate = useNavigate()
  const inLanguage = useCell(language)
  const columns = defineListColumns(lists.invoices, [
    {
      title: t.month,
      sticky: 'start',
      cell: row => (
        <Link to="/billing" search={{ invoice: row.month }} className="num" title={t.open(row.number)}>
          {row.month}
        </Link>
      ),
    },
    { title: t.number, cell: row => <span className="num whitespace-nowrap">{row.number}</span> },
    { title: t.count, align: 'end', cell: row => t.entries(formatCount(row.count, inLanguage), row.count) },
    {
      phone: 'value',
      title: t.total,
      align: 'end',
      cell: row => (
        <>
          {row.total === null ? <NoValue /> : <Amount exact value={roundDecimal(row.total, 2)} unit={row.fiat} />}
          {row.unvalued > 0 && (
            <div className="text-xs text-ink-3">{t.without(formatCount(row.unvalued, inLanguage))}</div>
          )}
        </>
      ),
    },
    { phone: 'note', title: t.issued, cell: row => <Time seconds={row.issued_time} /> },
  ])
  return (
    <ListCard
      title={t.invoices}
      note={t.invoicesNote}
      list={useList(lists.invoices)}
      onOpen={row => navigate({ to: '/billing', search: { invoice: row.month } })}
      columns={columns}
      rowKey="number"
      lines={1}
      skeletonRows={3}
      file={{ call: 'GET /api/v1/account/invoices/export', name: 'Invoices' }}
      empty={<Empty icon="bill" title={t.invoicesEmpty} text={t.invoicesEmptyText} />}
    />
  )
}
