import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useListSearch } from '../../lib/listSearch.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Table } from '../../ui/data/Table.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { callbackColumns } from './columns.tsx'
import { Filters } from './Filters.tsx'
import { filterNames, listQuery } from './search.ts'
import { useResend } from './useResend.ts'

const CallbackDrawer = lazy(() => import('./CallbackDrawer.tsx'))

export default function CallbacksPage() {
  const t = useMessages('callbacks')
  const common = useMessages('common')
  const search = useListSearch(filterNames)
  const { current, pageSize } = search
  const list = useQuery({
    ...apiQuery('GET /api/v1/callback/list', { query: listQuery(search.filters, { current, pageSize }) }),
    placeholderData: keepPreviousData,
  })
  const { resend, busyId } = useResend()
  const [openId, setOpenId] = useState<string | null>(null)
  const open = ({ id }: { id: string }) => setOpenId(id)
  const columns = callbackColumns(t, { onOpen: open, onResend: ({ id }) => resend(id), busyId })
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <Card flush>
        <Filters search={search} />
        <Table
          caption={t.caption}
          columns={columns}
          rows={list.data?.list}
          rowKey={row => row.id}
          lines={2}
          skeletonRows={pageSize}
          error={list.error}
          onRetry={() => void list.refetch()}
          stale={list.isPlaceholderData}
          onOpen={open}
          empty={
            search.filtered ? (
              <Empty
                icon="filter"
                title={common.nothingFound}
                text={common.changeFilters}
                action={<Button onClick={search.clearFilters}>{common.clearFilters}</Button>}
              />
            ) : (
              <Empty icon="webhook" title={t.emptyTitle} text={t.emptyText} />
            )
          }
          paging={{ current, pageSize, total: list.data?.total, onChange: search.setPage }}
        />
      </Card>
      {openId !== null && (
        <Suspense fallback={null}>
          <CallbackDrawer id={openId} onClose={() => setOpenId(null)} />
        </Suspense>
      )}
    </>
  )
}
