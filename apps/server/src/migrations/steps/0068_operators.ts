import { type Kysely, sql } from 'kysely'

/**
 * Why: operators work in a console of their own, with accounts that have nothing to do with those of merchants. What they do is in the
 * operator's chain of the audit log, which the console reads by these entries.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operators (
      id text primary key,
      email text not null,
      role text not null check (role in ('viewer', 'support', 'finance', 'owner')),
      -- Null until the one-time link was used.
      password_hash text,
      authenticator_secret text,
      authenticator_step bigint not null default 0,
      invitation_hash bytea unique,
      invitation_until bigint,
      created_at bigint not null,
      removed_at bigint,
      check ((invitation_hash is null) = (invitation_until is null)),
      check ((password_hash is null) = (authenticator_secret is null))
    );
    create unique index operators_email on operators (email) where removed_at is null;

    create table operator_sessions (
      token_hash bytea primary key,
      operator_id text not null references operators (id),
      pending boolean not null,
      tries int not null default 0,
      ip text not null,
      device text not null,
      -- Until when calls that need a fresh code are allowed.
      fresh_until bigint not null default 0,
      created_at bigint not null,
      last_seen bigint not null
    );
    create index operator_sessions_operator on operator_sessions (operator_id);
    create index operator_sessions_time on operator_sessions (last_seen);

    create index audit_log_operator on audit_log (seq desc)
      where merchant_id = '' and type in ('command', 'operator', 'operator_began');

    revoke delete on operators from coffer_app;
  `.execute(db)
}
