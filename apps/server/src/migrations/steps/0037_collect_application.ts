import { type Kysely, sql } from 'kysely'

/**
 * Why: the application of Collect was known by its name, which depends on the language and which its merchant may change. `applications.collects`
 * marks it: at most one of a merchant that is not deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table applications add column collects boolean not null default false;
    update applications a set collects = true
    where lower(name) in ('collect', '收款') and (deleted_at is not null or not exists (
      select from applications b where b.merchant_id = a.merchant_id and b.deleted_at is null
        and lower(b.name) in ('collect', '收款') and (b.created_at, b.appid) < (a.created_at, a.appid)));
    create unique index applications_collect on applications (merchant_id) where collects and deleted_at is null;
  `.execute(db)
}
