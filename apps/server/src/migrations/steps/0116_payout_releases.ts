import { type Kysely, sql } from 'kysely'

/** Why: the signer can require a person's passkey for a large payout, so what that person signed is kept until it is sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The newest release of a payout. Each is good for one nonce, so a payout that is sent again needs the next number.
    create table payout_releases (
      owner text not null,
      merchant_id text not null references merchants (id),
      owner_id text not null,
      number int not null check (number > 0),
      release jsonb not null,
      released_by text not null,
      created_at bigint not null,
      primary key (owner, merchant_id, owner_id)
    );
    revoke delete on payout_releases from coffer_app;
  `.execute(db)
}
