import { type Kysely, sql } from 'kysely'

/**
 * Why: devices of operators had a table of their own, which knew nothing of sessions that end: a device of a thief went on showing
 * alerts after a new one-time link. All devices that are pushed to are in one. Those of operators who are gone are not carried over.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Null: the installation, whose devices are those of operators, bound to no session.
    alter table push_devices alter column merchant_id drop not null;
    insert into push_devices (id, person_id, merchant_id, session_id, endpoint, p256dh, auth, language, device, created_at, seen_at)
      select d.id, d.operator_id, null, '', d.endpoint, d.p256dh, d.auth, d.language, d.device, d.created_at, d.created_at
      from alert_devices d join persons p on p.id = d.operator_id and p.deleted_at is null
      on conflict do nothing;
    drop table alert_devices;
  `.execute(db)
}
