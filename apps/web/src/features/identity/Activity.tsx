import type { Data } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ListTable } from '../../kit/list/ListPage.tsx'
import { useList, useLocalSearch } from '../../kit/list/useList.ts'
import { Card } from '../../ui/data/Card.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Empty } from '../../ui/feedback/States.tsx'

type Entry = Data<'GET /api/v1/user/log'>['list'][number]

/** Sign-ins and account changes, newest first. */
export function Activity() {
  const t = useMessages('identity')
  const list = useList(useLocalSearch({}), (_filters, page) => apiQuery('GET /api/v1/user/log', { query: page }))
  const columns: Column<Entry>[] = [
    { key: 'time', title: t.logTime, cell: row => <Time seconds={row.created_time} /> },
    {
      key: 'what',
      title: t.logWhat,
      cell: row => <span className="whitespace-nowrap">{t.events[row.type] ?? row.type}</span>,
    },
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
      <ListTable
        caption={t.log}
        list={list}
        columns={columns}
        rowKey={row => row.id}
        skeletonRows={list.page.pageSize}
        empty={<Empty icon="list" title={t.logEmpty} />}
      />
    </Card>
  )
}
