import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { all, first, run } from '../../kit/db.ts'
import { deleteThrottles } from '../../kit/throttle.ts'

const columns = 's.token_hash, s.id, s.merchant_id, s.pending, s.tries, s.ip, s.device, s.created_at, s.last_seen'

/** Reads a session with the standing of its merchant. A pending session still requires the authenticator code. */
export const sessionByToken = first(
  'session-by-token',
  `select ${columns}, m.frozen, m.deleted_at is not null as closed
   from sessions s join merchants m on m.id = s.merchant_id where s.token_hash = $1`,
)

export const insertSession = run(
  'session-insert',
  `insert into sessions (token_hash, id, merchant_id, pending, ip, device, created_at, last_seen)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
)

/** Updates the last use ($2) of a session unless that is less than $3 seconds ago. */
export const touchSession = run(
  'session-touch',
  'update sessions set last_seen = $2 where token_hash = $1 and last_seen <= $2 - $3::bigint',
)

/** Counts an attempt on a pending session; returns no row when $2 attempts were made. */
export const countAttempt = first(
  'session-try',
  'update sessions set tries = tries + 1 where token_hash = $1 and pending and tries < $2 returning tries',
)

export const endSession = run('session-end', 'delete from sessions where token_hash = $1 returning 1')

/** Ends all sessions of a merchant except $2 (null: no exception) and returns their number. */
export const endSessions = run(
  'sessions-end',
  'delete from sessions where merchant_id = $1 and ($2::bytea is null or token_hash <> $2) returning 1',
)

/** Reads the sessions of a merchant used after $2 and opened after $3, the most recently used first. */
export const openSessions = all(
  'sessions-open',
  `select ${columns} from sessions s
   where merchant_id = $1 and not pending and last_seen > $2 and created_at > $3
   order by last_seen desc, id desc limit 100`,
)

const deleteSessions = run('sessions-forget', 'delete from sessions where last_seen <= $1 returning 1')

/** Where a code was sent and what it confirms. A new code replaces the previous one with the same key. */
export type CodeKey = readonly [channel: 'email' | 'phone', target: string, purpose: number]

const isCode = 'channel = $1 and target = $2 and purpose = $3'

/** Stores a code from $5 to $6; returns 0 when the previous one is younger than $7 seconds. */
export const insertCode = run(
  'code-put',
  `insert into verification_codes (channel, target, purpose, code_hash, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (channel, target, purpose) do update
     set code_hash = $4, tries = 0, created_at = $5, expires_at = $6, used_at = null
     where verification_codes.created_at <= $5 - $7::bigint
   returning 1`,
)

export const deleteCode = run('code-drop', `delete from verification_codes where ${isCode} and code_hash = $4`)

/** Counts an attempt and returns the hash to compare; no row when the code expired, was used, or had $5 attempts. */
export const tryCode = first(
  'code-try',
  `update verification_codes set tries = tries + 1
   where ${isCode} and used_at is null and expires_at > $4 and tries < $5 returning code_hash`,
)

/** Marks a code as used; returns 0 when it was used before. */
export const consumeCode = run(
  'code-take',
  `update verification_codes set used_at = $5 where ${isCode} and code_hash = $4 and used_at is null returning 1`,
)

const deleteCodes = run('codes-forget', 'delete from verification_codes where created_at <= $1 returning 1')

export const insertTicket = run(
  'ticket-insert',
  'insert into tickets (ticket_hash, merchant_id, action, expires_at) values ($1, $2, $3, $4)',
)

/** Returns 1 when the ticket is valid for a merchant's action at $4. */
export const checkTicket = run(
  'ticket-check',
  `select 1 from tickets
   where ticket_hash = $1 and merchant_id = $2 and action = $3 and expires_at > $4 and used_at is null`,
)

/** Marks a ticket as used; returns 0 when it was used before. */
export const consumeTicket = run(
  'ticket-take',
  'update tickets set used_at = $2 where ticket_hash = $1 and used_at is null returning 1',
)

/** Revokes the tickets of a merchant: they were obtained with a factor that has changed. */
export const revokeTickets = run('tickets-drop', 'delete from tickets where merchant_id = $1')

const deleteTickets = run('tickets-forget', 'delete from tickets where expires_at <= $1 returning 1')

/** Reads the merchant of an account at a sign-in provider. The subject is its stable id, unlike the email. */
export const merchantOfIdentity = first(
  'identity-merchant',
  'select merchant_id from identities where provider = $1 and subject = $2',
)

/** Links an identity to a merchant; returns 0 when it is linked, or the merchant has another one of the provider. */
export const linkIdentity = run(
  'identity-link',
  `insert into identities (provider, subject, merchant_id, created_at) values ($1, $2, $3, $4)
   on conflict do nothing returning 1`,
)

export const unlinkIdentities = run('identities-unlink', 'delete from identities where merchant_id = $1')

/** Deletes expired sessions, codes, tickets and throttle windows. Returns the number of rows. */
export async function deleteExpired({ pool, clock }: Deps): Promise<number> {
  const now = clock()
  const counts = await Promise.all([
    deleteSessions(pool, now - limits.sessionIdleSeconds),
    deleteCodes(pool, now - limits.codeTtlSeconds),
    deleteTickets(pool, now),
    deleteThrottles(pool, now - 86_400),
  ])
  return counts.reduce((sum, n) => sum + n, 0)
}
