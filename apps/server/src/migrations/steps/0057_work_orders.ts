import { type Kysely, sql } from 'kysely'

/** Why: merchants ask the operator inside the back-office. A work order is a thread of messages, which are kept as they were written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table work_orders (
      merchant_id text not null references merchants (id),
      number text not null unique,
      type text not null check (type in ('payment', 'withdrawal', 'callback', 'account', 'billing', 'other')),
      theme text not null,
      -- 1 in progress, 2 answered, 3 closed.
      status int not null check (status between 1 and 3),
      about_kind text check (about_kind in ('payment', 'withdrawal', 'callback')),
      about_id text,
      -- Whether the merchant has not read the last answer.
      unread boolean not null default false,
      created_at bigint not null,
      updated_at bigint not null,
      closed_at bigint,
      primary key (merchant_id, number),
      constraint work_orders_about check ((about_kind is null) = (about_id is null)),
      constraint work_orders_closed check ((status = 3) = (closed_at is not null))
    );
    create index work_orders_list on work_orders (merchant_id, updated_at desc, number desc);
    create index work_orders_waiting on work_orders (updated_at, number) where status = 1;

    create table work_order_messages (
      merchant_id text not null,
      number text not null,
      id text not null,
      -- The operator's name in an answer; null: the merchant.
      operator text,
      text text not null,
      pictures text[] not null default '{}' check (cardinality(pictures) <= 5),
      created_at bigint not null,
      primary key (merchant_id, number, id),
      foreign key (merchant_id, number) references work_orders (merchant_id, number)
    );

    revoke delete on work_orders from coffer_app;
    revoke update, delete on work_order_messages from coffer_app;
  `.execute(db)
}
