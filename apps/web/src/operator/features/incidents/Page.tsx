import { joinList } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { useList } from '../../../kit/list/useList.ts'
import { NoValue, Time } from '../../../ui/data/Values.tsx'
import { Badge } from '../../../ui/feedback/Badge.tsx'
import { Empty } from '../../../ui/feedback/States.tsx'
import { Link } from '../../kit/links.tsx'
import { ConsoleList, TwoLineCell } from '../../kit/Rows.tsx'
import { lists } from '../../routes.ts'

/** Incidents, one per cause, also closed ones. */
export default function Incidents() {
  const t = useMessages('incidents')
  const common = useMessages('operator')
  const nameOf = (kind: string) => t.kinds[kind] ?? t.other
  return (
    <ConsoleList
      title={common.menu.incidents}
      text={t.text}
      list={useList(lists.incidents)}
      rowKey="id"
      filters={[
        { by: 'text', label: t.find, error: t.textTooLong, width: 'w-full sm:w-72' },
        { by: 'state', label: common.state, all: common.anyState, names: { open: t.open, closed: t.closed } },
      ]}
      columns={[
        {
          title: t.incident,
          sticky: 'start',
          cell: row => (
            <TwoLineCell
              first={
                <Link to="/incidents/$id" params={{ id: row.id }}>
                  {nameOf(row.kind)}
                </Link>
              }
              second={[row.chain_name, row.with.length > 0 && t.andMore(joinList([...new Set(row.with)].map(nameOf)))]
                .filter(Boolean)
                .join(' · ')}
            />
          ),
        },
        {
          title: common.state,
          phone: 'value',
          cell: row => <Badge kind={row.closed_time ? 'closed' : 'error'}>{row.closed_time ? t.closed : t.open}</Badge>,
        },
        { title: t.since, cell: row => <Time seconds={row.created_time} /> },
        { title: t.ended, cell: row => <Time seconds={row.closed_time} /> },
        { title: t.who, cell: row => row.who || (row.closed_time === 0 ? t.nobody : <NoValue />) },
        { title: t.notes, align: 'end', cell: row => row.notes },
      ]}
      empty={<Empty icon="check" title={t.none} />}
    />
  )
}
