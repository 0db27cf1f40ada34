import { type Kysely, sql } from 'kysely'

/**
 * Why: the fund flow lists entries of one second by their ids, which were made before the call waited for its accounts.
 * Of two calls at once, the balance after an entry could then be that after its neighbour. `ledger_post` makes the ids
 * itself, once it has the accounts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- An id as the application makes them (RFC 9562, version 7), without its last seven digits: milliseconds, then microseconds within one,
    -- then 35 random bits, as calls for other accounts may fall on the same microsecond.
    create function ledger_posting_id(at timestamptz) returns text
    language sql volatile set search_path = public, pg_temp as $$
      select substr(ms, 1, 8) || '-' || substr(ms, 9) || '-7' || lpad(to_hex(us % 1000), 3, '0') || '-' || substr(random, 20, 4) || '-'
        || substr(random, 25, 5)
      from (
        select us, lpad(to_hex(us / 1000), 12, '0') as ms, gen_random_uuid()::text as random
        from (select (extract(epoch from at) * 1000000)::bigint as us) t
      ) parts
    $$;
    revoke all on function ledger_posting_id (timestamptz) from public;
  `.execute(db)
  await post(db)
}

/**
 * `ledger_post(groups, postings)` takes groups [{id, source, reverses?, memo?, created_at}], where `reverses` is the
 * source of another group, and postings [{group_id, place, kind, asset_id, debit_merchant?, debit_part,
 * credit_merchant?, credit_part, amount}]; without a merchant it is the house. Gives for each group, in order, the id
 * it has in the ledger and whether this call wrote it. A source that was posted before with the same body writes
 * nothing and gives the first; with another body it is the error CF001. A reversal that is no mirror of what it
 * reverses is CF002.
 */
async function post(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function ledger_post(groups jsonb, postings jsonb)
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
      first_id text;
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
      -- Made now that no other call changes these accounts, the ids are in the order of the balances.
      first_id := ledger_posting_id(clock_timestamp());

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
      select p.merchant_id, first_id || lpad(to_hex(p.nr), 7, '0'), p.group_id, p.place, p.kind, p.asset_id, p.debit_account, p.credit_account, p.amount,
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
