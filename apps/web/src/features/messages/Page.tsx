import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RouteData } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { AddChannel, LinkTelegram } from './dialogs.tsx'
import { MessageSettings } from './Settings.tsx'

type Channels = RouteData<'GET /api/v1/message/channel'>
type Channel = Channels['list'][number]

const refreshes = ['GET /api/v1/message/channel'] as const

/** Where the messages of the person who signed in arrive. */
export default function MessagesPage() {
  const t = useMessages('messages')
  const [dialog, setDialog] = useState<'add' | 'telegram' | null>(null)
  const channels = useQuery({
    ...apiQuery('GET /api/v1/message/channel', {}),
    // A chat is linked in another program.
    refetchInterval: ({ state }) => (state.data?.list.some(each => !each.linked) ? 3_000 : false),
  })
  if (channels.error && !channels.data)
    return <ErrorState error={channels.error} onRetry={() => void channels.refetch()} />
  const { data } = channels
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      {data ? (
        <Card
          title={t.channels}
          actions={
            <div className="flex flex-wrap justify-end gap-2">
              {data.telegram && <Button onClick={() => setDialog('telegram')}>{t.linkTelegram}</Button>}
              <Button look="primary" icon="plus" onClick={() => setDialog('add')}>
                {t.add}
              </Button>
            </div>
          }
        >
          {data.list.length === 0 ? (
            <p className="max-w-2xl text-sm text-ink-2">{t.none}</p>
          ) : (
            <ul className="divide-y divide-line text-sm">
              {data.list.map(channel => (
                <ChannelLine key={channel.id} channel={channel} />
              ))}
            </ul>
          )}
        </Card>
      ) : (
        <Skeleton className="h-40 w-full rounded-xl" />
      )}
      <MessageSettings />
      <Sent />
      {dialog === 'add' && <AddChannel onClose={() => setDialog(null)} />}
      {dialog === 'telegram' && <LinkTelegram onClose={() => setDialog(null)} />}
    </>
  )
}

/** A chat or system: whether it works, and buttons to try and remove it. */
function ChannelLine({ channel: { id, kind, name, linked, last_time, error, advice } }: { channel: Channel }) {
  const t = useMessages('messages')
  const test = useSubmit('POST /api/v1/message/channel/test', { refreshes })
  const remove = useSubmit('DELETE /api/v1/message/channel', { refreshes, done: t.removed })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-all">{name}</span>
          <Badge kind="closed">{t.kinds[kind]}</Badge>
          {!linked && <Badge kind="processing">{t.waits}</Badge>}
          {error && <Badge kind="error">{advice ? t.stopped : t.failed}</Badge>}
        </p>
        {advice && <p className="mt-1 max-w-2xl text-ink-2">{advice}</p>}
        <p className="num mt-1 text-[13px] break-words text-ink-3">
          {error ||
            (last_time > 0 ? (
              <>
                {t.last} <Time seconds={last_time} />
              </>
            ) : (
              t.never
            ))}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {linked && (
          <Button
            size="small"
            busy={test.pending !== undefined}
            aria-label={`${t.test}: ${name}`}
            onClick={() =>
              test.mutate(
                { body: { id } },
                {
                  onSuccess: ({ ok, error: why }) =>
                    showToast(ok ? 'success' : 'error', ok ? t.tested : t.notTested(why)),
                },
              )
            }
          >
            {t.test}
          </Button>
        )}
        <Button
          size="small"
          busy={remove.pending !== undefined}
          aria-label={`${t.remove}: ${name}`}
          onClick={() => remove.mutate({ query: { id } })}
        >
          {t.remove}
        </Button>
      </div>
    </li>
  )
}

const states = { waiting: 'processing', accepted: 'success', refused: 'error', expired: 'error' } as const

/** What was sent lately, and whether it arrived. */
function Sent() {
  const t = useMessages('messages')
  const sent = useQuery(apiQuery('GET /api/v1/message/sent', {}))
  if (sent.error && !sent.data) return <ErrorState error={sent.error} onRetry={() => void sent.refetch()} />
  if (!sent.data) return <Skeleton className="mt-4 h-60 w-full rounded-xl" />
  const { list } = sent.data
  return (
    <Card title={t.sent} className="mt-4">
      {list.length === 0 ? (
        <p className="text-sm text-ink-2">{t.nothingSent}</p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {list.map(({ id, channel, to, title, more, state, error, created_time }) => (
            <li key={id} className="py-2.5 first:pt-0 last:pb-0">
              <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <span className="min-w-0 font-medium break-words">
                  {title}
                  {more > 0 && <span className="font-normal text-ink-2"> {t.more(more)}</span>}
                </span>
                <Badge kind={states[state]}>{t.states[state]}</Badge>
              </p>
              <p className="num mt-0.5 text-[13px] break-all text-ink-3">
                <Time seconds={created_time} /> · {t.ways[channel]}
                {to && ` · ${to}`}
              </p>
              {state !== 'accepted' && error && <p className="mt-0.5 text-[13px] break-words text-ink-2">{error}</p>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
