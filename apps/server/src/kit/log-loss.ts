import { isConnectionLost, isOverload } from './database-problem.ts'

interface Log {
  warn: (about: object, text: string) => void
  debug: (about: object, text: string) => void
}

/** How long (ms) one line stands for all that a lost connection makes fail: a failover takes less. */
const quietMs = 30_000
let loggedAt = Number.NEGATIVE_INFINITY

/**
 * Logs one line for a failover, in which every job, request and idle connection fails: without stacks, and the rest as
 * debug. Returns false, and logs nothing, for any other error.
 */
export function logLoss(log: Log, error: unknown, about: object = {}): boolean {
  const now = performance.now()
  const isQuiet = now - loggedAt < quietMs
  if (!isConnectionLost(error) && !(isQuiet && isOverload(error))) return false
  if (!isQuiet) loggedAt = now
  const line = { ...about, reason: (error as Error).message || String(error) }
  log[isQuiet ? 'debug' : 'warn'](line, 'the connection to the database is lost or refused: what failed is tried again')
  return true
}
