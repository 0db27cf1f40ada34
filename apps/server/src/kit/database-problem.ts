import { errorCode, OperatorProblem } from '@coffer/local/problem.ts'

/** Cause and remedy by error code: a system errno name or a SQLSTATE (PostgreSQL manual, appendix A). */
const sentences: Record<string, string> = {
  ECONNREFUSED: 'No database answers where DATABASE_URL points. Start it, or correct host and port.',
  ENOENT: 'No database answers where DATABASE_URL points. Start it, or correct the folder of its socket.',
  ENOTFOUND: 'The host in DATABASE_URL is not known. Correct its name.',
  EAI_AGAIN: 'The host in DATABASE_URL cannot be looked up now. Correct its name, or see to the name server.',
  ETIMEDOUT: 'The host in DATABASE_URL does not answer. Correct host and port, or open the way to it.',
  EHOSTUNREACH: 'The host in DATABASE_URL does not answer. Correct host and port, or open the way to it.',
  '25006':
    'What answers where DATABASE_URL points is a standby or a former primary, which takes no payments. Name the primary, or the proxy that leads to it.',
  '28P01': 'The database refuses the password in DATABASE_URL. Correct user and password.',
  '28000': 'The database refuses the user in DATABASE_URL. Correct it, or let it in by pg_hba.conf.',
  '3D000': 'The database named in DATABASE_URL does not exist. Create it, or correct the name.',
  '42501': 'The user in DATABASE_URL lacks a right. Make it the owner of its database and give it CREATEROLE.',
  '42P01':
    'The database named in DATABASE_URL holds nothing of Coffer. Start the server on it once, or correct the name.',
  '53300': 'The database has no connection left. Raise its max_connections; a server uses up to 44.',
  '57P03': 'The database is still starting or stopping. Wait until it is up, and start again.',
}

/** SQLSTATEs of statements that were cancelled, did not get a lock or a connection, or collided again and again. */
const overloaded = new Set(['57014', '55P03', '53300', '57P03', '40001', '40P01'])

/** Reports whether a statement failed for lack of a connection or of time. It had no effect and may be retried. */
export function isOverload(error: unknown): boolean {
  if (overloaded.has(errorCode(error) ?? '')) return true
  const message = error instanceof Error ? error.message : ''
  return /^timeout exceeded when trying to connect$|^Connection terminated due to connection timeout$/.test(message)
}

/**
 * SQLSTATEs of connections that the server ended: it stops, starts or crashed, or somebody or a timeout ended them.
 * Also of one that does not lead to the primary, and of a commit whose outcome is not known.
 */
const ended = /^(57P0[1-5]|25P0[34]|25006|40003|08...)$/
const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN'])
/** What the driver says without a code. */
const lost =
  /^Connection terminated|^terminating connection|^Client has encountered a connection error|^Client was closed|^timeout expired$|^Query read timeout$/

/**
 * Reports whether a statement failed because its connection was lost or none could be made, as while PostgreSQL
 * restarts. If it was a commit, its outcome is unknown.
 */
export function isConnectionLost(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  if (ended.test(code)) return true
  // A missing file has the same code as the missing socket of a server that does not run.
  if (unreachable.has(code)) return code !== 'ENOENT' || (error as NodeJS.ErrnoException).syscall === 'connect'
  return error instanceof Error && lost.test(error.message)
}

/**
 * Maps common connection errors to a one-line problem for the operator, about the setting `variable`. Returns any other
 * error unchanged.
 */
export function databaseProblem(error: unknown, variable = 'DATABASE_URL'): unknown {
  const problem = explain(error)
  if (!(problem instanceof OperatorProblem) || problem === error) return problem
  return new OperatorProblem(problem.message.replaceAll('DATABASE_URL', variable))
}

function explain(error: unknown): unknown {
  const sentence = sentences[errorCode(error) ?? '']
  if (sentence) return new OperatorProblem(`${sentence} (${(error as Error).message || errorCode(error)})`)
  // The driver raises these errors without a code.
  const message = error instanceof Error ? error.message : ''
  if (/timeout exceeded when trying to connect|Connection terminated/.test(message))
    return new OperatorProblem(
      `What answers where DATABASE_URL points is no PostgreSQL, or does not answer. (${message})`,
    )
  if (/SSL|self-signed|certificate/i.test(message))
    return new OperatorProblem(`The database and DATABASE_URL do not agree on TLS: set sslmode in it. (${message})`)
  return error
}
