import { limits } from '@coffer/contract/kit/limits.ts'
import type { Deps } from '../../deps.ts'
import { all, first, run } from '../../kit/db.ts'
import { isPresentSql } from '../../kit/member.ts'
import { deleteThrottlesBefore } from '../../kit/throttle.ts'
import { deleteSpentChallenges } from './passkeys/webauthn.ts'

const columns = 's.token_hash, s.id, s.person_id, s.merchant_id, s.pending, s.ip, s.device, s.created_at, s.last_seen'

/** Reads a session with the standing of its merchant. A pending session still requires the authenticator code. */
export const sessionByToken = first(
  'session-by-token',
  `select ${columns}, e.role, m.frozen, m.frozen_reason, m.deleted_at is not null or not (${isPresentSql}) as ended,
     m.second_factor_required and p.authenticator_secret is null
       and not exists (select from passkeys k where k.person_id = p.id and k.blocked_at is null) as factor_missing
   from sessions s join members e on e.person_id = s.person_id and e.merchant_id = s.merchant_id
   join merchants m on m.id = s.merchant_id join persons p on p.id = s.person_id where s.token_hash = $1`,
)

const open = `select ${columns} from sessions s where not pending and last_seen > $2 and created_at > $3`
const newest = 'order by last_seen desc, id desc limit 100'

/** Reads the sessions of a person used after $2 and opened after $3, the most recently used first. */
export const listOpenSessions = all('sessions-open', `${open} and person_id = $1 and merchant_id <> '' ${newest}`)

/** The same of everybody who works for a merchant. */
export const openSessionsOfMerchant = all('sessions-open-of-merchant', `${open} and merchant_id = $1 ${newest}`)

/** Where a code was sent and what it confirms. */
export type VerificationCodeKey = readonly [channel: 'email' | 'phone', target: string, purpose: number]

/** Stores a code from $7 to $8. */
export const insertCode = run(
  'code-put',
  `insert into verification_codes
     (challenge_hash, channel, target, purpose, asker, code_hash, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export const deleteCode = run('code-drop', 'delete from verification_codes where challenge_hash = $1')

/** Counts an attempt at the code of a challenge; returns no row when it expired, was used, or had $6 attempts. */
export const countChallengeAttempt = first(
  'code-try-challenge',
  `update verification_codes set tries = tries + 1
   where challenge_hash = $1 and channel = $2 and target = $3 and purpose = $4
     and used_at is null and expires_at > $5 and tries < $6 returning challenge_hash, code_hash`,
)

/**
 * Counts an attempt at the last code of an asker ($4); returns no row when it expired, was used, or had $6 attempts.
 */
export const countLatestCodeAttempt = first(
  'code-try-latest',
  `update verification_codes set bare_tries = bare_tries + 1
   where challenge_hash = (
       select challenge_hash from verification_codes
       where channel = $1 and target = $2 and purpose = $3 and asker = $4 and used_at is null
       order by created_at desc limit 1)
     and used_at is null and expires_at > $5 and bare_tries < $6 returning challenge_hash, code_hash`,
)

/** Takes back a counted attempt that was correct, by challenge or by asker. */
export const uncountChallengeAttempt = run(
  'code-untry-challenge',
  'update verification_codes set tries = tries - 1 where challenge_hash = $1 and tries > 0',
)
export const uncountLatestCodeAttempt = run(
  'code-untry-latest',
  'update verification_codes set bare_tries = bare_tries - 1 where challenge_hash = $1 and bare_tries > 0',
)

/** Marks a code as used; returns 0 when it was used before. */
export const consumeCode = run(
  'code-take',
  'update verification_codes set used_at = $2 where challenge_hash = $1 and used_at is null returning 1',
)

const deleteCodes = run('codes-forget', 'delete from verification_codes where created_at <= $1 returning 1')

export const insertTicket = run(
  'ticket-insert',
  'insert into tickets (ticket_hash, person_id, action, expires_at) values ($1, $2, $3, $4)',
)

/** Returns 1 when the ticket is valid for a person's action at $4. */
export const checkTicket = run(
  'ticket-check',
  `select 1 from tickets
   where ticket_hash = $1 and person_id = $2 and action = $3 and expires_at > $4 and used_at is null`,
)

/** Marks a ticket as used; returns 0 when it was used before. */
export const consumeTicket = run(
  'ticket-take',
  'update tickets set used_at = $2 where ticket_hash = $1 and used_at is null returning 1',
)

/** Revokes the tickets of a person: they were obtained with a factor that has changed. */
export const revokeTickets = run('tickets-drop', 'delete from tickets where person_id = $1')

const deleteTickets = run('tickets-forget', 'delete from tickets where expires_at <= $1 returning 1')

/** Reads the person of an account at a sign-in provider. The subject is its stable id, unlike the email. */
export const findPersonByIdentity = first(
  'identity-person',
  'select person_id from identities where provider = $1 and subject = $2',
)

/** Links an identity to a person; returns 0 when it is linked, or the person has another one of the provider. */
export const linkIdentity = run(
  'identity-link',
  `insert into identities (provider, subject, person_id, created_at) values ($1, $2, $3, $4)
   on conflict do nothing returning 1`,
)

/** Reads the subject of a person's identity at a provider. */
export const readIdentity = first(
  'identity-of',
  'select subject from identities where person_id = $1 and provider = $2',
)

/** Unlinks one identity; returns 0 when there is none. */
export const unlinkIdentity = run(
  'identity-unlink',
  'delete from identities where person_id = $1 and provider = $2 returning 1',
)

export const unlinkIdentities = run('identities-unlink', 'delete from identities where person_id = $1')

/** Deletes expired codes, tickets and throttle windows. Returns the number of rows. */
export async function deleteExpiredCredentials({ pool, clock }: Deps): Promise<number> {
  const now = clock()
  const counts = await Promise.all([
    deleteCodes(pool, now - limits.codeTtlSeconds),
    deleteTickets(pool, now),
    deleteSpentChallenges(pool, now),
    deleteThrottlesBefore(pool, now - 86_400),
  ])
  return counts.reduce((sum, n) => sum + n, 0)
}

/** Keeps an email that a person no longer uses: alarms reach it, too. */
export const keepFormerEmail = run(
  'former-email-keep',
  `insert into former_emails (person_id, email, until) values ($1, $2, $3)
   on conflict (person_id, email) do update set until = $3`,
)
