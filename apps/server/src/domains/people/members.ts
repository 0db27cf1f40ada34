import { all, first, type Queryable } from '../../kit/db.ts'
import { countMembersInSql, isPresentSql } from '../../kit/member.ts'

/** Reads who works for a shop now, the first member first. */
export const listActiveMembers = all(
  'members-active',
  `select e.person_id as id, p.email, e.role, e.since from members e join persons p on p.id = e.person_id
   where e.merchant_id = $1 and ${isPresentSql} order by e.created_at, e.person_id`,
)

const several = first('members-several', `select ${countMembersInSql('$1')} > 1 as several`)

/** Whether several people work for a shop. Otherwise nobody sees who did what. */
export const hasSeveralMembers = async (c: Queryable, merchantId: string): Promise<boolean> =>
  (await several(c, merchantId))!.several === true

/** Reads every email that a person has or had, also of who left: an earlier mailbox may still be this person's. */
export const readMailboxes = all(
  'person-mailboxes',
  'select email from persons where id = $1 union select email from former_emails where person_id = $1',
)

/** Reads the emails of persons, also of those who left. */
export const readPersonEmails = all('persons-emails', 'select id, email from persons where id = any($1)')
