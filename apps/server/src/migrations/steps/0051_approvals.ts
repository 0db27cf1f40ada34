import { type Kysely, sql } from 'kysely'

/**
 * Why: where several people work for a shop, one asks for a payout and another decides about it in the back-office. So it is kept who
 * asked: whoever made, or last renewed, the secret of a key asks with it. What exists was asked for, and made, by the owner, who was
 * alone. A member's decision is kept with the person, and only with the entry of the audit log that names the same person.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table withdrawals
      -- The person who asked; empty where nobody did, as for a deposit that is given back, or nobody was kept.
      add column requested_by text not null default '',
      -- Whom the policy named, where a member approved; empty where approved_by says so.
      add column approved_for text not null default '';
    update withdrawals set requested_by = merchant_id where status = 1 and origin <> 'return';
    alter table applications
      -- Who made the secret key, and the one that it replaced.
      add column secret_by text not null default '',
      add column previous_secret_by text not null default '';
    update applications set secret_by = merchant_id,
      previous_secret_by = case when previous_key_hash is null then '' else merchant_id end;

    create table withdrawal_decisions (
      merchant_id text not null,
      withdrawal_id text not null,
      person_id text not null references persons (id),
      decision text not null check (decision in ('approved', 'rejected')),
      decided_at bigint not null,
      primary key (merchant_id, withdrawal_id),
      foreign key (merchant_id, withdrawal_id) references withdrawals (merchant_id, id),
      foreign key (person_id, merchant_id) references members (person_id, merchant_id)
    );
    revoke update, delete on withdrawal_decisions from coffer_app;

    create function require_decision_audit() returns trigger
    language plpgsql set search_path = pg_catalog, public, pg_temp as $$
    begin
      if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then return null; end if;
      if new.person_id = (select requested_by from withdrawals w where w.merchant_id = new.merchant_id and w.id = new.withdrawal_id) then
        raise insufficient_privilege using message = 'nobody decides about an own withdrawal';
      end if;
      if not exists (
        select from audit_heads h join audit_log l on l.merchant_id = h.merchant_id and l.seq > h.seq - 60
        where h.merchant_id = new.merchant_id and l.xmin = pg_current_xact_id()::xid and l.outcome = 'done'
          and l.type = 'withdrawal_' || new.decision and l.subject = new.withdrawal_id
          and new.person_id = coalesce(nullif(l.person_id, ''), l.merchant_id)
      ) then
        raise insufficient_privilege using message = 'withdrawal_decisions changes only with its entry in the audit log';
      end if;
      return null;
    end
    $$;
    create constraint trigger audited_decisions after insert on withdrawal_decisions deferrable initially deferred
      for each row execute function require_decision_audit();
  `.execute(db)
}
