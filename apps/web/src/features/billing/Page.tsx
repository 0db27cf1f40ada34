import type { Data } from '@coffer/contract'
import { truncateDecimal } from '@coffer/contract/decimal.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery } from '../../api/query.ts'
import { formatCount } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useExport } from '../../kit/export/useExport.ts'
import { ListTable } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { later } from '../../lib/later.tsx'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Card, Stat } from '../../ui/data/Card.tsx'
import { Facts } from '../../ui/data/Facts.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Amount, None, Time } from '../../ui/data/Values.tsx'
import { Empty, ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { DetailsForm } from './DetailsForm.tsx'
import { Invoice } from './Invoice.tsx'
import { Lines } from './Lines.tsx'

const ExportStatus = later(() => import('../../kit/export/ExportStatus.tsx'))

type Row = Data<'GET /api/v1/account/invoices'>['list'][number]

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
              {data ? <Plan plan={data.plan} /> : <Skeleton className="h-48 w-full" />}
            </Card>
            <Card title={t.soFar}>{data ? <Lines {...data.current} /> : <Skeleton className="h-32 w-full" />}</Card>
            <Invoices />
          </div>
          <Card title={t.details}>
            {data ? <DetailsForm details={data.details} /> : <Skeleton className="h-96 w-full" />}
          </Card>
        </div>
      )}
    </>
  )
}

const percent = (permille: number) => `${permille / 10}%`

function Plan({ plan }: { plan: Data<'GET /api/v1/account/billing'>['plan'] }) {
  const t = useMessages('billing')
  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Stat label={t.paymentFee} value={percent(plan.fee_permille)} note={t.paymentFeeNote} />
        <Stat label={t.withdrawalFee} value={percent(plan.withdraw_fee_permille)} note={t.withdrawalFeeNote} />
      </div>
      <section aria-label={t.gas}>
        <h3 className="text-[13px] font-medium text-ink-2">{t.gas}</h3>
        <Facts rows={t.gasRows.map(([what, who]) => [what!, who] as const)} />
      </section>
    </div>
  )
}

function Invoices() {
  const t = useMessages('billing')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const file = useExport('GET /api/v1/account/invoices/export', {}, 'Invoices')
  const list = useList(useListSearch(useSearch({ from: '/billing' })), (_, page) =>
    apiQuery('GET /api/v1/account/invoices', { query: page }),
  )
  const columns: Column<Row>[] = [
    {
      key: 'month',
      title: t.month,
      sticky: 'start',
      cell: row => (
        <Link to="/billing" search={{ invoice: row.month }} className="num" title={t.open(row.number)}>
          {row.month}
        </Link>
      ),
    },
    { key: 'number', title: t.number, cell: row => <span className="num whitespace-nowrap">{row.number}</span> },
    {
      key: 'count',
      title: t.count,
      align: 'end',
      cell: row => t.entries(formatCount(row.count, inLanguage), row.count),
    },
    {
      key: 'total',
      phone: 'value',
      title: t.total,
      align: 'end',
      cell: row => (
        <>
          {row.total === null ? <None /> : <Amount exact value={truncateDecimal(row.total, 2)} unit={row.fiat} />}
          {row.unvalued > 0 && (
            <div className="text-xs text-ink-3">{t.without(formatCount(row.unvalued, inLanguage))}</div>
          )}
        </>
      ),
    },
    { key: 'issued', phone: 'note', title: t.issued, cell: row => <Time seconds={row.issued_time} /> },
  ]
  return (
    <>
      {file.state.step !== 'idle' && <ExportStatus {...file} counted={common.inAll} />}
      <Card
        flush
        title={t.invoices}
        actions={
          <Button
            icon="download"
            disabled={!list.total}
            busy={file.state.step === 'running'}
            onClick={() => file.start()}
          >
            {common.export}
          </Button>
        }
      >
        <p className="px-5 pb-3 text-[13px] text-ink-3">{t.invoicesNote}</p>
        <ListTable
          caption={t.invoices}
          list={list}
          columns={columns}
          rowKey={row => row.number}
          skeletonRows={3}
          empty={<Empty icon="bill" title={t.invoicesEmpty} text={t.invoicesEmptyText} />}
        />
      </Card>
    </>
  )
}
