import { timingSafeEqual } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { hashCode } from '../../kit/secrets.ts'

/** Seconds for which a link can be used. */
const linkSeconds = 72 * 3_600

type Known = Pick<Deps, 'config' | 'clock'>

const codeOf = ({ config }: Known, personId: string, end: string) => hashCode(config.secret, ['not me', personId, end])

/**
 * Returns a link by which its reader, without signing in, reports that somebody else used the account. It is
 * authenticated and holds its end, so nothing is stored. The secret follows `#`, which browsers do not send.
 */
export function createNotMeLink(deps: Known, personId: string): string {
  const end = (deps.clock() + linkSeconds).toString(36)
  const token = [personId, end, codeOf(deps, personId, end).toString('base64url')].join('.')
  return `${deps.config.publicUrl}/login#not-me=${token}`
}

/** Returns the person and the end of a link's secret; undefined unless it is ours and still valid. */
export function parseNotMeToken(deps: Known, token: string): { personId: string; end: number } | undefined {
  const [personId = '', end = '', code = ''] = token.split('.')
  const given = Buffer.from(code, 'base64url')
  const expected = codeOf(deps, personId, end)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const until = Number.parseInt(end, 36)
  // The text is compared, too: base64 has several forms of the same bytes.
  return token.endsWith(expected.toString('base64url')) && deps.clock() < until ? { personId, end: until } : undefined
}

/** Seconds for which the link of a mail lets its reader sign in without work. */
export const workPassSeconds = 86_400

/** Authenticates a pass for a mailbox until `end`. */
export const hashWorkPass = ({ config }: Pick<Deps, 'config'>, mailbox: string, end: string): string =>
  hashCode(config.secret, ['pass', mailbox, end]).toString('base64url')

/**
 * Returns the link of a mail whose reader signs in without work for a day. It is authenticated and holds its end, so
 * nothing is stored, and proves no more than that the mailbox was read. The secret follows `#`, which browsers do not
 * send.
 */
export function createWorkPassLink(deps: Known, mailbox: string): string {
  const end = (deps.clock() + workPassSeconds).toString(36)
  return `${deps.config.publicUrl}/login#pass=pass.${end}.${hashWorkPass(deps, mailbox, end)}`
}
