import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { isConnectionLost } from './database-problem.ts'
import { sendHints } from './hints.ts'
import { UnitOfWork } from './unit-of-work.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Parsers of declared statements: their numeric columns are bigint, as the generated types say. PostgreSQL reports a
 * column of a domain, such as base_units, with the oid of its base type. A value with a fraction throws: select it as
 * text.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.NUMERIC ? BigInt : pg.types.getTypeParser(oid, format)),
}

/** A pool or one connection: the first parameter of every store function. */
export type Queryable = pg.Pool | pg.ClientBase

/**
 * Types of each statement's values and row. The members are declared in generated/statements.ts. `node
 * tools/generated.ts` writes that file: PostgreSQL describes every statement against a migrated database.
 */
// biome-ignore lint/suspicious/noEmptyInterface: generated/statements.ts adds a member per statement
export interface Statements {}
type Name = keyof Statements
type Of<N extends Name, Part extends 'row' | 'values'> = Statements[N][Part]

/** JSON of rows and of what is made of them, with amounts as decimal text. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, value) => (typeof value === 'bigint' ? String(value) : value))

/** Texts of the declared statements by name. A statement with variants lists the texts to describe. */
export const statements = new Map<string, () => string[]>()

function add(name: string, texts: () => string[]): void {
  if (statements.has(name)) throw new Error(`two statements have the name ${name}`)
  statements.set(name, texts)
}

function declare<N extends Name>(name: N, text: string) {
  add(name, () => [text])
  return (c: Queryable, values: unknown[]): Promise<pg.QueryResult<Of<N, 'row'>>> =>
    c.query({ name, text, values, types })
}

/** Declares a named prepared statement. Returns a function that runs it and returns its rows. */
export function all<N extends Name>(name: N, text: string) {
  const query = declare(name, text)
  return async (c: Queryable, ...values: Of<N, 'values'>) => (await query(c, values)).rows
}

/** Declares a statement. Returns a function that runs it and returns its first row, or undefined. */
export function first<N extends Name>(name: N, text: string) {
  const query = declare(name, text)
  return async (c: Queryable, ...values: Of<N, 'values'>) => (await query(c, values)).rows[0]
}

type Counts = { [N in Name]: Of<N, 'row'> extends { n: number } ? N : never }[Name]

/** Declares a statement with one row. Returns a function that runs it and returns the column `n`. */
export function count<N extends Counts>(name: N, text: string) {
  const query = declare(name, text)
  return async (c: Queryable, ...values: Of<N, 'values'>) => (await query(c, values)).rows[0]!.n
}

/** Declares a statement. Returns a function that runs it and returns the number of affected or selected rows. */
export function run<N extends Name>(name: N, text: string) {
  const query = declare(name, text)
  return async (c: Queryable, ...values: Of<N, 'values'>) => (await query(c, values)).rowCount ?? 0
}

/**
 * Declares a statement whose text depends on a kind. Every kind has the same columns and its own prepared statement.
 * `described` lists the kinds that PostgreSQL describes. Returns a function that takes a kind and returns the rows.
 */
export function declareStatementVariants<N extends Name, Kind extends Record<keyof Kind, number | boolean | null>>(
  name: N,
  textOf: (kind: Kind) => string,
  described: readonly Kind[],
) {
  const texts = new Map<string, string>()
  add(name, () => described.map(textOf))
  const query = (c: Queryable, kind: Kind, values: unknown[]): Promise<pg.QueryResult<Of<N, 'row'>>> => {
    const variant = [name, ...Object.values(kind).map(Number)].join(' ')
    const text = texts.get(variant) ?? textOf(kind)
    texts.set(variant, text)
    return c.query({ name: variant, text, values, types })
  }
  return async (c: Queryable, kind: Kind, ...values: Of<N, 'values'>) => (await query(c, kind, values)).rows
}

/** What `tx` notes before it commits, once for each request that is to be done once; see `onlyOnce`. */
export const commitMark = new AsyncLocalStorage<{ mark: (c: Queryable) => Promise<unknown>; isMarked: boolean }>()

const retryable = new Set(['40001', '40P01'])

/**
 * Runs `work` in one READ COMMITTED transaction, flushes its unit of work before the commit and sends its hints after
 * it. Any throw rolls back. A serialization failure or deadlock is retried at most three times, so `work` must have no
 * effect outside the transaction.
 */
export async function tx<T>(pool: pg.Pool, work: (c: pg.PoolClient, uow: UnitOfWork) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const c = await pool.connect()
    let broken: Error | undefined
    try {
      // guard: begin
      await c.query('begin')
      const uow = new UnitOfWork(c)
      const result = await work(c, uow)
      await uow.flush()
      const request = commitMark.getStore()
      if (request && !request.isMarked) await request.mark(c)
      // guard: commit
      await c.query('commit')
      if (request) request.isMarked = true
      sendHints(pool, uow.hints)
      for (const each of uow.afterCommit) each()
      return result
    } catch (error) {
      // A rollback would wait for an answer as long as what failed.
      if (isConnectionLost(error)) broken = error as Error
      else
        await c.query('rollback').catch(cause => {
          broken = cause
        })
      if (attempt < 4 && retryable.has((error as { code?: string }).code ?? '')) continue
      throw error
    } finally {
      c.release(broken)
    }
  }
}
