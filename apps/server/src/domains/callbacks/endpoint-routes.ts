import type { RouteData } from '@coffer/contract'
import { selectableEvents } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { type CallingKey, defineHandlers, type Session, toEmptyAnswer } from '../../http/context.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { listEndpoints, type StoredEndpoint } from '../applications/endpoint-store.ts'
import {
  addEndpoint,
  changeEndpoint,
  type EndpointChange,
  removeEndpoint,
  rotateEndpointSecret,
} from '../applications/endpoints.ts'
import { sendTestCallback } from './send-test-callback.ts'

/** Handlers for a merchant's server: a key manages the webhook endpoints of its own application. */
export const endpointKeyHandlers = defineHandlers({
  'GET /api/v1/pay/webhook-endpoints': async ({ deps, holder: { merchantId, appid } }) => {
    return listed(deps, merchantId, appid)
  },

  'POST /api/v1/pay/webhook-endpoints': async context => {
    const { deps, body } = context
    return withSecret(deps, await addEndpoint(deps, { ...byKey(context), ...body }))
  },

  'POST /api/v1/pay/webhook-endpoints/:id': async context => {
    const { deps, params, body } = context
    return present(await changeEndpoint(deps, { ...byKey(context), id: params.id, changes: body }), deps.clock())
  },

  'POST /api/v1/pay/webhook-endpoints/:id/renew': async context => {
    const { deps, params, body } = context
    const keepSeconds = body?.keep_seconds
    return withSecret(deps, await rotateEndpointSecret(deps, { ...byKey(context), id: params.id, keepSeconds }))
  },

  'POST /api/v1/pay/webhook-endpoints/:id/test': ({ deps, holder: { merchantId, appid, recheck }, params }) =>
    sendTestCallback(deps, { merchantId, appid, endpoint: params.id, recheck }),

  'POST /api/v1/pay/webhook-endpoints/:id/remove': async context => {
    await removeEndpoint(context.deps, { ...byKey(context), id: context.params.id })
    return {}
  },
})

/** Back-office handlers for the webhook endpoints of an application. */
export const endpointHandlers = defineHandlers({
  'GET /api/v1/user/webhook-endpoint/list': async ({ deps, session, query: { appid } }) => {
    return listed(deps, session.merchantId, appid)
  },

  'POST /api/v1/user/webhook-endpoint': async context => {
    const { deps, body } = context
    return withSecret(deps, await addEndpoint(deps, { ...body, ...byPerson(context) }))
  },

  'PUT /api/v1/user/webhook-endpoint': async context => {
    const { deps, body } = context
    const { appid: _, proof: __, id, ...changes } = body
    return present(await changeEndpoint(deps, { ...byPerson(context), id, changes }), deps.clock())
  },

  'PUT /api/v1/user/webhook-endpoint/secret': async context => {
    const { deps, body } = context
    const change = { ...byPerson(context), id: body.id, keepSeconds: body.keep_seconds }
    return withSecret(deps, await rotateEndpointSecret(deps, change))
  },

  'POST /api/v1/user/webhook-endpoint/test': ({ deps, session: { merchantId }, body: { appid, id } }) =>
    sendTestCallback(deps, { merchantId, appid, endpoint: id }),

  'DELETE /api/v1/user/webhook-endpoint': async context =>
    toEmptyAnswer(removeEndpoint(context.deps, { ...byPerson(context), id: context.body.id })),
})

const byPerson = <P>(context: { session: Session; body: { appid: string; proof?: P } } & Visitor) => {
  const { appid, proof } = context.body
  return { merchantId: context.session.merchantId, appid, from: context, person: { proof } }
}

const byKey = (context: { holder: CallingKey } & Visitor): EndpointChange => {
  const { merchantId, appid, recheck } = context.holder
  return { merchantId, appid, from: context, recheck }
}

const listed = async ({ pool, clock }: Deps, merchantId: string, appid: string) => ({
  list: (await listEndpoints(pool, merchantId, appid)).map(row => present(row, clock())),
})

const withSecret = ({ clock }: Deps, { row, secret }: { row: StoredEndpoint; secret: string }) => ({
  endpoint: present(row, clock()),
  secret,
})

/** `now` is in unix seconds: a replaced secret is shown while it signs. */
const present = (row: StoredEndpoint, now: number): RouteData<'POST /api/v1/pay/webhook-endpoints/:id'> => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: selectableEvents.filter(event => !row.muted.includes(event)),
  enabled: row.enabled,
  previous_secret_until: row.previous_until > now ? row.previous_until : 0,
  created_time: row.created_at,
})
