import { lazy, Suspense, useCallback, useMemo } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Table } from '../../ui/data/Table.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { type Payment, recordColumns } from './columns.tsx'
import { ExportStatus } from './ExportStatus.tsx'
import { type FilterChange, Filters } from './Filters.tsx'
import { useFresh, useRecords } from './queries.ts'
import { changeFilter, clearFilter, hasFilter, pageOf, readRecordSearch } from './search.ts'
import { useExport } from './useExport.ts'
import { useRecordSearch } from './useRecordSearch.ts'

const PaymentDrawer = lazy(() => import('./PaymentDrawer.tsx'))

export default function RecordPage() {
  const t = useMessages('payments')
  const common = useMessages('common')
  const { search, filter, change } = useRecordSearch()
  const records = useRecords(search)
  const fresh = useFresh(search, records.isPlaceholderData ? undefined : records.data?.total)
  const file = useExport(filter)
  const open = useCallback(({ trade_no }: Payment) => change(now => ({ ...now, trade_no })), [change])
  const columns = useMemo(() => recordColumns(t, open), [t, open])
  const onFilter = useCallback((next: FilterChange) => change(now => changeFilter(now, next)), [change])
  const clear = useCallback(() => change(clearFilter), [change])
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
        <Filters filter={filter} onChange={onFilter} onClear={clear} />
        <Fresh count={fresh} onShow={() => change(({ current: _page, ...now }) => now)} />
        <Table
          caption={t.caption}
          columns={columns}
          rows={records.data?.list}
          rowKey={row => row.trade_no}
          recycle
          lines={2}
          skeletonRows={pageOf(search).pageSize}
          error={records.error}
          onRetry={() => void records.refetch()}
          stale={records.isPlaceholderData}
          onOpen={open}
          empty={
            hasFilter(filter) ? (
              <Empty
                icon="filter"
                title={common.nothingFound}
                text={common.changeFilters}
                action={<Button onClick={clear}>{common.clearFilters}</Button>}
              />
            ) : (
              <Empty title={t.emptyTitle} text={t.emptyText} />
            )
          }
          paging={{
            ...pageOf(search),
            total: records.data?.total,
            onChange: page => change(now => readRecordSearch({ ...now, ...page })),
          }}
        />
      </Card>
      {search.trade_no !== undefined && (
        <Suspense fallback={null}>
          <PaymentDrawer
            trade_no={search.trade_no}
            onClose={() => change(({ trade_no: _open, ...now }) => now, true)}
          />
        </Suspense>
      )}
    </>
  )
}

/** New payments while a later page is read: said calmly, shown on request. */
function Fresh({ count, onShow }: { count: number; onShow(): void }) {
  const t = useMessages('payments')
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
