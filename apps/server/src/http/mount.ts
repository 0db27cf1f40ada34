import { type RouteDefinition, type RouteKey, routes } from '@coffer/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { languageOf } from '../kit/language.ts'
import { Refusal } from '../kit/refusal.ts'
import { authenticate, type Callers } from './auth.ts'
import type { Handlers, KeyHolder, Session } from './context.ts'
import { onlyOnce, visitorScope } from './idempotency.ts'

/** Puts every route of the contract on the server: who asks, parse, handler, envelope. */
export function mount(app: FastifyInstance, deps: Deps, handlers: Handlers, callers: Callers): void {
  for (const [key, route] of Object.entries(routes) as [RouteKey, RouteDefinition][]) {
    const [method = '', url = ''] = key.split(' ')
    // The table types each handler by its own key; here they are run alike.
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
    return {
      deps,
      ...caller,
      query: route.query?.parse(request.query ?? {}),
      params: route.params?.parse(request.params ?? {}),
      body: route.kind === 'multipart' ? undefined : route.body?.parse(request.body ?? undefined),
      language: languageOf(request),
      ip: request.ip,
      device: String(request.headers['user-agent'] ?? '').slice(0, 300),
      idempotencyKey: click,
      request,
      reply,
    }
  }
  const click = idempotencyKey(request)
  // A pending token is dead once its sign-in succeeded: a repeat must find the first answer before it is looked up.
  const ready = route.auth === 'pending' ? undefined : await prepare()
  // It must have the form of a request all the same before anything is made of it.
  if (!ready) route.body?.parse(request.body ?? undefined)
  const work = async () => handler(ready ?? (await prepare()))
  const data =
    route.submission && click
      ? await onlyOnce(
          deps,
          `${scopeOf(ready ?? {}, request)} ${key}`,
          click,
          [request.params, request.body ?? null],
          work,
        )
      : await work()
  if (route.kind === 'file' || route.kind === 'events') return reply
  return { code: 200, data }
}

/** Whose keys these are. Before anybody is signed in: a browser's, by its name for itself and the token it shows. */
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
