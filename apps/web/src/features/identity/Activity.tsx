import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Data } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Card } from '../../ui/data/Card.tsx'
import { type Column, Table } from '../../ui/data/Table.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Empty } from '../../ui/feedback/States.tsx'

type Entry = Data<'GET /api/v1/user/log'>['list'][number]

/** Sign-ins and changes of the account, newest first. */
export function Activity() {
  const t = useMessages('identity')
  const [page, setPage] = useState({ current: 1, pageSize: 10 })
  const log = useQuery({ ...apiQuery('GET /api/v1/user/log', { query: page }), placeholderData: keepPreviousData })
  const columns: Column<Entry>[] = [
    { key: 'time', title: t.logTime, cell: row => <Time seconds={row.created_time} /> },
    { key: 'what', title: t.logWhat, cell: row => t.events[row.type] ?? row.type },
    { key: 'device', title: t.logDevice, cell: row => (row.ip === '' ? t.byOperator : row.device || t.unknownDevice) },
    {
      key: 'place',
      title: t.logPlace,
      cell: row => (
        <span className="num">
          {row.ip} {row.address && <span className="text-ink-3">{row.address}</span>}
        </span>
      ),
    },
  ]
  return (
    <Card title={t.log} flush className="mt-4">
      <Table
        caption={t.log}
        columns={columns}
        rows={log.data?.list}
        rowKey={row => row.id}
        skeletonRows={page.pageSize}
        error={log.error}
        onRetry={() => void log.refetch()}
        stale={log.isPlaceholderData}
        empty={<Empty icon="list" title={t.logEmpty} />}
        paging={{
          ...page,
          total: log.data?.total,
          onChange: setPage,
        }}
      />
    </Card>
  )
}
