import { type KeyOverlapSeconds, type SelectableEvent, selectableEvents } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { isUrl } from '@coffer/contract/kit/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type RouteData } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { joinList } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { StateText } from '../../ui/feedback/Badge.tsx'
import { Drawer } from '../../ui/feedback/Modal.tsx'
import { Empty, Loading } from '../../ui/feedback/States.tsx'
import { CallbackEventsField } from './CallbackEventsField.tsx'
import { KeyOverlapField } from './KeyOverlapField.tsx'
import { SecretValue, ShownOnceModal } from './SecretValue.tsx'
import type { Application } from './settings.ts'

type Endpoint = RouteData<'GET /api/v1/user/webhook-endpoint/list'>['list'][number]
type WithSecret = RouteData<'POST /api/v1/user/webhook-endpoint'>
type Act = 'change' | 'renew' | 'remove'
type Open = { what: 'add' } | { what: 'secret'; made: WithSecret } | { what: Act; endpoint: Endpoint }

const refreshes = ['GET /api/v1/user/webhook-endpoint/list'] as const
const max = limits.webhookEndpointsMax

/** The webhook endpoints of an application, and what can be done with each. */
export default function Endpoints({ application, onClose }: { application: Application; onClose(): void }) {
  const t = useMessages('endpoints')
  const { appid, name } = application
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/user/webhook-endpoint/list', { query: { appid } }))
  const [open, setOpen] = useState<Open | null>(null)
  const shared = {
    appid,
    onClose: () => setOpen(null),
    onSecret: (made: WithSecret) => setOpen({ what: 'secret', made }),
  }
  const full = data !== undefined && data.list.length >= max
  return (
    <Drawer
      open
      title={t.title}
      text={t.text(name, max)}
      onClose={onClose}
      actions={
        <Button look="primary" icon="plus" disabled={!data || full} onClick={() => setOpen({ what: 'add' })}>
          {t.add}
        </Button>
      }
    >
      {full && <p className="mb-4 text-[13px] text-ink-2">{t.full(max)}</p>}
      {!data ? (
        <Loading of={{ error, refetch }} className="h-56 w-full" />
      ) : data.list.length === 0 ? (
        <Empty icon="webhook" title={t.emptyTitle} text={t.emptyText} />
      ) : (
        <ul className="flex flex-col gap-4">
          {data.list.map(endpoint => (
            <One key={endpoint.id} appid={appid} endpoint={endpoint} onOpen={what => setOpen({ what, endpoint })} />
          ))}
        </ul>
      )}
      {open?.what === 'add' && <Edit {...shared} />}
      {open?.what === 'change' && <Edit {...shared} endpoint={open.endpoint} />}
      {open?.what === 'renew' && <Renew {...shared} endpoint={open.endpoint} />}
      {open?.what === 'remove' && <Remove {...shared} endpoint={open.endpoint} />}
      {open?.what === 'secret' && <Shown made={open.made} onClose={shared.onClose} />}
    </Drawer>
  )
}

function One({ appid, endpoint, onOpen }: { appid: string; endpoint: Endpoint; onOpen(what: Act): void }) {
  const t = useMessages('endpoints')
  const names = useMessages('callbacks').events
  const test = useSubmit('POST /api/v1/user/webhook-endpoint/test', { done: t.tested })
  // Many names say less than their number.
  const eventsText = (events: readonly SelectableEvent[]) => {
    if (events.length === selectableEvents.length) return t.allEvents
    if (events.length > 6) return t.someEvents(events.length, selectableEvents.length)
    return joinList(events.map(event => names[event] ?? event))
  }
  const { id, url, description, events, enabled, previous_secret_until, created_time } = endpoint
  return (
    <li aria-label={url} className="rounded-lg border border-line">
      <div className="flex items-start justify-between gap-3 px-4 pt-3">
        <h3 className="num text-sm font-semibold break-all">{url}</h3>
        <StateText kind={enabled ? 'success' : 'closed'}>{enabled ? t.states.on : t.states.off}</StateText>
      </div>
      <div className="px-4">
        <DetailList
          rows={[
            ...(description ? [[t.note, description] as const] : []),
            [t.events, eventsText(events)],
            ...(previous_secret_until > 0
              ? [[t.oldSecretUntil, <Time key="until" seconds={previous_secret_until} />] as const]
              : []),
            [t.created, <Time key="time" seconds={created_time} />],
          ]}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3">
        <Button size="small" icon="edit" onClick={() => onOpen('change')}>
          {t.change}
        </Button>
        <Button
          size="small"
          icon="send"
          disabled={!enabled || test.isPending}
          onClick={() => test.mutate({ body: { appid, id } })}
        >
          {t.test}
        </Button>
        <Button size="small" icon="refresh" onClick={() => onOpen('renew')}>
          {t.renew}
        </Button>
        <Button size="small" icon="trash" onClick={() => onOpen('remove')}>
          {t.remove}
        </Button>
      </div>
    </li>
  )
}

interface EditProps {
  appid: string
  onClose(): void
  onSecret(made: WithSecret): void
}

interface EndpointValues {
  url: string
  description: string
  events: SelectableEvent[]
  enabled: boolean
}

/** Adds an endpoint, or changes one. */
function Edit({ appid, endpoint, onClose, onSecret }: EditProps & { endpoint?: Endpoint }) {
  const t = useMessages('endpoints')
  const common = useMessages('common')
  const applications = useMessages('applications')
  const { url = '', description = '', events = [...selectableEvents], enabled = true } = endpoint ?? {}
  return (
    <ActionForm<EndpointValues, WithSecret | null>
      title={endpoint ? t.changeTitle : t.add}
      text={endpoint ? undefined : t.addText}
      verb={endpoint ? applications.save : t.add}
      size="medium"
      proof={useProof('application')}
      refreshes={refreshes}
      onClose={onClose}
      initial={{ url, description, events, enabled }}
      fields={[
        {
          name: 'url',
          label: t.url,
          type: 'url',
          required: true,
          placeholder: 'https://',
          rule: text => !isUrl(text.trim()) && common.urlAddress,
        },
        { name: 'description', label: t.note, optional: true, maxLength: 200 },
        endpoint !== undefined && { name: 'enabled', kind: 'switch', label: t.enabled, hint: t.disabledHint },
        {
          name: 'events',
          draw: props => <CallbackEventsField {...props} hint={t.eventsHint} />,
          rule: chosen => chosen.length === 0 && applications.eventsNeeded,
        },
      ]}
      call={async (values, proof) => {
        const given = { appid, ...values, url: values.url.trim(), ...proof }
        if (endpoint) {
          await api('PUT /api/v1/user/webhook-endpoint', { body: { ...given, id: endpoint.id } })
          return null
        }
        const { enabled: _, ...body } = given
        return api('POST /api/v1/user/webhook-endpoint', { body })
      }}
      {...(endpoint && { done: t.changed })}
      onDone={made => (made ? onSecret(made) : onClose())}
    />
  )
}

function Renew({ appid, endpoint, onClose, onSecret }: EditProps & { endpoint: Endpoint }) {
  const t = useMessages('endpoints')
  return (
    <ActionForm<{ keep_seconds: KeyOverlapSeconds }, WithSecret>
      danger
      title={t.renewTitle}
      text={t.renewText(endpoint.url)}
      verb={t.renew}
      proof={useProof('application')}
      refreshes={refreshes}
      onClose={onClose}
      initial={{ keep_seconds: 86_400 }}
      fields={[
        {
          name: 'keep_seconds',
          draw: props => <KeyOverlapField {...props} legend={t.keep} />,
        },
      ]}
      call={(values, proof) =>
        api('PUT /api/v1/user/webhook-endpoint/secret', { body: { appid, id: endpoint.id, ...values, ...proof } })
      }
      onDone={onSecret}
    />
  )
}

function Remove({ appid, endpoint, onClose }: { appid: string; endpoint: Endpoint; onClose(): void }) {
  const t = useMessages('endpoints')
  return (
    <ActionForm
      danger
      title={t.removeTitle}
      text={t.removeText(endpoint.url)}
      verb={t.remove}
      proof={useProof('application')}
      refreshes={refreshes}
      onClose={onClose}
      call={(_values, proof) =>
        api('DELETE /api/v1/user/webhook-endpoint', { body: { appid, id: endpoint.id, ...proof } })
      }
      done={t.removed}
    />
  )
}

/** The secret of an endpoint, shown once. */
function Shown({ made, onClose }: { made: WithSecret; onClose(): void }) {
  const t = useMessages('endpoints')
  return (
    <ShownOnceModal
      title={t.secretTitle}
      text={t.secretText}
      stored={t.stored}
      onClose={onClose}
      secrets={
        <>
          <SecretValue name={t.url} value={made.endpoint.url} />
          <SecretValue name={t.secret} value={made.secret} />
        </>
      }
    />
  )
}
