import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type pg from 'pg'
import { all, run } from './db.ts'
import { newId } from './ids.ts'
import { PresenceLock } from './presence.ts'

/** How often (ms) a server says that it is there, and learns which others are. */
export const beatMs = 2_000
/** Seconds without a beat after which a server is taken for gone. One whose process ended is noticed at once. */
const silentSeconds = 6
/** How long (ms) after a beat a server does its share: less than others take to believe that it is gone. */
const trustedMs = 4_000
/** Seconds for which others give a new server nothing, so that one that starts and fails again moves no work. */
const settlingSeconds = 3

/** What `run` returns of work that another server does. */
export const elsewhere = Symbol('another server does this')

/** How several servers on one database divide their work: each piece has a name, and one server at a time does it. */
export interface WorkShare {
  /** The advisory lock that ends with this process. */
  presence: PresenceLock
  /** Does a piece of work if it is this server's, which keeps it until it is done. */
  run<T>(work: string, act: () => Promise<T>): Promise<T | typeof elsewhere>
  /** Whether this server should do a piece of work, whoever does it now. */
  isPreferred(work: string): boolean
  /** Leaves a piece of work to others for a time (ms), because this server cannot do it, as without a node. */
  decline(work: string, ms: number): void
}

/** The share of a process that is alone, as of a test or a command. */
export const makeWholeShare = (pool: pg.Pool): WorkShare => ({
  presence: new PresenceLock({ pool }),
  run: (_, act) => act(),
  isPreferred: () => true,
  decline: () => {},
})

// Beats are compared by the database's clock: those of processes differ.
const now = 'extract(epoch from clock_timestamp())::bigint'

/**
 * Says that a server is there, and returns it and the others that are, each with the work that it has, and who has any.
 */
const beat = all(
  'server-beat',
  `with seen as (
     insert into servers as s (id, name, presence, declined, started_at, seen_at) values ($1, $2, $3, $4, ${now}, ${now})
     on conflict (id) do update set presence = $3, declined = $4, seen_at = ${now})
   select s.id, s.declined, s.started_at <= ${now} - ${settlingSeconds} as settled,
     array(select w.work from work_leases w where w.server_id = s.id) as work,
     array(select distinct w.server_id from work_leases w) as holders
   from servers s where s.id = $1 or s.seen_at > ${now} - ${silentSeconds} and not pg_try_advisory_xact_lock(s.presence)`,
)
/**
 * Takes work that nobody has, or one of those that were gone ($3). Whoever has taken it meanwhile keeps it: a server
 * that started at the same moment was not there yet.
 */
const takeWork = all(
  'work-take',
  `insert into work_leases as l (work, server_id, since) select work, $1, ${now} from unnest($2::text[]) as work
   on conflict (work) do update set server_id = $1, since = ${now}
     where l.server_id = '' or l.server_id = any($3) returning work`,
)
const releaseWork = run(
  'work-release',
  `update work_leases set server_id = '', since = ${now} where server_id = $1 and ($2::text[] is null or work = any($2))`,
)
const forgetServer = run('server-end', 'delete from servers where id = $1')
/** Deletes servers that ended without saying so. */
export const deleteOldServers = run('servers-forget', `delete from servers where seen_at < ${now} - 86400`)

/** Lists servers that are there, with what they do: work, and chains that they follow. */
export const listServers = all(
  'servers-list',
  `select s.name, s.started_at,
     array(select w.work from work_leases w where w.server_id = s.id order by w.work) as work,
     array(select w.since from work_leases w where w.server_id = s.id order by w.work) as since,
     array(select c.id from chains c where c.leased_by = s.presence and c.leased_until > ${now} order by c.id) as chains
   from servers s where s.seen_at > ${now} - ${silentSeconds} order by s.started_at, s.id`,
)

/**
 * The highest of these numbers has the work (rendezvous hashing, Thaler and Ravishankar 1998): a server that comes or
 * goes moves its own share only.
 */
export const rankWork = (server: string, work: string): string =>
  createHash('sha256').update(`${server} ${work}`).digest('hex')

interface Other {
  id: string
  declined: string[]
}

/** The share of a server beside others. `beat` must be called every `beatMs`. */
export class ServerShare implements WorkShare {
  readonly id = newId()
  readonly presence: PresenceLock
  readonly #pool: pg.Pool
  readonly #name: string
  readonly #known = new Set<string>()
  readonly #busy = new Set<string>()
  /** Until when (monotonic ms) something is left to others. */
  readonly #declined = new Map<string, number>()
  #held = new Set<string>()
  #others: Other[] = []
  #trustedUntil = Number.NEGATIVE_INFINITY
  #next: Promise<void> | undefined

  constructor({ pool }: { pool: pg.Pool }, { port }: { port: number }) {
    this.#pool = pool
    this.presence = new PresenceLock({ pool })
    this.#name = `${hostname()}:${port}`
  }

  async run<T>(work: string, act: () => Promise<T>): Promise<T | typeof elsewhere> {
    if (!this.#known.has(work)) {
      this.#known.add(work)
      await this.beat()
    }
    if (!this.#held.has(work) || performance.now() > this.#trustedUntil) return elsewhere
    this.#busy.add(work)
    try {
      return await act()
    } finally {
      this.#busy.delete(work)
    }
  }

  isPreferred(work: string): boolean {
    const all = [{ id: this.id, declined: this.#declines(work) ? [work] : [] }, ...this.#others]
    const able = all.filter(each => !each.declined.includes(work))
    // What all decline is done by one of them all the same.
    const candidates = (able.length > 0 ? able : all).map(({ id }) => ({ id, rank: rankWork(id, work) }))
    return candidates.reduce((one, other) => (other.rank > one.rank ? other : one)).id === this.id
  }

  decline(work: string, ms: number): void {
    this.#declined.set(work, performance.now() + ms)
  }

  #declines(work: string): boolean {
    return (this.#declined.get(work) ?? Number.NEGATIVE_INFINITY) > performance.now()
  }

  /** Says that this server is there, takes what it should do, and leaves what others should. Joins one under way. */
  beat(): Promise<void> {
    this.#next ??= this.#beat().finally(() => {
      this.#next = undefined
    })
    return this.#next
  }

  async #beat(): Promise<void> {
    const startedAt = performance.now()
    const declined = [...this.#declined.keys()].filter(work => this.#declines(work))
    const rows = await beat(this.#pool, this.id, this.#name, await this.presence.key(), declined)
    const others = rows.filter(each => each.id !== this.id)
    this.#others = others.filter(each => each.settled)
    const held = new Set(rows.find(each => each.id === this.id)?.work)
    const wanted = [...this.#known].filter(work => this.isPreferred(work))
    const missing = wanted.filter(work => !held.has(work))
    const there = rows.map(each => each.id)
    const gone = (rows[0]?.holders ?? []).filter(id => !there.includes(id))
    if (missing.length > 0) for (const { work } of await takeWork(this.#pool, this.id, missing, gone)) held.add(work)
    const surplus = [...held].filter(work => !wanted.includes(work) && !this.#busy.has(work))
    // Before it is free for others.
    for (const work of surplus) held.delete(work)
    this.#held = held
    this.#trustedUntil = startedAt + trustedMs
    if (surplus.length > 0) await releaseWork(this.#pool, this.id, surplus)
  }

  /** Leaves everything to others at once. */
  async end(): Promise<void> {
    await this.#next?.catch(() => {})
    this.#held = new Set()
    this.#trustedUntil = Number.NEGATIVE_INFINITY
    await releaseWork(this.#pool, this.id, null).catch(() => {})
    await forgetServer(this.#pool, this.id).catch(() => {})
    await this.presence.end()
  }
}
