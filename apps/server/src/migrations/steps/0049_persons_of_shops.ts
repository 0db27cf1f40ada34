import { type Kysely, sql } from 'kysely'

/** What a person signs in with, and which entries of the person's chain say so. */
const rules: [table: string, on: string, when: string, types: string[]][] = [
  [
    ...(['recovery_codes', 'insert or delete', ''] as const),
    ['recovery_codes_renewed', 'authenticator_bound', 'authenticator_removed'],
  ],
  ['recovery_codes', 'update', 'old.used_at is not null', []],
  [
    ...(['identities', 'insert or delete', ''] as const),
    ['registered', 'sign_in_linked', 'wallet_linked', 'wallet_unlinked', 'closed'],
  ],
  ['identities', 'update', '', []],
  ['authenticator_removals', 'insert', '', ['removal_requested']],
  ['authenticator_removals', 'update', '', ['removal_confirmed']],
]

const moved = ['tickets', 'identities', 'recovery_codes', 'former_emails', 'authenticator_removals']

/**
 * Why: a person may work for a shop that somebody else opened. What one signs in with belongs to the person, whose id was the shop's:
 * rows stay as they are, and name a person. `persons.factor_changed_at` holds what somebody who is no owner asks for, where the shop's
 * holds everything. `members.used_at` is the last time somebody signed in for a shop, which the next sign-in opens. An entry of the audit
 * log names who did it where the chain is not that person's own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of moved)
    await sql
      .raw(
        `do $$ declare name text; begin
           for name in select tgname from pg_trigger where tgrelid = '${table}'::regclass and tgname like 'audited_%' loop
             execute format('drop trigger %I on ${table}', name);
           end loop;
         end $$;
         alter table ${table} drop constraint ${table}_merchant_id_fkey;
         alter table ${table} rename column merchant_id to person_id;
         alter table ${table} add foreign key (person_id) references persons (id);`,
      )
      .execute(db)
  for (const [index, [table, on, when, types]] of rules.entries())
    await sql
      .raw(
        `create constraint trigger audited_persons_${index} after ${on} on ${table} deferrable initially deferred
         for each row ${when && `when (${when})`} execute function require_audit(${['person_id', ...types].map(each => `'${each}'`).join(', ')})`,
      )
      .execute(db)
  await sql`
    alter table persons add column factor_changed_at bigint not null default 0;
    -- A hold after a changed factor ends by time only.
    create constraint trigger audited_persons_hold after update on persons deferrable initially deferred
      for each row when (new.factor_changed_at < old.factor_changed_at) execute function require_audit('id');
    alter table members add column used_at bigint not null default 0;
    create index members_person on members (person_id) where removed_at is null and merchant_id <> '';
    alter table audit_log add column person_id text not null default '';
  `.execute(db)
  await nameWhoActed(db)
}

/**
 * The person is covered by the hash only where there is one, then after the session, also an empty one: 11, 12 or 13 fields, which no
 * change of one into another keeps.
 */
async function nameWhoActed(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function audit_append(entries jsonb) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      head audit_heads;
      entry record;
    begin
      -- One order of locks for all writers.
      insert into audit_heads (merchant_id, seq, hash)
        select distinct e ->> 'merchant_id', 0, ''::bytea from jsonb_array_elements(entries) as e order by 1
        on conflict do nothing;
      for entry in
        select e.*, coalesce(e.named, '') as session, coalesce(e.who, '') as person_id from rows from (
          jsonb_to_recordset(entries) as (merchant_id text, type text, outcome text, reason text, factor text,
            subject text, ip text, device text, address text, created_at bigint, session text, person_id text)
        ) with ordinality as e (merchant_id, type, outcome, reason, factor, subject, ip, device, address, created_at,
          named, who, n)
        order by e.merchant_id, e.n
      loop
        if head.merchant_id is distinct from entry.merchant_id then
          select * into strict head from audit_heads h where h.merchant_id = entry.merchant_id for update;
        end if;
        head.seq := head.seq + 1;
        head.hash := audit_hash(head.hash, array[entry.merchant_id, head.seq::text, entry.type, entry.outcome,
            entry.reason, entry.factor, entry.subject, entry.ip, entry.device, entry.address, entry.created_at::text]
          || case when entry.person_id <> '' then array[entry.session, entry.person_id]
               when entry.session <> '' then array[entry.session] else '{}' end);
        insert into audit_log (merchant_id, seq, type, outcome, reason, factor, subject, ip, device, address,
            created_at, hash, session, person_id)
          values (entry.merchant_id, head.seq, entry.type, entry.outcome, entry.reason, entry.factor, entry.subject,
            entry.ip, entry.device, entry.address, entry.created_at, head.hash, entry.session, entry.person_id);
        update audit_heads h set seq = head.seq, hash = head.hash where h.merchant_id = head.merchant_id;
      end loop;
    end
    $$;
  `.execute(db)
}
