import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Loading } from '../../ui/feedback/States.tsx'

/** The merchant's sessions. */
export function Sessions() {
  const t = useMessages('identity')
  const sessions = useQuery(apiQuery('GET /api/v1/user/sessions', {}))
  const refreshes = ['GET /api/v1/user/sessions', 'GET /api/v1/user/log'] as const
  const endOthers = useSubmit('DELETE /api/v1/user/sessions', {
    refreshes,
    done: ({ ended }) => t.othersEnded(ended),
  })
  const endOne = useSubmit('DELETE /api/v1/user/sessions/:id', { refreshes, done: t.thisEnded })
  const turnOff = useSubmit('DELETE /api/v1/message/push', { refreshes })
  const { list, push = [] } = sessions.data ?? {}
  return (
    <Card
      title={t.sessions}
      className="mt-4"
      actions={
        <Button busy={endOthers.isPending} disabled={!list || list.length < 2} onClick={() => endOthers.mutate({})}>
          {t.endOthers}
        </Button>
      }
    >
      {list ? (
        <ul className="divide-y divide-line text-sm">
          {list.map(session => (
            <Device key={session.id} of={session}>
              <span className="num text-[13px] text-ink-3">
                {session.ip} ·{' '}
                <span className="inline-block">
                  {t.since} <Time seconds={session.created_time} />
                </span>{' '}
                <span className="inline-block">
                  {t.lastSeen} <Time seconds={session.last_seen} />
                </span>
              </span>
              {!session.current && (
                <Button
                  size="small"
                  busy={endOne.pending?.params.id === session.id}
                  onClick={() => endOne.mutate({ params: { id: session.id } })}
                >
                  {t.endThis}
                </Button>
              )}
            </Device>
          ))}
        </ul>
      ) : (
        <Loading of={sessions} className="h-11 w-full" />
      )}
      {push.length > 0 && (
        <>
          <h3 className="mt-4 border-t border-line pt-4 text-[13px] font-semibold text-ink-2">{t.pushDevices}</h3>
          <ul className="mt-3 divide-y divide-line text-sm">
            {push.map(device => (
              <Device key={device.id} of={device}>
                <span className="num text-[13px] text-ink-3">
                  {t.lastSeen} <Time seconds={device.last_seen} />
                </span>
                <Button size="small" onClick={() => turnOff.mutate({ query: { device: device.id } })}>
                  {t.pushEnd}
                </Button>
              </Device>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

function Device({ of, children }: { of: { device: string; current: boolean }; children: ReactNode }) {
  const t = useMessages('identity')
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0">
      <span className="flex flex-wrap items-center gap-2 font-medium">
        {of.device || t.unknownDevice}
        {of.current && <Badge kind="success">{t.current}</Badge>}
      </span>
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1">{children}</span>
    </li>
  )
}
