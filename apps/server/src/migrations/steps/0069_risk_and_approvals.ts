import { type Kysely, sql } from 'kysely'

/**
 * Why: operators judge merchants and give them terms of their own, and what matters most takes two people. An approval is kept with who
 * gave it, so that the same person never counts twice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table merchants add column risk_level text not null default ''
      check (risk_level in ('', 'fail', 'pass', 'excellent', 'abnormal'));
    -- In USDT. Null: the limit of the configuration.
    alter table merchants add column withdraw_single_max int check (withdraw_single_max >= 0);
    alter table merchants add column withdraw_day_max int check (withdraw_day_max >= 0);
    alter table merchants add column withdraw_approval_above int check (withdraw_approval_above >= 0);

    create table operator_approvals (
      subject text not null,
      who text not null,
      created_at bigint not null,
      primary key (subject, who)
    );
    -- Before a withdrawal is approved, all that went to its address is looked at.
    create index withdrawals_address on withdrawals (to_address, created_at desc);
    revoke update, delete on operator_approvals from coffer_app;
  `.execute(db)
}
