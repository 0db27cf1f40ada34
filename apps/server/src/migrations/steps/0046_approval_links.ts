import { type Kysely, sql } from 'kysely'

/**
 * Why: somebody else approves a withdrawal by a link that is mailed to the address that the policy names. A withdrawal has one link at a
 * time, which decides once, with a code sent to the same address.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table withdrawal_approvals (
      merchant_id text not null,
      withdrawal_id text not null,
      token_hash bytea not null unique,
      email text not null,
      expires_at bigint not null,
      code_hash bytea,
      code_until bigint not null default 0,
      code_tries int not null default 0,
      code_sent_at bigint not null default 0,
      decision text check (decision in ('approved', 'rejected')),
      decided_at bigint not null default 0,
      created_at bigint not null,
      primary key (merchant_id, withdrawal_id),
      foreign key (merchant_id, withdrawal_id) references withdrawals (merchant_id, id)
    );
    revoke delete on withdrawal_approvals from coffer_app;
  `.execute(db)
}
