import { type Kysely, sql } from 'kysely'

/** Why: operators see whether all money is accounted for, by whichever server compared it last, who does what about an incident, and are notified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The last comparison of each asset with what our addresses hold, in base units.
    create table comparisons (
      asset_id text primary key references assets (id),
      verdict text not null check (verdict in ('agrees', 'shortage', 'surplus')),
      found numeric(78, 0) not null,
      -- What is missing beyond what may have left the chain already.
      missing numeric(78, 0) not null check (missing >= 0 and (missing > 0) = (verdict = 'shortage')),
      compared_at bigint not null,
      -- Since when the verdict is this one.
      since bigint not null
    );

    -- The incident with the same cause that was open before.
    alter table incidents add column part_of text references incidents (id) check (part_of <> id);
    -- When the cause of one that ends by itself was last seen.
    alter table incidents add column seen_at bigint;
    create index incidents_open on incidents (created_at, id) where resolved_at is null;
    create index incidents_parts on incidents (part_of) where part_of is not null;

    -- What operators did about an incident.
    create table incident_entries (
      id bigint generated always as identity primary key,
      incident_id text not null references incidents (id),
      what text not null check (what in ('took', 'noted', 'ticked', 'unticked', 'closed', 'ended')),
      who text not null,
      -- The step, the note, or the reason.
      text text not null,
      created_at bigint not null
    );
    create index incident_entries_of on incident_entries (incident_id, id);
    revoke update, delete on incident_entries from coffer_app;

    -- The treasury that the signer named last, per chain, in stored form; null: none. A change is an incident.
    create table treasuries (
      chain_id text primary key references chains (id),
      address text
    );

    -- Addresses of systems that get what operators are notified of, as signed JSON.
    create table alert_hooks (
      id text primary key,
      url text not null,
      kinds text[] not null,
      -- Sealed.
      secret text not null,
      -- The secret before, which also signs until it ends.
      previous_secret text not null default '',
      previous_until bigint not null default 0,
      created_at bigint not null
    );

    -- Browsers on which operators see what they are notified of.
    create table alert_devices (
      -- SHA-256 of the endpoint, in hex.
      id text primary key,
      operator_id text not null references operators (id),
      endpoint text not null,
      p256dh text not null,
      auth text not null,
      language text not null,
      -- Name of the browser and system.
      device text not null,
      created_at bigint not null
    );
    create index alert_devices_of on alert_devices (operator_id, created_at);

    -- What operators and systems are notified of, one for each receiver: also the record that it was reported.
    create table operator_alerts (
      -- Id of the operator, who gets a mail, of the operator's device, or of the hook.
      receiver text not null,
      way text not null check (way in ('mail', 'push', 'hook')),
      -- What is reported, such as an incident, or one request for a decision.
      subject text not null,
      kind text not null check (kind in ('incident', 'withdrawal', 'refund', 'opening', 'removal', 'decision')),
      -- Id of the incident, payout, merchant or decision.
      object text not null,
      created_at bigint not null,
      -- When it is sent, or, while it is being sent, when another attempt may begin.
      due_at bigint not null,
      tries int not null default 0,
      -- When it was sent or dropped.
      done_at bigint,
      -- How the last attempt ended; empty where nothing was sent.
      result text not null default '',
      primary key (subject, receiver)
    );
    create index operator_alerts_due on operator_alerts (due_at) where done_at is null;
    create index operator_alerts_time on operator_alerts (created_at);
    create index operator_alerts_receiver on operator_alerts (receiver, created_at);

    -- What each operator chose about these mails. Those about incidents that stop money come in any case.
    create table operator_alert_settings (
      operator_id text primary key references operators (id),
      -- Kinds without mails.
      off text[] not null,
      -- Hours of the day in which only such incidents are mailed; the same hour twice: none.
      quiet_from int not null check (quiet_from between 0 and 23),
      quiet_until int not null check (quiet_until between 0 and 23),
      time_zone text not null
    );
  `.execute(db)
}
