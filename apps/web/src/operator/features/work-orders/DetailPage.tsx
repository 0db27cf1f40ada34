import { workOrderLimits } from '@coffer/contract/codes/work-orders.ts'
import { workOrderStatus } from '@coffer/contract/codes.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useCallback } from 'react'
import { useMessages } from '../../../i18n/messages.ts'
import { Fields } from '../../../kit/form/Fields.tsx'
import { MessageThread } from '../../../kit/MessageThread.tsx'
import type { LoadPicture } from '../../../kit/pictures/Picture.tsx'
import { Pictures } from '../../../kit/pictures/Pictures.tsx'
import { useForm } from '../../../kit/useForm.ts'
import { showToast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/data/Card.tsx'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { DetailList } from '../../../ui/data/DetailList.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { api, open, queryClient, usePermissionCheck, useRead } from '../../kit/api.ts'
import { LogLink, MerchantLink, ParentPageLink, usePathId, WithdrawalLink } from '../../kit/links.tsx'
import { Loaded } from '../../kit/Rows.tsx'
import { StateBadge } from './StateBadge.tsx'

type Order = OperatorData<'GET /api/operator/v1/work-orders/:id'>

/** How often (ms) an open thread is read again. */
const threadPollMs = 3_000

export default function WorkOrder() {
  const id = usePathId()
  const t = useMessages('operator')
  const words = useMessages('work-orders')
  const read = useRead('GET /api/operator/v1/work-orders/:id', { params: { id } }, { every: threadPollMs })
  const load = useCallback<LoadPicture>(
    async (picture, signal) =>
      (
        await open('GET /api/operator/v1/work-orders/:id/pictures/:picture', { params: { id, picture }, signal })
      ).blob(),
    [id],
  )
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
          <ParentPageLink to="/orders">{t.menu.orders}</ParentPageLink>
          <PageHeader title={data.theme} text={data.number} actions={<Changes order={data} />} />
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-3">
            <div className="flex min-w-0 flex-col gap-4 lg:col-span-2">
              <MessageThread messages={threadOf(data)} load={load} />
              <Answer order={data} load={load} />
            </div>
            <Card title={t.details}>
              <DetailList
                rows={[
                  [t.state, <StateBadge key="s" status={data.status} />],
                  [
                    t.merchant,
                    <MerchantLink key="m" id={data.mchid}>
                      {data.merchant || data.mchid}
                    </MerchantLink>,
                  ],
                  [t.email, data.email],
                  [t.menu.log, <LogLink key="l" text={data.number} />],
                  [words.type, words.types[data.type]],
                  [words.about, data.about && <About key="a" about={data.about} />],
                  [t.readByMerchant, data.messages.some(each => each.operator) && (data.unread ? t.no : t.yes)],
                  [t.submitted, <Time key="c" seconds={data.created_time} />],
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

function Answer({ order: { number, status }, load }: { order: Order; load: LoadPicture }) {
  const t = useMessages('operator')
  const words = useMessages('work-orders')
  const may = usePermissionCheck()
  const form = useForm({ text: '', pictures: [] as string[] }, { text: text => text.trim() === '' && words.textNeeded })
  const key = 'POST /api/operator/v1/work-orders/:id/answer'
  if (status === workOrderStatus.closed || !may(key)) return null
  const upload = (form: FormData) =>
    api('POST /api/operator/v1/work-orders/:id/pictures', { params: { id: number }, body: form, guarded: false })
  const send = async (body: typeof form.values) => {
    await api(key, { params: { id: number }, body })
    form.set('text')('')
    form.set('pictures')([])
    showToast('success', t.answerSent)
    await queryClient.invalidateQueries()
  }
  return (
    <form {...form.formProps(send)} className="flex flex-col gap-3">
      <Fields
        form={form}
        fields={[
          {
            name: 'text',
            kind: 'area',
            label: t.orderAnswer,
            hint: t.answerHint,
            required: true,
            rows: 5,
            maxLength: workOrderLimits.text,
          },
          { name: 'pictures', draw: props => <Pictures {...props} upload={upload} load={load} /> },
        ]}
      />
      <Button type="submit" look="primary" busy={form.busy} className="self-end">
        {words.send}
      </Button>
    </form>
  )
}

function Changes({ order: { number, status } }: { order: Order }) {
  const isClosed = status === workOrderStatus.closed
  const call = `POST /api/operator/v1/work-orders/:id/${isClosed ? 'reopen' : 'close'}` as const
  return <ActionButton key={call} call={call} params={{ id: number }} />
}
