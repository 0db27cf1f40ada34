import { type WorkOrderState, workOrderStatus } from '@coffer/contract/codes.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { workOrderLimits, workOrderTypes } from '@coffer/contract/work-orders.ts'
import { useMessages } from '../../i18n/messages.ts'
import { MessageThread } from '../../kit/MessageThread.tsx'
import { useForm } from '../../kit/useForm.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { TextArea } from '../../ui/controls/TextInput.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Facts } from '../../ui/data/Facts.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { CopyText, Time } from '../../ui/data/Values.tsx'
import { CodeBadge } from '../../ui/feedback/StateBadge.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { Action, useMay } from '../Action.tsx'
import { api, queryClient, useRead } from '../api.ts'
import { FilteredTable, useFilters } from '../FilteredTable.tsx'
import { A, usePlace } from '../place.tsx'
import { Loaded, MerchantLink, Two, WithdrawalLink } from '../Rows.tsx'

type Row = OperatorData<'GET /api/operator/v1/work-orders'>['list'][number]
type Order = OperatorData<'GET /api/operator/v1/work-orders/:id'>

const looks = { in_progress: 'processing', answered: 'success', closed: 'closed' } as const
/** How often (ms) an open thread is read again. */
const threadPollMs = 3_000

function StateBadge({ status }: { status: number }) {
  const { states } = useMessages('work-orders')
  return <CodeBadge codes={workOrderStatus} kinds={looks} labels={states} code={status} />
}

export default function Orders() {
  const { id } = usePlace()
  return id === undefined ? <Queue /> : <WorkOrder key={id} id={id} />
}

function Queue() {
  const t = useMessages('operator')
  const words = useMessages('work-orders')
  const filters = useFilters('/orders', ['status', 'type', 'text'])
  const type = workOrderTypes.find(each => each === filters.values.type)
  const read = useRead('GET /api/operator/v1/work-orders', {
    query: { ...filters.query, ...(type ? { type } : { type: undefined }) },
  })
  const columns: Column<Row>[] = [
    {
      key: 'theme',
      title: words.theme,
      sticky: 'start',
      cell: row => <Two first={<A to={`/orders/${row.number}`}>{row.theme}</A>} second={row.number} />,
    },
    { key: 'state', title: t.state, cell: row => <StateBadge status={row.status} /> },
    {
      key: 'merchant',
      title: t.merchant,
      cell: row => (
        <Two first={<MerchantLink id={row.mchid}>{row.merchant || row.mchid}</MerchantLink>} second={row.email} />
      ),
    },
    { key: 'type', title: words.type, cell: row => words.types[row.type] },
    { key: 'created', title: t.asked, cell: row => <Time seconds={row.created_time} /> },
    { key: 'updated', title: words.updated, cell: row => <Time seconds={row.updated_time} /> },
  ]
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
        columns={columns}
        read={read}
        rowKey={row => row.number}
        empty={<Empty icon="ticket" title={t.noOrders} />}
      />
    </>
  )
}

function WorkOrder({ id }: { id: string }) {
  const t = useMessages('operator')
  const words = useMessages('work-orders')
  const read = useRead('GET /api/operator/v1/work-orders/:id', { params: { id } }, { every: threadPollMs })
  const threadOf = (order: Order) =>
    order.messages.map(({ operator, ...message }) => ({
      ...message,
      from: operator || order.merchant || order.mchid,
      isOwn: operator !== '',
    }))
  return (
    <Loaded read={read}>
      {data => (
        <>
          <p className="mb-2 text-[13px]">
            <A to="/orders">{t.menu.orders}</A>
          </p>
          <PageHeader title={data.theme} text={data.number} actions={<Changes order={data} />} />
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-3">
            <div className="flex min-w-0 flex-col gap-4 lg:col-span-2">
              <MessageThread messages={threadOf(data)} />
              <Answer order={data} />
            </div>
            <Card title={t.details}>
              <Facts
                rows={[
                  [t.state, <StateBadge key="s" status={data.status} />],
                  [
                    t.merchant,
                    <MerchantLink key="m" id={data.mchid}>
                      {data.merchant || data.mchid}
                    </MerchantLink>,
                  ],
                  [t.email, data.email],
                  [words.type, words.types[data.type]],
                  [words.about, data.about && <About key="a" about={data.about} />],
                  [t.readByMerchant, data.messages.some(each => each.operator) && (data.unread ? t.no : t.yes)],
                  [t.asked, <Time key="c" seconds={data.created_time} />],
                  [words.updated, <Time key="u" seconds={data.updated_time} />],
                ]}
              />
            </Card>
          </div>
        </>
      )}
    </Loaded>
  )
}

function About({ about: { kind, id } }: { about: NonNullable<Order['about']> }) {
  const words = useMessages('work-orders')
  if (kind === 'withdrawal')
    return (
      <WithdrawalLink id={id}>
        {words.types[kind]} {id}
      </WithdrawalLink>
    )
  return (
    <>
      {words.types[kind]} <CopyText look="whole" value={id} />
    </>
  )
}

function Answer({ order: { number, status } }: { order: Order }) {
  const t = useMessages('operator')
  const words = useMessages('work-orders')
  const may = useMay()
  const form = useForm({ text: '' }, { text: text => text.trim() === '' && words.textNeeded })
  const key = 'POST /api/operator/v1/work-orders/:id/answer'
  if (status === workOrderStatus.closed || !may(key)) return null
  const send = async (body: typeof form.values) => {
    await api(key, { params: { id: number }, body })
    form.set('text')('')
    showToast('success', t.answerSent)
    await queryClient.invalidateQueries()
  }
  return (
    <form {...form.formProps(send)} className="flex flex-col gap-3">
      <Field label={t.orderAnswer} error={form.errors.text} hint={t.answerHint} required>
        {control => (
          <TextArea
            {...control}
            rows={5}
            maxLength={workOrderLimits.text}
            value={form.values.text}
            onChange={form.set('text')}
          />
        )}
      </Field>
      <Button type="submit" look="primary" busy={form.busy} className="self-end">
        {words.send}
      </Button>
    </form>
  )
}

function Changes({ order: { number, status } }: { order: Order }) {
  const t = useMessages('operator')
  const words = useMessages('work-orders')
  const isClosed = status === workOrderStatus.closed
  const call = `POST /api/operator/v1/work-orders/:id/${isClosed ? 'reopen' : 'close'}` as const
  return (
    <Action
      key={call}
      call={call}
      params={{ id: number }}
      label={isClosed ? words.reopen : words.close}
      text={isClosed ? t.reopenOrderText : t.closeOrderText}
    />
  )
}
