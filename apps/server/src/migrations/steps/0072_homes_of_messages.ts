import { type Kysely, sql } from 'kysely'

/**
 * Why: an operator has one clock and one set of quiet hours, as everybody who reads messages. Owners learn which keys
 * of connected shops somebody knows who leaves, so it is stored who made each: those that exist were made by the owner,
 * who was alone. A group that refuses what it is sent keeps its place until it takes messages again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update persons p set quiet_from = s.quiet_from, quiet_until = s.quiet_until, time_zone = s.time_zone,
      time_zone_chosen = true
    from operator_alert_settings s where s.operator_id = p.id;
    alter table operator_alert_settings drop column quiet_from, drop column quiet_until, drop column time_zone;

    alter table shop_connections
      -- Who made the key, and the one that it replaced.
      add column key_by text not null default '',
      add column previous_key_by text not null default '';
    update shop_connections set key_by = merchant_id,
      previous_key_by = case when previous_key_hash is null then '' else merchant_id end;

    -- What of the set-up of a group refuses messages: nothing is sent there until a test succeeds. Empty: nothing.
    alter table message_channels add column refused text not null default '';

    -- Who may change the people of a shop by a key has no setting.
    alter table message_settings add check (event <> 'account_members_allowed');
  `.execute(db)
}
