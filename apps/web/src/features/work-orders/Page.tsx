import type { Data } from '@coffer/contract'
import { nameOf, type WorkOrderState, workOrderStatus } from '@coffer/contract/codes.ts'
import { workOrderSubjects, workOrderTypes } from '@coffer/contract/work-order-codes.ts'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import { useList } from '../../kit/list/useList.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { DayAndClock, TwoLines } from '../../ui/data/TwoLines.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Empty } from '../../ui/feedback/States.tsx'

const Thread = lazy(() => import('./Thread.tsx'))
const CreateOrder = lazy(() => import('./CreateOrder.tsx'))

type Row = Data<'GET /api/v1/work-order/list'>['list'][number]

const states = Object.keys(workOrderStatus) as WorkOrderState[]
const looks = { in_progress: 'processing', answered: 'success', closed: 'closed' } as const

/** The filters of the URL that exist. */
const chosenOf = ({ status, type }: { status?: string | undefined; type?: string | undefined }) => ({
  status: states.map(state => `${workOrderStatus[state]}` as const).find(code => code === status),
  type: workOrderTypes.find(each => each === type),
})

/** Questions to the operator, and a form for a new one, also opened by links from what it is about. */
export default function WorkOrders() {
  const t = useMessages('work-orders')
  const place = useListSearch(useSearch({ from: '/workOrder' }))
  const [{ about_kind, about_id }, change] = place
  const kind = workOrderSubjects.find(each => each === about_kind)
  const asked = kind && about_id ? { kind, id: about_id } : undefined
  const [creating, setCreating] = useState(false)
  const list = useList(
    place,
    ({ text, ...chosen }, page) =>
      apiQuery('GET /api/v1/work-order/list', { query: listQuery({ ...chosenOf(chosen), text }, page) }),
    'number',
  )
  const { open } = list
  const { set } = list.filter
  const values = { ...list.filter.values, ...chosenOf(list.filter.values) }
  const columns = useMemo(() => orderColumns(t, open), [t, open])
  const closeForm = () => {
    setCreating(false)
    if (asked) change({ about_kind: undefined, about_id: undefined }, true)
  }
  const created = (number: string) => {
    setCreating(false)
    change({ about_kind: undefined, about_id: undefined, number }, true)
  }
  const create = (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  )
  const width = 'min-w-36 flex-1 sm:w-44 sm:flex-none'
  return (
    <>
      <ListPage
        title={t.title}
        text={t.text}
        caption={t.title}
        actions={create}
        list={list}
        columns={columns}
        rowKey={row => row.number}
        lines={2}
        skeletonRows={list.page.pageSize}
        filters={
          <Filters label={t.title} filter={list.filter}>
            <SelectFilter
              label={t.status}
              all={t.allStatuses}
              className={width}
              value={values.status}
              options={states.map(state => ({ value: `${workOrderStatus[state]}` as const, label: t.states[state] }))}
              onChange={status => set({ status })}
            />
            <SelectFilter
              label={t.type}
              all={t.allTypes}
              className={width}
              value={values.type}
              options={workOrderTypes.map(value => ({ value, label: t.types[value] }))}
              onChange={type => set({ type })}
            />
            <NumberFilter
              label={t.search}
              className="w-full grow sm:w-60"
              value={values.text}
              fits={text => text.length <= 100}
              error={t.badSearch}
              onCommit={text => set({ text })}
            />
          </Filters>
        }
        empty={<Empty icon="ticket" title={t.empty} text={t.emptyText} action={create} />}
        drawer={number => <Thread number={number} onClose={list.close} />}
      />
      {(creating || asked) && (
        <Suspense fallback={null}>
          <CreateOrder about={asked} onClose={closeForm} onCreated={created} />
        </Suspense>
      )}
    </>
  )
}

const orderColumns = (t: Messages<'work-orders'>, open: (number: string) => void): Column<Row>[] => [
  {
    key: 'theme',
    title: t.theme,
    sticky: 'start',
    cell: row => (
      <TwoLines
        first={
          <button
            type="button"
            className={row.unread ? 'max-w-72 truncate font-semibold' : 'max-w-72 truncate font-medium'}
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
    key: 'status',
    phone: 'value',
    title: t.status,
    cell: row => {
      const state = nameOf(workOrderStatus, row.status)
      return (
        <span className="inline-flex items-center gap-2">
          {state && <Badge kind={looks[state]}>{t.states[state]}</Badge>}
          {row.unread && <span className="text-xs text-accent-text">{t.newAnswer}</span>}
        </span>
      )
    },
  },
  { key: 'type', title: t.type, cell: row => t.types[row.type] },
  { key: 'number', title: t.number, cell: row => <span className="num">{row.number}</span> },
  {
    key: 'time',
    phone: 'note',
    title: t.updated,
    sticky: 'end',
    cell: row => <DayAndClock seconds={row.updated_time} />,
  },
]
