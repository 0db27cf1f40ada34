import { type Kysely, sql } from 'kysely'

/**
 * Why: pushes had a queue of their own, which knew nothing of services that are away. They are messages by the channel push, whose
 * address is the id of a device. Those that wait are carried over, except to devices that are gone, which got none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into messages (id, realm, merchant_id, person_id, audience, channel, address, event, params, created_at, due_at, tries)
    select left(p.notification_id, 18) || left(encode(sha256(convert_to(p.notification_id || ' ' || p.device_id, 'UTF8')), 'hex'), 18),
      'shop', d.merchant_id, d.person_id, coalesce(n.audience, ''), 'push', p.device_id, p.message, p.params, p.created_at, p.due_at, p.tries
    from pushes p join push_devices d on d.id = p.device_id
    left join notifications n on n.merchant_id = d.merchant_id and n.id = p.notification_id;
    drop table pushes;
  `.execute(db)
}
