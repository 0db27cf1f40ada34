import { type Kysely, sql } from 'kysely'

/**
 * Why: an entry of the audit log names the session of its request. The hash covers the session only where there is one, so
 * that the hashes of earlier entries, and of those by servers without sessions in the log, stay valid. As every field is
 * preceded by its length, removing or adding a session changes the hash.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table audit_log add column session text not null default '';

    create or replace function audit_append(entries jsonb) returns void
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
  `.execute(db)
}
