import { workOrderSubjects } from '@coffer/contract/codes/work-orders.ts'
import { codeNameOf, workOrderStatus } from '@coffer/contract/codes.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { timeColumn } from '../../kit/list/columns.tsx'
import { toCodeNames } from '../../kit/list/fields.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { ListRow } from '../../kit/list/search.ts'
import { useList } from '../../kit/list/useList.ts'
import { lists } from '../../lists.ts'
import { Button } from '../../ui/controls/Button.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Empty } from '../../ui/feedback/States.tsx'

const Thread = lazy(() => import('./Thread.tsx'))
const CreateOrder = lazy(() => import('./CreateOrder.tsx'))

type Row = ListRow<'GET /api/v1/work-order/list'>

const looks = { in_progress: 'processing', answered: 'success', closed: 'closed' } as const

/** Questions to the operator, and a form for a new one, also opened by links from what it is about. */
export default function WorkOrders() {
  const t = useMessages('work-orders')
  const navigate = useNavigate()
  const { about_kind, about_id, ...place } = useSearch({ from: '/workOrder' })
  const kind = workOrderSubjects.find(each => each === about_kind)
  const subject = kind && about_id ? { kind, id: about_id } : undefined
  const [creating, setCreating] = useState(false)
  const list = useList(lists.workOrders)
  const { open } = list
  const columns = useMemo(() => orderColumns(t, open), [t, open])
  const leaveSubject = (number?: string) =>
    void navigate({
      to: '/workOrder',
      search: { ...place, ...(number && { number }) },
      replace: true,
      resetScroll: false,
    })
  const closeForm = () => {
    setCreating(false)
    if (subject) leaveSubject()
  }
  const created = (number: string) => {
    setCreating(false)
    leaveSubject(number)
  }
  const width = 'min-w-36 flex-1 sm:w-44 sm:flex-none'
  return (
    <>
      <ListPage
        title={t.title}
        text={t.text}
        actions={
          <Button call="POST /api/v1/work-order" look="primary" icon="plus" onClick={() => setCreating(true)}>
            {t.create}
          </Button>
        }
        list={list}
        columns={columns}
        rowKey="number"
        filtersLabel={t.title}
        filters={[
          {
            by: 'status',
            label: t.status,
            all: t.allStatuses,
            names: toCodeNames(workOrderStatus, t.states),
            width,
          },
          { by: 'type', label: t.type, all: t.allTypes, names: t.types, width },
          { by: 'text', label: t.search, error: t.badSearch },
        ]}
        empty={<Empty icon="ticket" title={t.empty} text={t.emptyText} />}
        drawer={number => <Thread number={number} onClose={list.close} />}
      />
      {(creating || subject) && (
        <Suspense fallback={null}>
          <CreateOrder about={subject} onClose={closeForm} onCreated={created} />
        </Suspense>
      )}
    </>
  )
}

const orderColumns = (t: Messages<'work-orders'>, open: (number: string) => void): Column<Row>[] => [
  {
    title: t.theme,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={
          <button
            type="button"
            className={
              row.unread ? 'max-w-72 truncate text-left font-semibold' : 'max-w-72 truncate text-left font-medium'
            }
            onClick={event => {
              event.stopPropagation()
              open(row.number)
            }}
          >
            {row.theme}
          </button>
        }
        second={<span className="inline-block max-w-72 truncate">{row.description}</span>}
      />
    ),
  },
  {
    phone: 'value',
    title: t.status,
    cell: row => {
      const state = codeNameOf(workOrderStatus, row.status)
      return (
        <span className="inline-flex items-center gap-2">
          {state && <Badge kind={looks[state]}>{t.states[state]}</Badge>}
          {row.unread && <span className="text-xs text-accent-text">{t.newAnswer}</span>}
        </span>
      )
    },
  },
  { title: t.type, cell: row => t.types[row.type] },
  { title: t.number, cell: row => <span className="num">{row.number}</span> },
  timeColumn(t.updated, row => row.updated_time, { sticky: 'end' }),
]
