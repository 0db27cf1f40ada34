import { type Kysely, sql } from 'kysely'

/**
 * Why: phones show received payments as push messages (RFC 8030). A push is queued in the transaction of its notification. It has no
 * foreign key, so that a device that is being removed never holds up a credit: pushes of removed devices are dropped when they are due.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The VAPID keys (RFC 8292) of the installation, made once: devices are subscribed to the public one.
    create table push_keys (
      public_key text primary key,
      -- Sealed.
      private_key text not null,
      created_at bigint not null
    );
    create unique index push_keys_one on push_keys ((true));
    revoke delete on push_keys from coffer_app;

    create table push_devices (
      -- SHA-256 of the endpoint, in hex.
      id text primary key,
      merchant_id text not null references merchants (id),
      -- The session that subscribed last. It may have expired.
      session_id text not null,
      endpoint text not null,
      p256dh text not null,
      auth text not null,
      language text not null,
      -- Name of the browser and system, for the list of devices.
      device text not null,
      created_at bigint not null,
      -- The last sign-in on the device: 90 days later it ends.
      seen_at bigint not null
    );
    create index push_devices_merchant on push_devices (merchant_id);

    create table pushes (
      device_id text not null,
      notification_id text not null,
      message text not null,
      params jsonb not null,
      created_at bigint not null,
      -- When it is sent, or, while it is being sent, when another attempt may begin.
      due_at bigint not null,
      tries int not null default 0,
      primary key (device_id, notification_id)
    );
    create index pushes_due on pushes (due_at);
  `.execute(db)
}
