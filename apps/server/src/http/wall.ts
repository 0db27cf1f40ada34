import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Gate } from '../kit/gate.ts'
import { Refusal } from '../kit/refusal.ts'
import { networkKey } from '../kit/visitor.ts'
import { findRoutePolicy, type RoutePolicies, type RoutePolicy } from './doors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    door?: RoutePolicy
  }
  interface FastifyInstance {
    /** Every route that is mounted, in order, with its row. */
    doors: { method: string; url: string; door: RoutePolicy }[]
    refusalForms: Partial<RefusalForms>
    /** Places for what strangers ask at once. */
    gates: Gates
  }
}

/** Answers an error in one form. */
export type RefusalForm = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply
export type RefusalForms = Record<RoutePolicy['refusal'], RefusalForm>

/*
 * Four limits, each of something else. The rate limit of fastify (`app.ts`): requests of an address in a minute, before
 * any is read. A `Gate`: what runs at once, per caller and in all; the rest waits its turn (strangers here, sessions,
 * keys and merchants in `mount.ts`, connected shops, password hashes). A `RateLimiter`: calls of a known caller in a
 * time, counted in this process (keys, connected shops and their repeated orders, lookups of receivers). `throttle`:
 * actions whose number is itself a risk, counted in the database for all servers (guesses, codes, mails, links).
 */

/** How many requests an address may send in a time, outside the sandbox. */
export const ipRateLimit = { max: 1_200, seconds: 60 } as const

/**
 * How long a request waits behind others of its caller, and how many may wait: a key's burst (`keyRate`) sent at once
 * fits.
 */
export const gateQueueLimits = { waitMs: 10_000, waitingMax: 1_000 }

/**
 * Places of strangers at once: of one network (`max`), and of all. Most connections to the database stay with
 * merchants, and networks take turns. Payers and shops wait for no sign-ins.
 */
export const anonymousConcurrencyLimits = {
  payers: { max: 3, all: 6 },
  shops: { max: 3, all: 6 },
  strangers: { max: 2, all: 4 },
}
const makeGates = () => ({
  payers: new Gate({ ...anonymousConcurrencyLimits.payers, allWaiting: 2_000, ...gateQueueLimits }),
  shops: new Gate({ ...anonymousConcurrencyLimits.shops, allWaiting: 2_000, ...gateQueueLimits }),
  strangers: new Gate({ ...anonymousConcurrencyLimits.strangers, allWaiting: 2_000, ...gateQueueLimits }),
})
type Gates = ReturnType<typeof makeGates>

const caching: Record<RoutePolicy['cached'], string> = {
  never: 'no-store',
  revalidated: 'no-cache',
  minutes: 'max-age=300',
  day: 'public, max-age=86400',
  'for ever': 'public, max-age=31536000, immutable',
}

/**
 * Carries out a table: every route that is mounted from now on gets what its row says, and one without a row ends the
 * start.
 */
export function enforceRoutePolicies(
  app: FastifyInstance,
  doors: RoutePolicies,
  forms: Partial<RefusalForms>,
  inSandbox: boolean,
): void {
  app.decorate('doors', [])
  app.decorate('refusalForms', forms)
  app.decorate('gates', makeGates())
  app.addHook('onRoute', route => {
    for (const method of [route.method].flat()) {
      const door = findRoutePolicy(doors, method, route.url)
      if (!door || (door.sandbox && !inSandbox))
        throw new Error(`${method} ${route.url} is served and has no row in http/doors.ts: add one`)
      app.doors.push({ method, url: route.url, door })
      route.bodyLimit = Math.max(door.body, 1)
      const form = forms[door.refusal]
      if (!form) throw new Error(`${method} ${route.url} has a form of refusal that nobody wrote: ${door.refusal}`)
      route.errorHandler = form
      route.config = { ...route.config, door }
    }
  })
  app.addHook('onRequest', async (request, reply) => {
    const { door } = request.routeOptions.config
    reply.header('cache-control', caching[door?.cached ?? 'never'])
    if (door) refuseLarge(request, door)
  })
  app.addHook('preValidation', async request => mustBeReadable(request))
  app.addHook('preHandler', async (request, reply) => {
    const share = request.routeOptions.config.door?.share ?? 'none'
    if (share === 'none' || share === 'caller') return
    const leave = await app.gates[share].enter(networkKey(request.ip))
    if (reply.raw.closed) leave()
    else reply.raw.once('close', leave)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.config.door?.framed !== 'by allowed origins') forbidFrames(reply)
    return payload
  })
}

/**
 * Refuses a body by its stated length before any of it is read. Forms in parts are read as they come, so that one
 * without a length, which no browser sends, is refused too.
 */
function refuseLarge({ headers }: FastifyRequest, { body }: RoutePolicy): void {
  const length = headers['content-length']
  const isInParts =
    headers['content-type']?.trim().toLowerCase().startsWith('multipart/') && headers['transfer-encoding'] !== undefined
  if (Number(length ?? 0) > body || isInParts) throw new Refusal('body_too_large')
}

/**
 * No path and no query means a NUL or a half of a character, which can neither be stored nor compared. Contracts say so
 * themselves.
 */
function mustBeReadable({ params, query, routeOptions }: FastifyRequest): void {
  if (routeOptions.config.door?.hasContract) return
  const isOdd = (value: unknown) => typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())
  if (Object.values((params ?? {}) as object).some(isOdd)) throw new Refusal('not_found')
  for (const [name, value] of Object.entries((query ?? {}) as object))
    if (isOdd(name) || [value].flat().some(isOdd)) throw new Refusal('parameter_error', { field: 'query' })
}

function forbidFrames(reply: FastifyReply): void {
  reply.header('x-frame-options', 'DENY')
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  if (!policy.includes('frame-ancestors'))
    reply.header('content-security-policy', [policy, "frame-ancestors 'none'"].filter(Boolean).join('; '))
}
