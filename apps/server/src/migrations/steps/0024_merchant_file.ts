import { type Kysely, sql } from 'kysely'

/** Why: whoever reviews a merchant sees what was applied for before, who decided what and why, and what colleagues noted; a frozen merchant may read why. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What happened between operators and a merchant. Nothing in it is shown to the merchant.
    create table merchant_entries (
      id bigint generated always as identity primary key,
      merchant_id text not null references merchants (id),
      what text not null check (what in (
        'applied', 'advanced', 'approved', 'refused', 'documents_requested', 'noted', 'risk_requested', 'risk_set', 'frozen', 'unfrozen')),
      -- The operator's e-mail; empty: the merchant, or nobody who was signed in.
      who text not null,
      -- The reason, the note, or the question.
      text text not null,
      -- The application, the risk levels, or the number of the work order.
      details jsonb not null,
      created_at bigint not null
    );
    create index merchant_entries_of on merchant_entries (merchant_id, id);
    revoke update, delete on merchant_entries from coffer_app;

    -- Why the account is frozen, for the merchant to read; empty: nothing is said.
    alter table merchants add column frozen_reason text not null default '';

    insert into merchant_entries (merchant_id, what, who, text, details, created_at)
    select m.id, 'applied', '', '', jsonb_build_object(
        'name', m.name, 'website', m.website, 'phone', case when m.phone = '' then '' else '+' || m.area_code || ' ' || m.phone end, 'country', coalesce(m.address ->> 'country', ''),
        'city', coalesce(m.address ->> 'city', ''), 'street', coalesce(m.address ->> 'street', '')),
      coalesce((select max(l.created_at) from audit_log l where l.merchant_id = m.id and l.type = 'opening_requested'), m.created_at)
    from merchants m where m.status <> 0 and m.deleted_at is null;
  `.execute(db)
}
