import { type Kysely, sql } from 'kysely'
import { makeAppRole } from '../app-role.ts'

/**
 * Why: money is kept as double entry, and what always holds of it holds in the database, whatever the server does.
 *
 * The server works as the role `coffer_app`, which may read the ledger and nothing more. What changes it is one function,
 * `ledger_post`: it locks accounts in one order, writes each posting with both balances after it, and keeps every balance
 * the sum of its postings. Constraints hold the rest.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeAppRole(db)
  await tables(db)
  await readGroups(db)
  await post(db)
  await sql`
    grant usage on schema public to coffer_app;
    grant select, insert, update, delete on all tables in schema public to coffer_app;
    alter default privileges in schema public grant select, insert, update, delete on tables to coffer_app;
    revoke insert, update, delete on ledger_accounts, ledger_groups, ledger_postings from coffer_app;
    revoke all on function ledger_groups_of (jsonb, jsonb), ledger_post (jsonb, jsonb) from public;
    grant execute on function ledger_post (jsonb, jsonb) to coffer_app;
  `.execute(db)
}

async function tables(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A plain numeric(78, 0) would round 1.5 to 2 without a word. The comparison is false for NaN and the infinities.
    create domain base_units as numeric check (scale(value) = 0 and abs(value) < 1e78);

    create table chains (
      id text primary key,
      kind text not null,
      definition jsonb not null,
      enabled boolean not null default true,
      last_number bigint,
      last_hash text,
      last_time bigint not null default 0,
      final_number bigint not null default -1,
      head_number bigint not null default 0,
      read_at bigint not null default 0,
      halted text
    );

    create table assets (
      id text primary key check (id not like '%/%'),
      chain_id text not null references chains (id),
      symbol text not null,
      contract text check (contract = lower(contract)),
      decimals int not null check (decimals between 0 and 36),
      enabled boolean not null default true
    );
    create unique index assets_contract on assets (chain_id, coalesce(contract, ''));

    create table ledger_accounts (
      id text primary key,
      merchant_id text references merchants (id),
      part text not null,
      asset_id text not null references assets (id),
      balance base_units,
      unique (id, asset_id),
      constraint ledger_accounts_name check (id = coalesce(merchant_id, 'house') || '/' || part || '/' || asset_id),
      constraint ledger_accounts_part check (
        case when merchant_id is null then part in ('chain', 'fees', 'gas', 'suspense') else part in ('available', 'held') end
      ),
      constraint ledger_accounts_balance check ((merchant_id is null) = (balance is null)),
      constraint ledger_accounts_not_negative check (balance >= 0)
    );
    create index ledger_accounts_merchant on ledger_accounts (merchant_id);

    create table ledger_groups (
      id text primary key,
      source text not null unique,
      body_hash bytea not null,
      reverses text unique references ledger_groups (id),
      memo jsonb not null,
      created_at bigint not null
    );

    create table ledger_postings (
      merchant_id text not null,
      id text not null,
      group_id text not null references ledger_groups (id),
      place int not null,
      kind text not null,
      asset_id text not null,
      debit_account text not null,
      credit_account text not null,
      amount base_units not null,
      debit_after base_units,
      credit_after base_units,
      created_at bigint not null,
      primary key (merchant_id, id),
      unique (group_id, place),
      foreign key (debit_account, asset_id) references ledger_accounts (id, asset_id),
      foreign key (credit_account, asset_id) references ledger_accounts (id, asset_id),
      constraint ledger_postings_amount check (amount > 0),
      constraint ledger_postings_two_accounts check (debit_account <> credit_account),
      constraint ledger_postings_not_negative check (debit_after >= 0 and credit_after >= 0),
      -- Between two merchants money passes through the house, so that each posting has one merchant at most.
      constraint ledger_postings_merchant check (
        split_part(debit_account, '/', 1) in ('house', merchant_id)
        and split_part(credit_account, '/', 1) in ('house', merchant_id)
      )
    );
    create index ledger_postings_flow on ledger_postings (merchant_id, created_at desc, id desc);
    create index ledger_postings_asset on ledger_postings (asset_id, created_at);

    -- What the house's chain account held before a moment long past, so that it need not be summed from the beginning.
    create table ledger_checkpoints (
      asset_id text primary key references assets (id),
      before bigint not null,
      chain base_units not null
    );

    -- What is switched off until a person switches it on again, such as withdrawals.
    create table switches (
      name text primary key,
      reason text not null,
      since bigint not null
    );
  `.execute(db)
}

/** Reads what `ledger_post` was given: a row per group, in order, with the hash of what it moves. */
async function readGroups(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function ledger_groups_of(groups jsonb, postings jsonb)
    returns table (nr bigint, id text, source text, reverses text, memo jsonb, created_at bigint, body_hash bytea)
    language sql immutable set search_path = public, pg_temp as $$
      select g.nr, g.one ->> 'id', g.one ->> 'source', g.one ->> 'reverses', coalesce(g.one -> 'memo', '{}'),
        (g.one ->> 'created_at')::bigint, p.body_hash
      from jsonb_array_elements(groups) with ordinality as g (one, nr)
      left join (
        select p.group_id,
          sha256(convert_to(string_agg(concat_ws(' ', p.kind, p.asset_id, coalesce(p.debit_merchant, 'house'), p.debit_part,
            coalesce(p.credit_merchant, 'house'), p.credit_part, p.amount), ', ' order by p.place), 'UTF8')) as body_hash
        from jsonb_to_recordset(postings) as p (group_id text, place int, kind text, asset_id text, debit_merchant text,
          debit_part text, credit_merchant text, credit_part text, amount base_units)
        group by p.group_id
      ) p on p.group_id = g.one ->> 'id'
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
      fresh_ids text[];
      account_ids text[];
      problem text;
    begin
      with written as (
        insert into ledger_groups (id, source, body_hash, reverses, memo, created_at)
        select g.id, g.source, g.body_hash, r.id, g.memo, g.created_at
        from ledger_groups_of(groups, postings) g left join ledger_groups r on r.source = g.reverses
        order by g.source
        on conflict (source) do nothing
        returning id
      )
      select coalesce(array_agg(id), '{}') into fresh_ids from written;

      select g.source into problem from ledger_groups_of(groups, postings) g join ledger_groups l on l.source = g.source
      where l.body_hash is distinct from g.body_hash or (l.reverses is null) <> (g.reverses is null) limit 1;
      if found then
        raise exception using errcode = 'CF001', message = 'ledger: ' || problem || ' contradicts what was posted under its name';
      end if;

      select array_agg(distinct a.id) into account_ids from (
        select coalesce(p.debit_merchant, 'house') || '/' || p.debit_part || '/' || p.asset_id, p.group_id
        from jsonb_to_recordset(postings) as p (group_id text, asset_id text, debit_merchant text, debit_part text)
        union all
        select coalesce(p.credit_merchant, 'house') || '/' || p.credit_part || '/' || p.asset_id, p.group_id
        from jsonb_to_recordset(postings) as p (group_id text, asset_id text, credit_merchant text, credit_part text)
      ) a (id, group_id) where a.group_id = any (fresh_ids);

      insert into ledger_accounts (id, merchant_id, part, asset_id, balance)
      select w.id, nullif(split_part(w.id, '/', 1), 'house'), split_part(w.id, '/', 2), split_part(w.id, '/', 3),
        case when w.id like 'house/%' then null else 0 end
      from unnest(account_ids) w (id)
      where not exists (select from ledger_accounts a where a.id = w.id)
      order by w.id
      on conflict (id) do nothing;

      perform from ledger_accounts a where a.id = any (account_ids) and a.balance is not null order by a.id for no key update;

      with given as (
        select row_number() over (order by g.nr, p.place) as nr, g.created_at, p.*,
          coalesce(p.debit_merchant, 'house') || '/' || p.debit_part || '/' || p.asset_id as debit_account,
          coalesce(p.credit_merchant, 'house') || '/' || p.credit_part || '/' || p.asset_id as credit_account
        from ledger_groups_of(groups, postings) g
        join jsonb_to_recordset(postings) as p (id text, group_id text, place int, kind text, asset_id text,
          debit_merchant text, debit_part text, credit_merchant text, credit_part text, amount base_units)
          on p.group_id = g.id
        where g.id = any (fresh_ids)
      ), entries as (
        select nr, true as is_debit, debit_account as account, -amount as change from given
        union all
        select nr, false, credit_account, amount from given
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
      select coalesce(p.debit_merchant, p.credit_merchant, 'house'), p.id, p.group_id, p.place, p.kind, p.asset_id,
        p.debit_account, p.credit_account, p.amount, a.debit_after, a.credit_after, p.created_at
      from given p left join afters a on a.nr = p.nr;

      select l.source into problem from ledger_groups l where l.id = any (fresh_ids) and l.reverses is not null and
        (select string_agg(concat_ws(' ', kind, debit_account, credit_account, amount), ', ' order by place)
          from ledger_postings where group_id = l.id) is distinct from
        (select string_agg(concat_ws(' ', kind, credit_account, debit_account, amount), ', ' order by place desc)
          from ledger_postings where group_id = l.reverses) limit 1;
      if found then
        raise exception using errcode = 'CF002', message = 'ledger: ' || problem || ' does not mirror what it reverses';
      end if;

      return query select l.source, l.id, l.id = any (fresh_ids)
        from ledger_groups_of(groups, postings) g join ledger_groups l on l.source = g.source order by g.nr;
    end $$
  `.execute(db)
}
