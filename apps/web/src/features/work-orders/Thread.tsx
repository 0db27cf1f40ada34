import type { RouteData } from '@coffer/contract'
import { workOrderLimits } from '@coffer/contract/codes/work-orders.ts'
import { workOrderStatus } from '@coffer/contract/codes.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api/index.ts'
import { apiQuery, invalidateCalls } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Fields } from '../../kit/form/Fields.tsx'
import { MessageThread } from '../../kit/MessageThread.tsx'
import { useForm } from '../../kit/useForm.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { useMay } from '../../lib/refused.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Drawer } from '../../ui/feedback/Modal.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import { loadPicture, MerchantPictures } from './Pictures.tsx'

type Order = RouteData<'GET /api/v1/work-order'>

const reads = ['GET /api/v1/work-order', 'GET /api/v1/work-order/list', 'GET /api/v1/message'] as const

/** The messages of a work order; opening it marks them as read. */
export default function Thread({ number, onClose }: { number: string; onClose(): void }) {
  const t = useMessages('work-orders')
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/work-order', { query: { number } }))
  const may = useMay()
  const unread = may('PUT /api/v1/work-order/read') && data?.unread
  useEffect(() => {
    if (!unread) return
    // It stays unread when this fails, and is marked when it is opened again.
    api('PUT /api/v1/work-order/read', { body: { number }, guarded: false }).then(
      () => invalidateCalls(...reads),
      () => {},
    )
  }, [unread, number])
  return (
    <Drawer open title={data?.theme ?? t.title} text={number} onClose={onClose}>
      {data === undefined ? (
        <Loading of={{ error, refetch }} className="h-64 w-full" />
      ) : (
        <div className="flex flex-col gap-5">
          {data.about && <About about={data.about} />}
          <MessageThread
            load={loadPicture}
            messages={data.messages.map(({ author, ...message }) => ({
              ...message,
              from: author === 'merchant' ? t.you : t.operator,
              isOwn: author === 'merchant',
            }))}
          />
          {may('POST /api/v1/work-order/reply') && <Answer key={data.messages.length} order={data} />}
        </div>
      )}
    </Drawer>
  )
}

function About({ about: { kind, id } }: { about: NonNullable<Order['about']> }) {
  const t = useMessages('work-orders')
  const text = `${t.types[kind]} ${id}`
  return (
    <p className="text-[13px] break-all text-ink-2">
      {t.about}:{' '}
      {kind === 'payment' ? (
        <Link to="/record" search={{ trade_no: id }}>
          {text}
        </Link>
      ) : kind === 'withdrawal' ? (
        <Link to="/record/withdrawal" search={{ id }}>
          {text}
        </Link>
      ) : (
        <Link to="/callbackList" search={{ id }}>
          {text}
        </Link>
      )}
    </p>
  )
}

/** A reply to an open work order, or the message that reopens a closed one. */
function Answer({ order }: { order: Order }) {
  const t = useMessages('work-orders')
  const { number, status, reopen_until } = order
  const isClosed = status === workOrderStatus.closed
  const close = useSubmit('POST /api/v1/work-order/close', {
    ask: { title: t.close, text: t.closeText, action: t.close },
    refreshes: reads,
  })
  const form = useForm({ text: '', pictures: [] as string[] }, { text: text => text.trim() === '' && t.textNeeded })
  const [now] = useState(() => Date.now() / 1000)
  const send = async (values: typeof form.values) => {
    await api(isClosed ? 'POST /api/v1/work-order/reopen' : 'POST /api/v1/work-order/reply', {
      body: { number, ...values },
    })
    await invalidateCalls(...reads)
  }
  if (isClosed && now > reopen_until) return <p className="text-sm text-ink-3">{t.isOver}</p>
  return (
    <form {...form.formProps(send)} className="flex flex-col gap-4 border-t border-line pt-4">
      {isClosed && (
        <p className="text-sm text-ink-3">
          {t.reopenUntil} <Time seconds={reopen_until} />
        </p>
      )}
      <Fields
        form={form}
        fields={[
          { name: 'text', kind: 'area', label: t.reply, required: true, rows: 4, maxLength: workOrderLimits.text },
          { name: 'pictures', draw: props => <MerchantPictures {...props} /> },
        ]}
      />
      <div className="flex flex-wrap justify-between gap-2">
        {isClosed ? (
          <span />
        ) : (
          <Button look="ghost" busy={close.isPending} onClick={() => close.mutate({ body: { number } })}>
            {t.close}
          </Button>
        )}
        <Button type="submit" look="primary" busy={form.busy}>
          {isClosed ? t.reopen : t.send}
        </Button>
      </div>
    </form>
  )
}
