import { type Kysely, sql } from 'kysely'

/** Why: a merchant may sign in with several providers; each is a row, and a new provider needs no new column. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identities (
      provider text not null,
      subject text not null,
      merchant_id text not null references merchants (id),
      created_at bigint not null,
      primary key (provider, subject),
      unique (merchant_id, provider)
    );
    insert into identities (provider, subject, merchant_id, created_at)
      select 'google', google_sub, id, created_at from merchants where google_sub is not null;
    alter table merchants drop column google_sub;
  `.execute(db)
}
