import type { RouteDefinition, RouteKey } from '@coffer/contract'
import type { FastifyInstance } from 'fastify'
import type { CallbackProtocols } from './callback-form.ts'
import type { Deps } from './deps.ts'
import type { RouteHandlers } from './http/context.ts'
import type { RefusalForms } from './http/wall.ts'
import type { LoopOptions } from './kit/loop.ts'
import type { OutgoingOwners } from './owner.ts'

/** A job that is repeated, or one that runs until the signal of the server aborts. */
export type Job =
  | (Pick<LoopOptions, 'name' | 'everyMs' | 'work'> & {
      /** Whether every server runs it for itself; by default one does, for all. */
      isEverywhere?: boolean
    })
  | Promise<void>

/**
 * The parts of a domain that the server uses. Its front file, `domain.ts`, exports them by default, and `serve.ts`
 * lists it.
 */
interface Domain<Key extends RouteKey> {
  /** The areas of the contract that the domain serves, and one handler for each of their routes. */
  routes: Record<Key, RouteDefinition>
  handlers: RouteHandlers<Key>
  /** Starts the background jobs, on connections of their own. */
  jobs?: (deps: Deps, signal: AbortSignal, owners: OutgoingOwners, forms: CallbackProtocols) => Job[]
  /** What moves with outgoing transactions. */
  owners?: (deps: Deps) => OutgoingOwners
  /** Forms of callbacks, by name. */
  callbackForms?: CallbackProtocols
  /** Sets the gauges that are read from the database. */
  updateMetrics?: (deps: Deps) => Promise<void>
  /** Deletes expired rows, once an hour. */
  deleteExpired?: (deps: Deps) => Promise<unknown>
  /** Prepares the database before the server listens. */
  prepare?: (deps: Deps) => Promise<unknown>
  /** How its routes outside the contract say that they refuse, by the names in `http/doors.ts`. */
  refusalForms?: Partial<RefusalForms>
  /** Mounts routes outside the contract. Each has a row in `http/doors.ts`. */
  mount?: (app: FastifyInstance, deps: Deps) => void
}

/** Declares the front of a domain. A route without a handler is a compile error at its `handlers`. */
export const defineDomain = <Key extends RouteKey = never>(domain: Domain<Key>): Domain<Key> => domain
