import { type Kysely, sql } from 'kysely'

/**
 * Why: who did what, from where and with which factor must be provable, failures included. The account log becomes the audit log: a
 * hash chain per merchant, and one for the operator and for accounts that do not exist (merchant_id '').
 *
 * The server's role may only read the log. It is written by `audit_append`, which locks the head of a chain and never that of
 * another merchant. `domains/audit/check-audit.ts` computes the same hashes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      merchant_id text not null,
      seq bigint not null,
      type text not null,
      outcome text not null check (outcome in ('done', 'refused')),
      reason text not null,
      factor text not null,
      subject text not null,
      ip text not null,
      device text not null,
      address text not null,
      created_at bigint not null,
      hash bytea not null,
      session text not null default '',
      primary key (merchant_id, seq)
    );
    create table audit_heads (
      merchant_id text primary key,
      seq bigint not null,
      hash bytea not null
    );

    -- SHA-256 over the previous hash and the fields, each preceded by its length in bytes and a colon. The session is covered only
    -- where there is one; because of the lengths, adding or removing it changes the hash.
    create function audit_hash(previous bytea, fields text[]) returns bytea
    language sql immutable set search_path = public, pg_temp as $$
      select sha256(previous || convert_to(
        (select string_agg(octet_length(f) || ':' || f, '' order by n) from unnest(fields) with ordinality as t (f, n)),
        'UTF8'))
    $$;

    create function audit_append(entries jsonb) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      head audit_heads;
      entry record;
    begin
      -- One order of locks for all writers.
      insert into audit_heads (merchant_id, seq, hash)
        select distinct e ->> 'merchant_id', 0, ''::bytea from jsonb_array_elements(entries) as e order by 1
        on conflict do nothing;
      for entry in
        select e.*, coalesce(e.named, '') as session from rows from (
          jsonb_to_recordset(entries) as (merchant_id text, type text, outcome text, reason text, factor text,
            subject text, ip text, device text, address text, created_at bigint, session text)
        ) with ordinality as e (merchant_id, type, outcome, reason, factor, subject, ip, device, address, created_at,
          named, n)
        order by e.merchant_id, e.n
      loop
        if head.merchant_id is distinct from entry.merchant_id then
          select * into strict head from audit_heads h where h.merchant_id = entry.merchant_id for update;
        end if;
        head.seq := head.seq + 1;
        head.hash := audit_hash(head.hash, array[entry.merchant_id, head.seq::text, entry.type, entry.outcome,
            entry.reason, entry.factor, entry.subject, entry.ip, entry.device, entry.address, entry.created_at::text]
          || case when entry.session = '' then '{}' else array[entry.session] end);
        insert into audit_log (merchant_id, seq, type, outcome, reason, factor, subject, ip, device, address,
            created_at, hash, session)
          values (entry.merchant_id, head.seq, entry.type, entry.outcome, entry.reason, entry.factor, entry.subject,
            entry.ip, entry.device, entry.address, entry.created_at, head.hash, entry.session);
        update audit_heads h set seq = head.seq, hash = head.hash where h.merchant_id = head.merchant_id;
      end loop;
    end
    $$;

    select audit_append(jsonb_agg(jsonb_build_object('merchant_id', merchant_id, 'type', type, 'outcome', 'done',
        'reason', '', 'factor', '', 'subject', '', 'ip', ip, 'device', device, 'address', address,
        'created_at', created_at) order by created_at, id))
      from account_log group by merchant_id;
    drop table account_log;

    revoke insert, update, delete on audit_log, audit_heads from coffer_app;
    revoke all on function audit_hash (bytea, text[]), audit_append (jsonb) from public;
    grant execute on function audit_append (jsonb) to coffer_app;
  `.execute(db)
}
