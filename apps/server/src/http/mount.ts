import { type RouteDefinition, type RouteKey, routes } from '@coffer/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { languageOf } from '../kit/language.ts'
import { Refusal } from '../kit/refusal.ts'
import { authenticate, type Callers } from './auth.ts'
import type { Handlers, KeyHolder, Session } from './context.ts'
import { readDevice } from './device-cookie.ts'
import { onlyOnce, visitorScope } from './idempotency.ts'

/** Mounts every route of the contract: authentication, parsing, idempotency, handler, envelope. */
export function mount(app: FastifyInstance, deps: Deps, handlers: Handlers, callers: Callers): void {
  for (const [key, route] of Object.entries(routes) as [RouteKey, RouteDefinition][]) {
    const [method = '', url = ''] = key.split(' ')
    // The table types each handler by its key; here they are called uniformly.
    const handler = handlers[key] as (context: object) => Promise<unknown>
    app.route({ method, url, handler: (request, reply) => run(deps, callers, key, route, handler, request, reply) })
  }
}

async function run(
  deps: Deps,
  callers: Callers,
  key: RouteKey,
  route: RouteDefinition,
  handler: (context: object) => Promise<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const prepare = async () => {
    const caller = await authenticate(deps, callers, route.auth, request)
    request.account = (caller.session ?? caller.holder)?.merchantId ?? ''
    return {
      deps,
      ...caller,
      query: route.query?.parse(request.query ?? {}),
      params: route.params?.parse(request.params ?? {}),
      body: route.kind === 'multipart' ? undefined : route.body?.parse(request.body ?? undefined),
      language: languageOf(request),
      ip: request.ip,
      device: String(request.headers['user-agent'] ?? '').slice(0, 300),
      deviceToken: readDevice(deps, request),
      idempotencyKey: clientKey,
      request,
      reply,
    }
  }
  const clientKey = idempotencyKey(request)
  // A pending token is invalid once its sign-in has succeeded: a retry must find the stored answer without it.
  const ready = route.auth === 'pending' ? undefined : await prepare()
  // The body is validated first in any case.
  if (!ready) route.body?.parse(request.body ?? undefined)
  const work = async () => handler(ready ?? (await prepare()))
  const data =
    route.submission && clientKey
      ? await onlyOnce(
          deps,
          `${scopeOf(ready ?? {}, request)} ${key}`,
          clientKey,
          [request.params, request.body ?? null],
          work,
        )
      : await work()
  if (route.kind === 'file' || route.kind === 'events') return reply
  return { code: 200, data }
}

/** Scope of idempotency keys: the merchant or application, or for anonymous clients their user agent and token. */
function scopeOf({ session, holder }: { session?: Session; holder?: KeyHolder }, request: FastifyRequest): string {
  const known = session?.merchantId ?? holder?.appid
  if (known !== undefined) return known
  const { 'user-agent': device, 'x-token': token } = request.headers
  return visitorScope(`${String(device)} ${String(token)}`)
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7E]{1,255}$/.test(key))
    throw new Refusal('parameter_error', { field: 'Idempotency-Key' })
  return key
}
