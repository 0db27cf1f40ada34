import type pg from 'pg'

type Statement = string | { name: string }
const nameOf = (statement: Statement) => (typeof statement === 'string' ? statement : statement.name)

/**
 * Wraps a pool and records the names of statements: those of each transaction, including `begin` and `commit`, and
 * those sent alone. Hints are left out, which are sent after the work.
 */
export function recording(pool: pg.Pool): { pool: pg.Pool; transactions: string[][]; alone: string[] } {
  const transactions: string[][] = []
  const alone: string[] = []
  const noting = <T extends object>(target: T, names: string[], connect?: () => Promise<pg.PoolClient>): T =>
    new Proxy(target, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (key === 'connect' && connect) return connect
        if (typeof value !== 'function') return value
        if (key !== 'query') return value.bind(target)
        return (statement: Statement, ...rest: unknown[]) => {
          if (nameOf(statement) !== 'hints-send') names.push(nameOf(statement))
          return value.call(target, statement, ...rest)
        }
      },
    })
  const connect = async () => {
    const names: string[] = []
    transactions.push(names)
    return noting(await pool.connect(), names)
  }
  return { pool: noting(pool, alone, connect), transactions, alone }
}
