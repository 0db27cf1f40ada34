import { type Kysely, sql } from 'kysely'

/** The account of an address at a time, else any that had it; empty: a user of the command line. */
const personOf = (email: string, time: string) => `coalesce((
  select p.id from persons p where p.realm = 'console' and p.email = ${email} order by (p.created_at <= ${time}) desc, p.created_at desc limit 1), '')`

/**
 * Why: a second person was another e-mail address. Approvals, assessments and requests name the person who gave them, whose address may
 * change or belong to somebody else later; the address at the time stays beside it. Users of the command line have no account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table operator_approvals add column person_id text not null default '';
       alter table merchant_assessments add column person_id text not null default '';
       alter table authenticator_removals add column requested_person text not null default '', add column confirmed_person text;
       update operator_approvals set person_id = ${personOf('who', 'operator_approvals.created_at')};
       update merchant_assessments set person_id = ${personOf('who', 'merchant_assessments.created_at')};
       update authenticator_removals set requested_person = ${personOf('requested_by', 'requested_at')},
         confirmed_person = ${personOf('confirmed_by', 'requested_at')} where true;
       update authenticator_removals set confirmed_person = null where confirmed_by is null;
       set constraints all immediate;
       alter table operator_approvals alter column person_id drop default, drop constraint operator_approvals_pkey,
         add primary key (subject, person_id, who);
       alter table merchant_assessments alter column person_id drop default;
       alter table authenticator_removals alter column requested_person drop default,
         add check ((confirmed_by is null) = (confirmed_person is null));`,
    )
    .execute(db)
}
