import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { emptyDatabase, prepareToEmpty, type SchemaState } from './empty-database.ts'
import { LastingClient, socketOf } from './lasting-client.ts'
import { type Scope, type Template, type TestDatabase, withPostgres } from './postgres.ts'

/** A database for one test. `pool` opens a pool whose sessions start with these options of the server. */
type WarmDatabase = { url: string; pool: (max: number, options?: string) => pg.Pool }

/** Databases that no test uses now, by the key of their template. */
const spares = new Map<string, Spare[]>()

/**
 * Takes a database as the template left it: one that an earlier test of this process has used, emptied, else a new
 * copy. Its connections stay open with it. When the scope ends, its pools end and the database waits for the next test.
 * It is dropped if its schema was changed or something is still connected to it, else when the process ends.
 */
export async function withWarmPostgres(scope: Scope, template: Template): Promise<WarmDatabase> {
  const spare = (await takeSpare(template.key)) ?? (await Spare.create(template))
  const pools: pg.Pool[] = []
  scope.after(async () => {
    await Promise.all(pools.map(pool => pool.end()))
    giveBack(template.key, spare)
  })
  const pool: WarmDatabase['pool'] = (max, options) => {
    const made = spare.pool(max, options)
    pools.push(made)
    return made
  }
  return { url: spare.url, pool }
}

async function takeSpare(key: string): Promise<Spare | undefined> {
  for (;;) {
    const spare = spares.get(key)?.pop()
    if (!spare || (await spare.empty())) return spare
    await spare.close()
  }
}

function giveBack(key: string, spare: Spare): void {
  if (spares.size === 0) process.on('beforeExit', closeSpares)
  spares.set(key, [...(spares.get(key) ?? []), spare])
}

async function closeSpares(): Promise<void> {
  const all = [...spares.values()].flatMap(some => some.splice(0))
  await Promise.all(all.map(spare => spare.close()))
}

/** A database that one test uses after the other. */
class Spare {
  readonly url: string
  readonly #database: TestDatabase
  /** A session of the owner, which empties the database. */
  readonly #keeper: pg.Client
  /** Undefined when it cannot be emptied. */
  #schema: SchemaState | undefined
  /** Clients without a pool, by their options. */
  readonly #idle = new Map<string, LastingClient[]>()
  readonly #returning = new Set<Promise<void>>()

  private constructor(database: TestDatabase, keeper: pg.Client, schema: SchemaState | undefined) {
    this.url = database.url
    this.#database = database
    this.#keeper = keeper
    this.#schema = schema
  }

  static async create(template: Template): Promise<Spare> {
    const database = await withPostgres({ after: () => {} }, template)
    const keeper = new pg.Client(database.config)
    keeper.on('error', () => {})
    await keeper.connect()
    const schema = await prepareToEmpty(keeper)
    socketOf(keeper).unref()
    return new Spare(database, keeper, schema)
  }

  pool(max: number, options = ''): pg.Pool {
    const idle = this.#idle.get(options) ?? []
    this.#idle.set(options, idle)
    const keep = (reset: Promise<LastingClient | undefined>) => {
      const returned = reset.then(client => {
        if (client) idle.push(client)
        this.#returning.delete(returned)
      })
      this.#returning.add(returned)
    }
    const next = (settings: pg.ClientConfig) => {
      for (let client = idle.pop(); client; client = idle.pop()) {
        client.pool = pool
        if (!client.isLost) return client
      }
      return new LastingClient(settings, pool, keep)
    }
    const Client = new Proxy(pg.Client, { construct: (_, [settings]) => next(settings) })
    const pool = new pg.Pool({ connectionString: this.url, max, options, Client })
    return pool
  }

  /** Deletes what a test has left. Returns false when the database cannot be used again. */
  async empty(): Promise<boolean> {
    await Promise.all(this.#returning)
    socketOf(this.#keeper).ref()
    try {
      if (this.#schema && (await this.#isAlone())) this.#schema = await emptyDatabase(this.#keeper, this.#schema)
      else this.#schema = undefined
      return this.#schema !== undefined
    } catch {
      return false
    } finally {
      socketOf(this.#keeper).unref()
    }
  }

  /** Whether nothing else is connected, after what is just closing has closed. */
  async #isAlone(): Promise<boolean> {
    const own = 1 + [...this.#idle.values()].flat().filter(client => !client.isLost).length
    for (let tries = 0; tries < 50; tries++) {
      const { rows } = await this.#keeper.query(
        `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend'`,
      )
      if (rows[0].n <= own) return true
      await sleep(4)
    }
    return false
  }

  /** Drops the database; its connections end with it. */
  async close(): Promise<void> {
    await this.#database.drop()
  }
}
