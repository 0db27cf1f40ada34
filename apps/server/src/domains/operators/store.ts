import { asOperatorRole, type OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import { all, count, first, run, type Statements } from '../../kit/db.ts'
import { operatorsInSql } from '../../kit/operators-in-sql.ts'

/** An operator: a person with a part in the installation. Removed ones are found by no statement here. */
export type Operator = Statements['operator-by-id']['row']

const columns =
  'o.id, o.email, o.role, o.password_hash, o.authenticator_secret, o.authenticator_step, o.created_at, o.changes'
const present = `select ${columns} from ${operatorsInSql} o where o.removed_at is null`

/** A stored role that is not known may do nothing: it is shown as the least. */
export const asRole = (role: string): OperatorRole => asOperatorRole(role) ?? 'viewer'

export const operatorById = first('operator-by-id', `${present} and o.id = $1`)
export const operatorByEmail = first('operator-by-email', `${present} and o.email = $1`)
export const operatorByInvitation = first(
  'operator-by-invitation',
  `${present} and o.invitation_hash = $1 and o.invitation_until > $2`,
)
export const lockOperator = first('operator-lock', `${present} and o.id = $1 for update`)
/** Locks all operators, so that the last owner cannot be lost to two changes at once. */
export const lockOperators = all('operators-lock', `${present} order by o.id for update`)

/** Reads the owners who can sign in. */
export const activeOwners = all(
  'operators-owners',
  `${present} and o.role = 'owner' and o.password_hash is not null order by o.id`,
)
/** Counts the accounts that an e-mail had, removed ones included. */
export const countOperatorsByEmail = count(
  'operators-of-email',
  `select count(*) as n from ${operatorsInSql} o where o.email = $1`,
)

/**
 * Lists operators with their last use, and who invited them; `active` once the one-time link was used, or a session is
 * open, as of the sandbox’s operator.
 */
export const listOperators = all(
  'operators-list',
  `select o.id, o.email, o.role, o.created_at, o.password_hash is not null or s.last_seen is not null as active,
     coalesce(s.last_seen, 0) as last_seen, coalesce(i.email, '') as invited_by
   from ${operatorsInSql} o left join persons i on i.id = o.invited_by cross join lateral (
     select max(last_seen) as last_seen from sessions where person_id = o.id and not pending) s
   where o.removed_at is null order by o.email`,
)

export const insertOperator = run(
  'operator-insert',
  `with person as (
     insert into persons (id, realm, email, created_at) values ($1, 'console', $2, $5)
     on conflict (realm, email) where deleted_at is null do nothing returning id)
   insert into members (person_id, merchant_id, role, invited_by, created_at) select id, '', $3, $4, $5 from person`,
)

/** When an operator who could sign in lost the account or the role ($ is the parameter of the time). */
const lostAt = (time: string) => `case when p.password_hash is null then e.changed_at else ${time} end`
/** The part of a person in the installation, whose statement changes it first. */
const part = `p.id = e.person_id and e.person_id = $1 and e.merchant_id = '' and e.removed_at is null`

/** Sets a role. Whoever has a new one is nobody's second person for a day, as with a new account. */
export const setRole = run(
  'operator-role',
  `update members e set role = $2, changes = e.changes + 1, changed_at = ${lostAt('$3')},
     since = case when e.role = $2 or p.password_hash is null then e.since else $3 end from persons p where ${part}`,
)
export const setRemoved = run(
  'operator-remove',
  `update members e set removed_at = $2, changed_at = ${lostAt('$2')}, invitation_hash = null, invitation_until = null
   from persons p where ${part}`,
)
/** Sets a one-time link. */
export const setInvitation = run(
  'operator-invite',
  `update members e set invitation_hash = $2, invitation_until = $3, changes = e.changes + 1, changed_at = ${lostAt('$4')}
   from persons p where ${part}`,
)
/** Uses a one-time link; affects no row when it was used or replaced. */
export const acceptInvitation = run(
  'operator-accept',
  `with accepted as (
     update members e set invitation_hash = null, invitation_until = null, since = $6, changes = e.changes + 1
     from persons p where ${part} and e.invitation_hash = $2 returning e.person_id)
   update persons set password_hash = $3, authenticator_secret = $4, authenticator_step = $5
   from accepted where id = accepted.person_id`,
)

/** Reads a session of the console with its operator, unless the operator was removed. */
export const sessionByToken = first(
  'operator-session',
  `select s.pending, s.fresh_until, s.created_at, s.last_seen, o.id as operator_id, o.email, o.role
   from sessions s join ${operatorsInSql} o on o.id = s.person_id
   where s.token_hash = $1 and s.merchant_id = '' and o.removed_at is null`,
)
