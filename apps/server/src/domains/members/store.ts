import { applicationStatus } from '@coffer/contract/codes.ts'
import { all, first, run, type Statements } from '../../kit/db.ts'

/** A member of a shop. Removed ones are found by no statement here. */
export type Member = Statements['members-lock']['row']

/** An invitation to a shop that was not used yet. */
export type Invitation = Statements['member-invitation']['row']

const columns = `e.person_id, e.role, e.refund_limit, e.since, e.changes, e.invited_by, p.email, p.language,
  p.authenticator_secret is not null as authenticator,
  exists (select from passkeys k where k.person_id = p.id and k.blocked_at is null) as passkey`
const present = `select ${columns} from members e join persons p on p.id = e.person_id
  where e.merchant_id = $1 and e.merchant_id <> '' and e.removed_at is null`

/** Locks all members of a shop, so that its last owner cannot be lost to two changes at once. */
export const lockMembers = all('members-lock', `${present} order by e.person_id for no key update of e`)

/** Lists the members of a shop, the longest-standing first, each with the last use of an open session for it. */
export const listMembers = all(
  'members-list',
  `select m.*, coalesce(s.last_seen, 0) as last_seen from (${present} order by e.created_at, e.person_id) m
   cross join lateral (
     select max(last_seen) as last_seen from sessions where person_id = m.person_id and merchant_id = $1 and not pending) s`,
)

/** Makes a person a member, also one who was; returns 0 for one who is. */
export const insertMember = run(
  'member-insert',
  `insert into members as e (person_id, merchant_id, role, refund_limit, since, invited_by, created_at)
   values ($1, $2, $3, $4, $5, $6, $5)
   on conflict (person_id, merchant_id) do update set role = $3, refund_limit = $4, since = $5, invited_by = $6,
     created_at = $5, removed_at = null, changes = e.changes + 1 where e.removed_at is not null
   returning 1`,
)

export const setMemberRole = run(
  'member-role',
  `update members set role = $3, refund_limit = $4, since = $5, changed_at = $6, changes = changes + 1
   where person_id = $1 and merchant_id = $2 and removed_at is null`,
)

/**
 * Holds a shop ($1) whose new owner ($2) has changed a factor lately, as if the owner had changed it: before, it held
 * only what this person asks for.
 */
export const holdForNewOwner = run(
  'shop-hold-new-owner',
  `update merchants m set factor_changed_at = p.factor_changed_at from persons p
   where m.id = $1 and p.id = $2 and m.factor_changed_at < p.factor_changed_at`,
)

export const setMemberRemoved = run(
  'member-remove',
  `update members set removed_at = $3, changed_at = $3 where person_id = $1 and merchant_id = $2 and removed_at is null`,
)

/** Locks a person of shops, who has not been deleted. */
export const lockPerson = first(
  'person-lock',
  `select id, email, language from persons where id = $1 and realm = 'shop' and deleted_at is null for no key update`,
)

/** Finds who has an address. */
export const personByEmail = first(
  'person-by-email',
  `select id, language from persons where realm = 'shop' and email = $1 and deleted_at is null`,
)

/** Adds a person without a shop; returns 0 when the address is taken. */
export const insertPerson = run(
  'person-insert',
  `insert into persons (id, realm, email, password_hash, language, created_at) values ($1, 'shop', $2, $3, $4, $5)
   on conflict (realm, email) where deleted_at is null do nothing returning 1`,
)

/** Returns 1 when a person, whom the caller has locked, belongs to a shop. */
export const hasShop = run(
  'person-has-shop',
  'select 1 from members where person_id = $1 and removed_at is null limit 1',
)

/**
 * One by a key has its application, and ends with what that key was when it was used: when the secret, what it may do
 * or from where has changed since, or whoever made it is no owner.
 */
/** Names the applications of a shop whose secret key a person made that works at $3: who made it knows it. */
export const listKeysMadeBy = all(
  'member-keys',
  `select name from applications where merchant_id = $1 and deleted_at is null
     and (secret_by = $2 or previous_secret_by = $2 and previous_key_until > $3) order by name, appid`,
)

/** Lists the connected shops whose key a person made that works at $3. */
export const listShopKeysMadeBy = all(
  'member-shop-keys',
  `select s.id, a.name as application from shop_connections s
     join applications a on a.merchant_id = s.merchant_id and a.appid = s.appid
   where s.merchant_id = $1 and s.ended_at is null and a.deleted_at is null
     and (s.key_by = $2 or s.previous_key_by = $2 and s.previous_until > $3) order by a.name, s.id`,
)

const invitationColumns = `i.id, i.merchant_id, i.email, i.role, i.refund_limit, i.until, i.invited_by, i.appid, i.created_at,
  case when i.appid = '' then coalesce(p.email, '') else '' end as inviter, coalesce(a.name, '') as application`
const invitation = `select ${invitationColumns} from member_invitations i
  left join persons p on p.id = i.invited_by
  left join applications a on a.merchant_id = i.merchant_id and a.appid = i.appid
  where (i.appid = '' or (a.deleted_at is null and a.status = ${applicationStatus.enabled} and a.members_allowed
    and a.secret_by = i.invited_by and a.opened_at <= i.created_at and exists (
      select from members e where e.person_id = i.invited_by and e.merchant_id = i.merchant_id and e.role = 'owner' and e.removed_at is null)))`

/** Finds the invitation of a link. */
export const findInvitation = first('member-invitation', `${invitation} and i.hash = $1 and i.until > $2`)

/** Lists the invitations to a shop that have not expired at $2, the newest first. */
export const listInvitations = all(
  'member-invitations',
  `${invitation} and i.merchant_id = $1 and i.until > $2 order by i.created_at desc, i.email`,
)

/** Stores an invitation in place of an earlier one of the same address, whose link ends. */
export const putInvitation = run(
  'member-invitation-put',
  `insert into member_invitations (merchant_id, email, id, role, refund_limit, hash, until, invited_by, created_at, appid)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict (merchant_id, email) do update set id = $3, role = $4, refund_limit = $5, hash = $6, until = $7,
     invited_by = $8, created_at = $9, appid = $10`,
)

/** Deletes an invitation to a shop; returns 0 when there is none. */
export const deleteInvitation = run(
  'member-invitation-drop',
  'delete from member_invitations where merchant_id = $1 and id = $2 returning 1',
)
/** Deletes the invitations of owners to a shop. */
export const deleteOwnerInvitations = all(
  'member-invitations-drop-owners',
  `delete from member_invitations where merchant_id = $1 and role = 'owner' returning email`,
)
/** Deletes the invitations by somebody who no longer gives roles. */
export const deleteInvitationsBy = run(
  'member-invitations-drop',
  'delete from member_invitations where merchant_id = $1 and invited_by = $2',
)
/** Deletes invitations that expired before. */
export const deleteOldInvitations = run(
  'member-invitations-forget',
  'delete from member_invitations where until <= $1 returning 1',
)

/** Records that an owner requests a change; returns 0 when that was recorded before. */
export const insertAgreement = run(
  'member-agreement-insert',
  `insert into member_agreements (merchant_id, subject, person_id, created_at) values ($1, $2, $3, $4)
   on conflict do nothing returning 1`,
)
/** Reads what owners of a shop requested after $2. */
export const readAgreements = all(
  'member-agreements',
  `select a.subject, a.person_id, p.email, a.created_at from member_agreements a join persons p on p.id = a.person_id
   where a.merchant_id = $1 and a.created_at > $2 order by a.created_at, a.person_id`,
)
export const deleteAgreements = run(
  'member-agreements-drop',
  'delete from member_agreements where merchant_id = $1 and subject = $2',
)
export const deleteAgreementsBy = run(
  'member-agreements-drop-of',
  'delete from member_agreements where merchant_id = $1 and person_id = $2',
)
/** Deletes requests from before $1. */
export const deleteOldAgreements = run(
  'member-agreements-forget',
  'delete from member_agreements where created_at <= $1 returning 1',
)

/** Locks a person's part in a shop against its end, and reads the shop. */
export const lockPart = first(
  'member-part-lock',
  `select m.id, m.frozen, m.frozen_reason from members e join merchants m on m.id = e.merchant_id
   where e.person_id = $1 and m.mchid = $2 and e.removed_at is null and m.deleted_at is null for share of e`,
)

export const setSecondFactorRequired = run(
  'shop-second-factor',
  'update merchants set second_factor_required = $2 where id = $1',
)
export const readSecondFactorRequired = first(
  'shop-second-factor-read',
  'select second_factor_required as required from merchants where id = $1',
)

/** Gives a shop the address of another owner, unless $2 is not whose address it has. */
export const passContact = run(
  'shop-contact',
  `update merchants set contact_id = $3 where id = $1 and coalesce(contact_id, id) = $2`,
)
