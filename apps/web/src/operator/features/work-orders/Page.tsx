import { type WorkOrderState, workOrderStatus } from '@coffer/contract/codes.ts'
import { workOrderTypes } from '@coffer/contract/work-order-codes.ts'
import { useSearch } from '@tanstack/react-router'
import { useMessages } from '../../../i18n/messages.ts'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { Empty } from '../../../ui/feedback/States.tsx'
import { useRead } from '../../kit/api.ts'
import { FilteredTable, useFilters } from '../../kit/FilteredTable.tsx'
import { Link, MerchantLink } from '../../kit/links.tsx'
import { Two } from '../../kit/Rows.tsx'
import type { ConsoleRouter } from '../../routes.ts'
import { StateBadge } from './StateBadge.tsx'

export default function WorkOrders() {
  const t = useMessages('operator')
  const words = useMessages('work-orders')
  const filters = useFilters(useSearch<ConsoleRouter, '/orders'>({ from: '/orders' }))
  const read = useRead('GET /api/operator/v1/work-orders', { query: { ...filters.paging, ...filters.values } })
  return (
    <>
      <PageHeader title={t.menu.orders} text={t.ordersText} />
      <FilteredTable
        caption={t.menu.orders}
        search={t.findOrder}
        filters={filters}
        choices={[
          {
            name: 'status',
            label: t.state,
            all: t.anyState,
            options: Object.entries(workOrderStatus).map(([state, code]) => ({
              value: String(code),
              label: words.states[state as WorkOrderState],
            })),
          },
          {
            name: 'type',
            label: words.type,
            all: words.allTypes,
            options: workOrderTypes.map(value => ({ value, label: words.types[value] })),
          },
        ]}
        columns={[
          {
            title: words.theme,
            sticky: 'start',
            cell: row => (
              <Two
                first={
                  <Link to="/orders/$id" params={{ id: row.number }}>
                    {row.theme}
                  </Link>
                }
                second={row.number}
              />
            ),
          },
          { title: t.state, cell: row => <StateBadge status={row.status} /> },
          {
            title: t.merchant,
            cell: row => (
              <Two first={<MerchantLink id={row.mchid}>{row.merchant || row.mchid}</MerchantLink>} second={row.email} />
            ),
          },
          { title: words.type, cell: row => words.types[row.type] },
          { title: t.asked, cell: row => <Time seconds={row.created_time} /> },
          { title: words.updated, cell: row => <Time seconds={row.updated_time} /> },
        ]}
        read={read}
        rowKey={row => row.number}
        empty={<Empty icon="ticket" title={t.noOrders} />}
      />
    </>
  )
}
