import { all, count, first, run, type Statements } from '../../kit/db.ts'

/** An operator's account. Removed operators are found by no statement here but `everyOperator`. */
export type Operator = Statements['operator-by-id']['row']

const columns =
  'id, email, role, password_hash, authenticator_secret, authenticator_step, invitation_until, created_at, changes'
const present = `select ${columns} from operators where removed_at is null`

export const operatorById = first('operator-by-id', `${present} and id = $1`)
export const operatorByEmail = first('operator-by-email', `${present} and email = $1`)
export const operatorByInvitation = first(
  'operator-by-invitation',
  `${present} and invitation_hash = $1 and invitation_until > $2`,
)
export const lockOperator = first('operator-lock', `${present} and id = $1 for update`)
/** Locks all operators, so that the last owner cannot be lost to two changes at once. */
export const lockOperators = all('operators-lock', `${present} order by id for update`)

/** Reads the owners who can sign in. */
export const activeOwners = all(
  'operators-owners',
  `${present} and role = 'owner' and password_hash is not null order by id`,
)
/** Counts the accounts that an e-mail had, removed ones included. */
export const countOperatorsByEmail = count('operators-of-email', 'select count(*) as n from operators where email = $1')

/**
 * Lists operators with their last use; `active` once the one-time link was used, or a session is open, as of the
 * sandbox’s operator.
 */
export const listOperators = all(
  'operators-list',
  `select o.id, o.email, o.role, o.created_at, o.password_hash is not null or s.last_seen is not null as active,
     coalesce(s.last_seen, 0) as last_seen
   from operators o cross join lateral (
     select max(last_seen) as last_seen from operator_sessions where operator_id = o.id and not pending) s
   where o.removed_at is null order by o.email`,
)

export const insertOperator = run(
  'operator-insert',
  `insert into operators (id, email, role, created_at) values ($1, $2, $3, $4)
   on conflict (email) where removed_at is null do nothing`,
)
export const setRole = run(
  'operator-role',
  `update operators set role = $2, changes = changes + 1, changed_at = case when password_hash is null then changed_at else $3 end
   where id = $1 and removed_at is null`,
)
export const setRemoved = run(
  'operator-remove',
  `update operators set removed_at = $2, changed_at = case when password_hash is null then changed_at else $2 end, password_hash = null, authenticator_secret = null, invitation_hash = null,
     invitation_until = null where id = $1`,
)
/** Sets a one-time link, and forgets password and authenticator. */
export const setInvitation = run(
  'operator-invite',
  `update operators set invitation_hash = $2, invitation_until = $3, password_hash = null, authenticator_secret = null,
     changes = changes + 1, changed_at = case when password_hash is null then changed_at else $4 end
   where id = $1 and removed_at is null`,
)
/** Uses a one-time link; affects no row when it was used or replaced. */
export const acceptInvitation = run(
  'operator-accept',
  `update operators set password_hash = $3, authenticator_secret = $4, authenticator_step = $5, invitation_hash = null,
     invitation_until = null, credentials_at = $6, changes = changes + 1 where id = $1 and invitation_hash = $2 and removed_at is null`,
)
/** Consumes a time step of the authenticator; affects no row when it was used before. */
export const consumeOperatorAuthStep = run(
  'operator-step',
  'update operators set authenticator_step = $2 where id = $1 and authenticator_step < $2 and removed_at is null',
)

export const insertSession = run(
  'operator-session-insert',
  `insert into operator_sessions (token_hash, operator_id, pending, ip, device, fresh_until, created_at, last_seen)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
)
export const sessionByToken = first(
  'operator-session',
  `select s.pending, s.tries, s.fresh_until, s.created_at, s.last_seen, o.id as operator_id, o.email, o.role
   from operator_sessions s join operators o on o.id = s.operator_id where s.token_hash = $1 and o.removed_at is null`,
)
export const touchSession = run(
  'operator-session-touch',
  'update operator_sessions set last_seen = $2 where token_hash = $1',
)
export const incrementSessionTries = first(
  'operator-session-try',
  'update operator_sessions set tries = tries + 1 where token_hash = $1 and tries < $2 returning tries',
)
export const setSessionFreshUntil = run(
  'operator-session-fresh',
  'update operator_sessions set fresh_until = $2 where token_hash = $1',
)
export const endSession = run('operator-session-end', 'delete from operator_sessions where token_hash = $1')
export const endSessionsOf = run('operator-sessions-end', 'delete from operator_sessions where operator_id = $1')
export const endOtherSessions = run(
  'operator-sessions-end-others',
  'delete from operator_sessions where operator_id = $1 and token_hash <> $2',
)
export const deleteSessions = run('operator-sessions-expire', 'delete from operator_sessions where last_seen < $1')

/** Finds a device of an operator, or another one in its network; `same` is true for the device itself. */
export const findDevice = first(
  'operator-device',
  `select token_hash = $2 as same from operator_devices where operator_id = $1 and (token_hash = $2 or network = $3)
   order by token_hash <> $2 limit 1`,
)
/** Remembers a device and the network that it uses now. */
export const insertDevice = run(
  'operator-device-insert',
  `insert into operator_devices (operator_id, token_hash, network, last_used) values ($1, $2, $3, $4)
   on conflict (operator_id, token_hash) do update set network = $3, last_used = $4`,
)
/** Forgets all devices of an operator but the last 20. */
export const trimDevices = run(
  'operator-devices-trim',
  `delete from operator_devices where operator_id = $1 and token_hash in (
     select token_hash from operator_devices where operator_id = $1 order by last_used desc offset 20)`,
)
