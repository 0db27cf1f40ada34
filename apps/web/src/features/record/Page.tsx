import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Empty } from '../../ui/States.tsx'
import { Table } from '../../ui/Table.tsx'
import { recordColumns } from './columns.tsx'
import { ExportStatus } from './ExportStatus.tsx'
import { Filters } from './Filters.tsx'
import { useFresh, useRecords } from './queries.ts'
import { changeFilter, clearFilter, hasFilter, pageOf, type RecordSearch, readRecordSearch } from './search.ts'
import { useExport } from './useExport.ts'

const PaymentDrawer = lazy(() => import('./PaymentDrawer.tsx'))

export default function RecordPage() {
  const t = useMessages('record')
  const common = useMessages('common')
  const search = readRecordSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const go = (next: RecordSearch) => void navigate({ to: '.', search: next as never, resetScroll: false })
  const records = useRecords(search)
  const fresh = useFresh(search, records.isPlaceholderData ? undefined : records.data?.total)
  const file = useExport(search)
  const columns = useMemo(
    () =>
      recordColumns(t, ({ trade_no }) =>
        navigate({ to: '.', search: (now: object) => ({ ...now, trade_no }) as never, resetScroll: false }),
      ),
    [t, navigate],
  )
  const filtered = hasFilter(search)
  return (
    <>
      <PageHeader
        title={t.title}
        text={t.text}
        actions={
          <Button
            icon="download"
            busy={file.state.step === 'running'}
            disabled={records.data?.total === 0}
            onClick={file.start}
          >
            {t.export}
          </Button>
        }
      />
      <ExportStatus {...file} />
      <Card flush>
        <Filters
          search={search}
          onChange={change => go(changeFilter(search, change))}
          onClear={() => go(clearFilter(search))}
        />
        <Fresh count={fresh} onShow={() => go({ ...search, current: 1 })} />
        <Table
          caption={t.caption}
          columns={columns}
          rows={records.data?.list}
          rowKey={row => row.trade_no}
          lines={2}
          skeletonRows={pageOf(search).pageSize}
          error={records.error}
          onRetry={() => void records.refetch()}
          stale={records.isPlaceholderData}
          onOpen={({ trade_no }) => go({ ...search, trade_no })}
          empty={
            filtered ? (
              <Empty
                icon="filter"
                title={common.nothingFound}
                text={common.changeFilters}
                action={<Button onClick={() => go(clearFilter(search))}>{t.clear}</Button>}
              />
            ) : (
              <Empty title={t.emptyTitle} text={t.emptyText} />
            )
          }
          paging={{
            ...pageOf(search),
            total: records.data?.total ?? 0,
            onChange: page => go(readRecordSearch({ ...search, ...page })),
          }}
        />
      </Card>
      {search.trade_no !== undefined && (
        <Suspense fallback={null}>
          <PaymentDrawer
            trade_no={search.trade_no}
            onClose={() => {
              const { trade_no: _open, ...rest } = search
              go(rest)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** New payments while a later page is read: said calmly, shown on request. */
function Fresh({ count, onShow }: { count: number; onShow(): void }) {
  const t = useMessages('record')
  return (
    <div role="status" className="empty:hidden">
      {count > 0 && (
        <div className="flex items-center justify-center gap-3 border-t border-line bg-accent-soft px-5 py-1.5 text-[13px]">
          <span className="num">{t.fresh(count)}</span>
          <Button size="small" look="ghost" className="text-accent-text" onClick={onShow}>
            {t.showFresh}
          </Button>
        </div>
      )}
    </div>
  )
}
