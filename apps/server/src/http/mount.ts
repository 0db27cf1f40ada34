import { type Auth, type RouteDefinition, type RouteKey, routes } from '@coffer/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { onlyOnce } from '../commands/only-once.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { authenticate } from './auth.ts'
import type { Handlers, KeyHolder, Session } from './context.ts'
import { languageOf } from './errors.ts'

/** Puts every route of the contract on the server: who asks, parse, handler, envelope. */
export function mount(app: FastifyInstance, deps: Deps, handlers: Handlers): void {
  for (const [key, route] of Object.entries(routes) as [RouteKey, RouteDefinition][]) {
    const [method = '', url = ''] = key.split(' ')
    // The table types each handler by its own key; here they are run alike.
    const handler = handlers[key] as (context: object) => Promise<unknown>
    app.route({ method, url, handler: (request, reply) => run(deps, key, route, handler, request, reply) })
  }
}

async function run(
  deps: Deps,
  key: RouteKey,
  route: RouteDefinition,
  handler: (context: object) => Promise<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const caller = await authenticate(deps, route.auth, request)
  const given = request.body ?? undefined
  const context = {
    deps,
    ...caller,
    query: route.query?.parse(request.query ?? {}),
    params: route.params?.parse(request.params ?? {}),
    body: route.kind === 'multipart' ? undefined : route.body?.parse(given),
    language: languageOf(request),
    ip: request.ip,
    device: String(request.headers['user-agent'] ?? '').slice(0, 300),
    idempotencyKey: idempotencyKey(request),
    request,
    reply,
  }
  const work = () => handler(context)
  const scope = scopeOf(route.auth, caller)
  const data =
    route.submission && context.idempotencyKey && scope
      ? await onlyOnce(deps, `${scope} ${key}`, context.idempotencyKey, [context.params, given], work)
      : await work()
  if (route.kind === 'file' || route.kind === 'events') return reply
  return { code: 200, data }
}

function scopeOf(auth: Auth, caller: { session?: Session; holder?: KeyHolder }): string | undefined {
  if (auth === 'token') return caller.session?.merchantId
  if (auth === 'key') return caller.holder?.appid
  return undefined
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7E]{1,255}$/.test(key))
    throw new Refusal('parameter_error', { field: 'Idempotency-Key' })
  return key
}
