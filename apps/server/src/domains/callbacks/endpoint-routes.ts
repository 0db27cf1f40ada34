import type { Data } from '@coffer/contract'
import { chosenEvents } from '@coffer/contract/codes.ts'
import { defineHandlers, type KeyHolder, noData, type Session } from '../../http/context.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { type Endpoint, listEndpoints } from '../applications/endpoint-store.ts'
import {
  addEndpoint,
  changeEndpoint,
  type EndpointChange,
  removeEndpoint,
  renewEndpoint,
} from '../applications/endpoints.ts'
import { sendTestCallback } from './send-test-callback.ts'

/** Handlers for a merchant's server: a key manages the webhook endpoints of its own application. */
export const endpointKeyHandlers = defineHandlers({
  'GET /api/v1/pay/webhook-endpoints': async ({ deps, holder: { merchantId, appid } }) => {
    const rows = await listEndpoints(deps.pool, merchantId, appid)
    return { list: rows.map(row => present(row, deps.clock())) }
  },

  'POST /api/v1/pay/webhook-endpoints': async context => {
    const { row, secret } = await addEndpoint(context.deps, { ...byKey(context), ...context.body })
    return { endpoint: present(row, context.deps.clock()), secret }
  },

  'POST /api/v1/pay/webhook-endpoints/:id': async context => {
    const { deps, params, body } = context
    return present(await changeEndpoint(deps, { ...byKey(context), id: params.id, changes: body }), deps.clock())
  },

  'POST /api/v1/pay/webhook-endpoints/:id/renew': async context => {
    const { deps, params, body } = context
    const keepSeconds = body?.keep_seconds
    const { row, secret } = await renewEndpoint(deps, { ...byKey(context), id: params.id, keepSeconds })
    return { endpoint: present(row, deps.clock()), secret }
  },

  'POST /api/v1/pay/webhook-endpoints/:id/test': ({ deps, holder: { merchantId, appid }, params }) =>
    sendTestCallback(deps, { merchantId, appid, endpoint: params.id }),

  'POST /api/v1/pay/webhook-endpoints/:id/remove': async context => {
    await removeEndpoint(context.deps, { ...byKey(context), id: context.params.id })
    return {}
  },
})

/** Back-office handlers for the webhook endpoints of an application. */
export const endpointHandlers = defineHandlers({
  'GET /api/v1/user/webhook-endpoint/list': async ({ deps, session, query: { appid } }) => {
    const rows = await listEndpoints(deps.pool, session.merchantId, appid)
    return { list: rows.map(row => present(row, deps.clock())) }
  },

  'POST /api/v1/user/webhook-endpoint': async context => {
    const { deps, body } = context
    const { row, secret } = await addEndpoint(deps, { ...body, ...byPerson(context) })
    return { endpoint: present(row, deps.clock()), secret }
  },

  'PUT /api/v1/user/webhook-endpoint': async context => {
    const { deps, body } = context
    const { appid: _, proof: __, id, ...changes } = body
    return present(await changeEndpoint(deps, { ...byPerson(context), id, changes }), deps.clock())
  },

  'PUT /api/v1/user/webhook-endpoint/secret': async context => {
    const { deps, body } = context
    const change = { ...byPerson(context), id: body.id, keepSeconds: body.keep_seconds }
    const { row, secret } = await renewEndpoint(deps, change)
    return { endpoint: present(row, deps.clock()), secret }
  },

  'POST /api/v1/user/webhook-endpoint/test': ({ deps, session: { merchantId }, body: { appid, id } }) =>
    sendTestCallback(deps, { merchantId, appid, endpoint: id }),

  'DELETE /api/v1/user/webhook-endpoint': async context =>
    noData(removeEndpoint(context.deps, { ...byPerson(context), id: context.body.id })),
})

const byPerson = <P>(context: { session: Session; body: { appid: string; proof?: P } } & Visitor) => {
  const { appid, proof } = context.body
  return { merchantId: context.session.merchantId, appid, from: context, person: { proof } }
}

const byKey = (context: { holder: KeyHolder } & Visitor): EndpointChange => {
  const { merchantId, appid } = context.holder
  return { merchantId, appid, from: context }
}

/** `now` is in unix seconds: a replaced secret is shown while it signs. */
const present = (row: Endpoint, now: number): Data<'POST /api/v1/pay/webhook-endpoints/:id'> => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: chosenEvents.filter(event => !row.muted.includes(event)),
  enabled: row.enabled,
  previous_secret_until: row.previous_until > now ? row.previous_until : 0,
  created_time: row.created_at,
})
