import { type Kysely, sql } from 'kysely'

/**
 * Why: the ledger reads what it is given once instead of four times, and its postings lock no account but the merchant's.
 * Final blocks can be read again, and a payment waits for every chain that its payer had chosen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop function ledger_post (jsonb, jsonb);
    drop function ledger_groups_of (jsonb, jsonb);

    -- The accounts themselves are made by ledger_post: keys to them locked the rows of the house for everybody.
    alter table ledger_postings
      drop constraint ledger_postings_debit_account_asset_id_fkey,
      drop constraint ledger_postings_credit_account_asset_id_fkey,
      add constraint ledger_postings_asset check (
        split_part(debit_account, '/', 3) = asset_id and split_part(credit_account, '/', 3) = asset_id
      );
    alter table ledger_accounts drop constraint ledger_accounts_id_asset_id_key;

    -- From which block on the operator wants final blocks read again; null when nothing is.
    alter table chains add column reread_from bigint;

    -- Chains that a payer had chosen before another one: what was sent there may not have been read yet.
    create table payment_chains_left (
      merchant_id text not null,
      trade_no text not null,
      chain_id text not null references chains (id),
      primary key (merchant_id, trade_no, chain_id)
    );

    -- Rows stand in the order in which they were made, so that a few bytes for each range of pages find the latest.
    create index payments_lately on payments using brin (created_at);
  `.execute(db)
  await given(db)
  await post(db)
  await sql`
    revoke all on function ledger_given (jsonb, jsonb), ledger_post (jsonb, jsonb) from public;
    grant execute on function ledger_post (jsonb, jsonb) to coffer_app;
  `.execute(db)
}

/** What `ledger_post` was given, read once: its groups, each with the hash of what it moves, and its postings in order. */
async function given(db: Kysely<unknown>): Promise<void> {
  await sql`
    create type ledger_given_group as (
      nr bigint, id text, source text, reverses text, memo jsonb, created_at bigint, body_hash bytea
    );
    create type ledger_given_posting as (
      nr bigint, merchant_id text, id text, group_id text, place int, kind text, asset_id text, debit_account text,
      credit_account text, amount base_units, created_at bigint
    );
    create function ledger_given(
      groups jsonb, postings jsonb, out asked ledger_given_group[], out given ledger_given_posting[]
    )
    language sql immutable set search_path = public, pg_temp as $$
      with g as materialized (
        select * from rows from (
          jsonb_to_recordset(groups) as (id text, source text, reverses text, memo jsonb, created_at bigint)
        ) with ordinality as g (id, source, reverses, memo, created_at, nr)
      ), p as materialized (
        select row_number() over (order by g.nr, p.place) as nr, g.created_at, p.*,
          coalesce(p.debit_merchant, 'house') as debit_owner, coalesce(p.credit_merchant, 'house') as credit_owner
        from g join jsonb_to_recordset(postings) as p (id text, group_id text, place int, kind text, asset_id text,
          debit_merchant text, debit_part text, credit_merchant text, credit_part text, amount base_units)
          on p.group_id = g.id
      ), h as (
        select group_id, sha256(convert_to(string_agg(concat_ws(' ', kind, asset_id, debit_owner, debit_part, credit_owner,
          credit_part, amount), ', ' order by nr), 'UTF8')) as body_hash
        from p group by group_id
      )
      select
        (select array_agg(row(g.nr, g.id, g.source, g.reverses, coalesce(g.memo, '{}'), g.created_at,
            h.body_hash)::ledger_given_group order by g.nr)
          from g left join h on h.group_id = g.id),
        (select array_agg(row(nr, coalesce(debit_merchant, credit_merchant, 'house'), id, group_id, place, kind, asset_id,
            debit_owner || '/' || debit_part || '/' || asset_id, credit_owner || '/' || credit_part || '/' || asset_id,
            amount, created_at)::ledger_given_posting order by nr)
          from p)
    $$
  `.execute(db)
}

/**
 * `ledger_post(groups, postings)` takes groups [{id, source, reverses?, memo?, created_at}], where `reverses` is the source
 * of another group, and postings [{id, group_id, place, kind, asset_id, debit_merchant?, debit_part, credit_merchant?,
 * credit_part, amount}]; without a merchant it is the house. Gives for each group, in order, the id it has in the ledger
 * and whether this call wrote it. A source that was posted before with the same body writes nothing and gives the first;
 * with another body it is the error CF001. A reversal that is no mirror of what it reverses is CF002.
 */
async function post(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function ledger_post(groups jsonb, postings jsonb)
    returns table (source text, group_id text, fresh boolean)
    language plpgsql security definer set search_path = public, pg_temp as $$
    #variable_conflict use_column
    declare
      asked ledger_given_group[];
      given ledger_given_posting[];
      fresh_ids text[];
      account_ids text[];
      reversing boolean;
      problem text;
    begin
      select r.asked, r.given into asked, given from ledger_given(groups, postings) r;
      reversing := exists (select from unnest(asked) g where g.reverses is not null);

      with written as (
        insert into ledger_groups (id, source, body_hash, reverses, memo, created_at)
        select g.id, g.source, g.body_hash, (select r.id from ledger_groups r where r.source = g.reverses), g.memo, g.created_at
        from unnest(asked) g
        order by g.source
        on conflict (source) do nothing
        returning id
      )
      select coalesce(array_agg(id), '{}') into fresh_ids from written;

      -- Of what was all written just now, only a reversal can be wrong.
      if reversing or cardinality(fresh_ids) < cardinality(asked) then
        select g.source into problem from unnest(asked) g join ledger_groups l on l.source = g.source
        where l.body_hash is distinct from g.body_hash or (l.reverses is null) <> (g.reverses is null) limit 1;
        if found then
          raise exception using errcode = 'CF001', message = 'ledger: ' || problem || ' contradicts what was posted under its name';
        end if;
        given := array(select p from unnest(given) p where p.group_id = any (fresh_ids) order by p.nr);
      end if;

      account_ids := array(
        select distinct a.id from unnest(given) p, lateral (values (p.debit_account), (p.credit_account)) a (id)
      );

      insert into ledger_accounts (id, merchant_id, part, asset_id, balance)
      select w.id, nullif(split_part(w.id, '/', 1), 'house'), split_part(w.id, '/', 2), split_part(w.id, '/', 3),
        case when w.id like 'house/%' then null else 0 end
      from unnest(account_ids) w (id)
      where not exists (select from ledger_accounts a where a.id = w.id)
      order by w.id
      on conflict (id) do nothing;

      perform from ledger_accounts a where a.id = any (account_ids) and a.balance is not null order by a.id for no key update;

      with entries as (
        select nr, true as is_debit, debit_account as account, -amount as change from unnest(given)
        union all
        select nr, false, credit_account, amount from unnest(given)
      ), running as (
        select e.nr, e.is_debit, e.account, e.change, a.balance + sum(e.change) over (partition by e.account order by e.nr) as after
        from entries e join ledger_accounts a on a.id = e.account and a.balance is not null
      ), moved as (
        update ledger_accounts a set balance = a.balance + t.change
        from (select account, sum(change) as change from running group by account) t where a.id = t.account
      ), afters as (
        select nr, max(after) filter (where is_debit) as debit_after, max(after) filter (where not is_debit) as credit_after
        from running group by nr
      )
      insert into ledger_postings (merchant_id, id, group_id, place, kind, asset_id, debit_account, credit_account, amount,
        debit_after, credit_after, created_at)
      select p.merchant_id, p.id, p.group_id, p.place, p.kind, p.asset_id, p.debit_account, p.credit_account, p.amount,
        a.debit_after, a.credit_after, p.created_at
      from unnest(given) p left join afters a on a.nr = p.nr;

      if reversing then
        select l.source into problem from ledger_groups l where l.id = any (fresh_ids) and l.reverses is not null and
          (select string_agg(concat_ws(' ', kind, debit_account, credit_account, amount), ', ' order by place)
            from ledger_postings where group_id = l.id) is distinct from
          (select string_agg(concat_ws(' ', kind, credit_account, debit_account, amount), ', ' order by place desc)
            from ledger_postings where group_id = l.reverses) limit 1;
        if found then
          raise exception using errcode = 'CF002', message = 'ledger: ' || problem || ' does not mirror what it reverses';
        end if;
      end if;

      return query select l.source, l.id, l.id = any (fresh_ids)
        from unnest(asked) g join ledger_groups l on l.source = g.source order by g.nr;
    end $$
  `.execute(db)
}
