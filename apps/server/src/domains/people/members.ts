import { all, first, type Queryable } from '../../kit/db.ts'

/** Seconds for which a member who is new in a role is nobody's second person. */
export const newMemberSeconds = 86_400

const active = `from members e join persons p on p.id = e.person_id
  where e.merchant_id = $1 and e.removed_at is null and e.since > 0 and p.deleted_at is null`

/** Reads who works for a shop now, the first member first. */
export const listActiveMembers = all(
  'members-active',
  `select e.person_id as id, p.email, e.role::text as role, e.since ${active} order by e.created_at, e.person_id`,
)

const others = first('members-others', `select 1 as one from (select ${active} limit 2) several having count(*) > 1`)

/** Whether several people work for a shop. Who works alone sees nothing of members. */
export const hasSeveralMembers = async (c: Queryable, merchantId: string): Promise<boolean> =>
  (await others(c, merchantId)) !== undefined

/** Reads every email that a person has or had, also of who left: an earlier mailbox may still be this person's. */
export const readMailboxes = all(
  'person-mailboxes',
  'select email from persons where id = $1 union select email from former_emails where person_id = $1',
)

/** Reads the emails of persons, also of those who left. */
export const readPersonEmails = all('persons-emails', 'select id, email from persons where id = any($1)')
