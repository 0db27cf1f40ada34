import { workOrderStatus } from '@coffer/contract/codes.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { toCodeNames } from '../../../kit/list/fields.ts'
import { useList } from '../../../kit/list/useList.ts'
import { Time } from '../../../ui/data/Values.tsx'
import { Empty } from '../../../ui/feedback/States.tsx'
import { Link, MerchantLink } from '../../kit/links.tsx'
import { ConsoleList, TwoLineCell } from '../../kit/Rows.tsx'
import { lists } from '../../routes.ts'
import { StateBadge } from './StateBadge.tsx'

export default function WorkOrders() {
  const t = useMessages('operator')
  const words = useMessages('work-orders')
  return (
    <ConsoleList
      title={t.menu.orders}
      text={t.ordersText}
      list={useList(lists.workOrders)}
      rowKey="number"
      filters={[
        { by: 'text', label: t.findOrder, error: t.textTooLong, width: 'w-full sm:w-72' },
        { by: 'status', label: t.state, all: t.anyState, names: toCodeNames(workOrderStatus, words.states) },
        { by: 'type', label: words.type, all: words.allTypes, names: words.types },
      ]}
      columns={[
        {
          title: words.theme,
          sticky: 'start',
          cell: row => (
            <TwoLineCell
              first={
                <Link to="/orders/$id" params={{ id: row.number }}>
                  {row.theme}
                </Link>
              }
              second={row.number}
            />
          ),
        },
        { title: t.state, phone: 'value', cell: row => <StateBadge status={row.status} /> },
        {
          title: t.merchant,
          cell: row => (
            <TwoLineCell
              first={<MerchantLink id={row.mchid}>{row.merchant || row.mchid}</MerchantLink>}
              second={row.email}
            />
          ),
        },
        { title: words.type, cell: row => words.types[row.type] },
        { title: t.submitted, cell: row => <Time seconds={row.created_time} /> },
        { title: words.updated, cell: row => <Time seconds={row.updated_time} /> },
      ]}
      empty={<Empty icon="ticket" title={t.noOrders} />}
    />
  )
}
