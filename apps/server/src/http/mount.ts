import { needsIdempotencyKey, type RouteDefinition, type RouteKey } from '@coffer/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { Gate } from '../kit/gate.ts'
import { languageOf } from '../kit/language.ts'
import { Refusal } from '../kit/refusal.ts'
import type { Replica } from '../kit/replica.ts'
import { hashSecret } from '../kit/secrets.ts'
import { timeZoneOf } from '../kit/time-zone.ts'
import { networkKey } from '../kit/visitor.ts'
import type { Caller } from './auth.ts'
import type { Session } from './context.ts'
import { readDevice } from './device-cookie.ts'
import { runOncePerIdempotencyKey, visitorScope } from './idempotency.ts'
import { gateQueueLimits } from './wall.ts'

/**
 * Requests that run at once per token or key, and per merchant, so that no caller takes more than a part of the
 * database connections. Event streams and exports hold none while they last, and have limits of their own.
 */
const makeGates = () => ({
  // A page of the back-office makes fewer calls at once than make a crowd.
  tokens: new Gate({ max: 2, crowd: 16, ...gateQueueLimits }),
  keys: new Gate({ max: 3, ...gateQueueLimits }),
  merchants: new Gate({ max: 4, ...gateQueueLimits }),
})

/** A table of routes with one handler each. */
export interface MountedRoutes {
  routes: Record<string, RouteDefinition>
  /** The table of the handlers types each by its key; here they are called uniformly. */
  handlers: object
  /** Finds who sent a request. Throws Refusal unless they may make this call. */
  authenticate: (key: string, route: RouteDefinition, request: FastifyRequest) => Promise<Caller>
}

/** Submissions that find by a number, or by the Idempotency-Key, what they made before. */
const foundAgain: ReadonlySet<string> = new Set<RouteKey>([
  'POST /api/v1/pay/orders',
  'POST /api/v1/pay/withdrawals',
  'POST /api/v1/pay/refunds',
  'POST /api/v1/pay/refund-links',
  'POST /api/v1/account/internal-transfer',
])

type Handler = (context: object) => Promise<unknown>

/** Mounts every route of a table: authentication, parsing, fair turns, idempotency, handler, envelope. */
export function mountRoutes(app: FastifyInstance, deps: Deps, mounted: MountedRoutes): void {
  const gates = makeGates()
  const { authenticate, door } = admit(app.gates.strangers, mounted.authenticate)
  for (const [key, route] of Object.entries(mounted.routes)) {
    const [method = '', url = ''] = key.split(' ')
    const handler = (mounted.handlers as Record<string, Handler>)[key]!
    const isOpen = route.auth === 'public' || route.auth === 'pending'
    const lasts = route.kind === 'events' || route.kind === 'file'
    app.route({
      method,
      url,
      ...(!isOpen && {
        preParsing: async request => {
          await door(key, route, request).catch(error => {
            if (!mayRepeat(route, request, error)) throw error
          })
        },
      }),
      config: { forPeople: route.docs === undefined },
      handler: async (request, reply) => {
        const leaves: (() => void)[] = []
        const enter: Enter = async (gate, caller) => {
          if (caller) leaves.push(await gates[gate].enter(caller))
        }
        const leave = () => {
          for (const each of leaves.splice(0)) each()
        }
        // Streams and exports have limits of their own while they last: they take a place until their caller is known.
        const begin: Handler = async context => {
          leave()
          return handler(context)
        }
        const { replica } = deps
        const work = lasts ? begin : route.replica && replica ? readBy(deps, replica, handler) : handler
        try {
          await enter('keys', request.headers.authorization)
          await enter('tokens', request.headers['x-token']?.toString())
          return await run(deps, authenticate, key, route, work, request, reply, enter)
        } finally {
          leave()
        }
      },
    })
  }
}

/** Lets a handler read the replica, and the primary if that cannot be. */
const readBy =
  (deps: Deps, replica: Replica, handler: Handler): Handler =>
  async context => {
    const found = await replica.read(pool => handler({ ...context, deps: { ...deps, pool } }))
    return found ? found.value : handler(context)
  }

/** How many tokens and keys that were valid are remembered. */
const knownMax = 20_000

/**
 * Authenticates requests. A token or key that was not valid before takes a place of strangers meanwhile, and is refused
 * at the `door`, before the body is read: anybody can invent one. One that was valid waits for no strangers, only for
 * its own turn.
 */
function admit(strangers: Gate, find: MountedRoutes['authenticate']) {
  const known = new Set<string>()
  const found = new WeakMap<FastifyRequest, Caller>()
  const credentialOf = ({ headers }: FastifyRequest) => {
    const given = headers.authorization ?? headers['x-token']
    return given ? hashSecret(String(given)).toString('base64') : ''
  }
  const authenticate: MountedRoutes['authenticate'] = async (key, route, request) =>
    // A body can take longer to arrive than its sender is still allowed to send it.
    (request.body == null ? found.get(request) : undefined) ??
    find(key, route, request).catch(error => {
      if (error instanceof Refusal && isUnknown.has(error.reason)) known.delete(credentialOf(request))
      throw error
    })
  const door = async (key: string, route: RouteDefinition, request: FastifyRequest) => {
    const credential = credentialOf(request)
    if (known.has(credential)) return
    const search = () => find(key, route, request)
    // What is missing is looked up nowhere.
    found.set(request, await (credential === '' ? search() : strangers.run(networkKey(request.ip), search)))
    known.add(credential)
    if (known.size > knownMax) known.delete(known.values().next().value!)
  }
  return { authenticate, door }
}

const isUnknown = new Set(['login_expired', 'bad_key'])

/** Whether the token of a call has ended because the call succeeded: a retry finds the stored answer without it. */
const mayRepeat = (route: RouteDefinition, request: FastifyRequest, error: unknown): boolean =>
  route.endsToken === true &&
  idempotencyKey(request) !== undefined &&
  error instanceof Refusal &&
  error.reason === 'login_expired'

type Enter = (gate: keyof ReturnType<typeof makeGates>, caller: string | undefined) => Promise<void>

/** Issues then hold the refused value, whose type a message names. */
const withInput = { reportInput: true }

async function run(
  deps: Deps,
  authenticate: MountedRoutes['authenticate'],
  key: string,
  route: RouteDefinition,
  handler: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
  enter: Enter,
) {
  const prepare = async () => {
    const caller = await authenticate(key, route, request)
    const merchantId = (caller.session ?? caller.holder)?.merchantId
    request.account = merchantId ?? caller.operator?.email ?? ''
    await enter('merchants', merchantId)
    return {
      deps,
      ...caller,
      query: route.query?.parse(request.query ?? {}, withInput),
      params: route.params?.parse(request.params ?? {}, withInput),
      body: route.kind === 'multipart' ? undefined : route.body?.parse(request.body ?? undefined, withInput),
      language: languageOf(request),
      timeZone: timeZoneOf(request),
      ip: request.ip,
      device: String(request.headers['user-agent'] ?? '').slice(0, 300),
      deviceToken: readDevice(deps, request),
      work: String(request.headers['x-work'] ?? '').slice(0, 4_000),
      idempotencyKey: clientKey,
      request,
      reply,
    }
  }
  const clientKey = idempotencyKey(request)
  // A pending token, and one that the call replaces, is invalid once the request has succeeded: a retry must find the
  // stored answer without it.
  const ready =
    route.auth === 'pending'
      ? undefined
      : await prepare().catch(error => {
          if (mayRepeat(route, request, error)) return undefined
          throw error
        })
  // The body is validated first in any case.
  if (route.auth === 'pending') route.body?.parse(request.body ?? undefined, withInput)
  const work = async () => handler(ready ?? (await prepare()))
  const data =
    clientKey && needsIdempotencyKey(key, route)
      ? await runOncePerIdempotencyKey(
          deps,
          `${scopeOf((!route.endsToken && ready) || {}, request)} ${key}`,
          clientKey,
          [request.params, request.body ?? null],
          work,
          { findsAgain: foundAgain.has(key) },
        )
      : await work()
  if (route.kind === 'file' || route.kind === 'picture' || route.kind === 'events') return reply
  return { code: 200, data }
}

/**
 * Scope of idempotency keys: the member, application or operator, or for anonymous clients their user agent and token.
 */
function scopeOf({ session, holder, operator }: Caller, request: FastifyRequest): string {
  const known = (session && memberScope(session)) ?? holder?.appid ?? operator?.operatorId
  if (known !== undefined) return known
  const { 'user-agent': device, 'x-token': token } = request.headers
  return visitorScope(`${String(device)} ${String(token)}`)
}

/** The id of a shop for whoever opened it, as before there were other members; for others with their own. */
const memberScope = ({ merchantId, personId }: Session): string =>
  personId === merchantId ? merchantId : `${merchantId} ${personId}`

const keyAllowed = {
  en: 'Idempotency-Key: 1 to 255 printable ASCII characters without spaces',
  'zh-CN': 'Idempotency-Key：1 至 255 个可打印 ASCII 字符，不含空格',
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7E]{1,255}$/.test(key))
    throw new Refusal('parameter_error', { field: 'Idempotency-Key', detail: keyAllowed })
  return key
}
