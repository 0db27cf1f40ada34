import { type Kysely, sql } from 'kysely'

/** A change that needs an entry in the shop's chain: of which table, when, and the types of entries. */
interface Rule {
  table: string
  on: 'insert' | 'update'
  /** The column that names the chain. */
  owner: string
  when: string
  types: string[]
}

const changed = (...columns: string[]) =>
  `(${columns.map(name => `old.${name}`).join(', ')}) is distinct from (${columns.map(name => `new.${name}`).join(', ')})`

const ofMember = { table: 'members', owner: 'merchant_id' } as const

const rules: Rule[] = [
  // Who opens a shop is its owner; everybody else accepts an invitation.
  {
    ...ofMember,
    on: 'insert',
    when: `new.merchant_id <> '' and (new.person_id <> new.merchant_id or new.role <> 'owner')`,
    types: ['member_joined'],
  },
  {
    ...ofMember,
    on: 'update',
    when: `new.merchant_id <> '' and ${changed('role', 'since', 'refund_limit', 'changes')}`,
    types: ['member_joined', 'member_role_changed'],
  },
  {
    ...ofMember,
    on: 'update',
    when: `new.merchant_id <> '' and new.removed_at is not null and ${changed('removed_at')}`,
    types: ['member_removed', 'member_left', 'closed'],
  },
  {
    ...ofMember,
    on: 'update',
    when: `new.merchant_id <> '' and new.removed_at is null and old.removed_at is not null`,
    types: ['member_joined'],
  },
  // Invitations to shops have rows of their own.
  { ...ofMember, on: 'update', when: `new.merchant_id <> '' and ${changed('invitation_hash')}`, types: [] },
  { table: 'member_invitations', owner: 'merchant_id', on: 'insert', when: 'true', types: ['member_invited'] },
  { table: 'member_invitations', owner: 'merchant_id', on: 'update', when: 'true', types: ['member_invited'] },
  { table: 'member_agreements', owner: 'merchant_id', on: 'insert', when: 'true', types: ['member_agreed'] },
  {
    table: 'merchants',
    owner: 'id',
    on: 'update',
    when: changed('second_factor_required'),
    types: ['second_factor_rule_changed'],
  },
  {
    table: 'merchants',
    owner: 'id',
    on: 'update',
    when: changed('contact_id'),
    types: ['member_removed', 'member_left', 'member_role_changed'],
  },
]

/**
 * Why: several people work for one shop. An owner invites an address, which need not belong to a person yet, so that an
 * invitation is a row of its own until it was used. Every change of who belongs to a shop, and as what, needs its entry
 * in the chain of the shop.
 *
 * - `refund_limit`: the most that a member whose role refunds within a limit may refund within 24 hours, in USDT as
 *   `payments.usdt_amount`; null for other roles
 * - `second_factor_required`: members without a second factor bind one before anything else
 * - `contact_id`: the owner whose e-mail and language a shop has, once who opened it left; null: who opened it
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table members add column refund_limit base_units check (refund_limit >= 0);
    alter table merchants add column second_factor_required boolean not null default false,
      add column contact_id text references persons (id);
    create index merchants_contact on merchants ((coalesce(contact_id, id)));
    create table member_invitations (
      merchant_id text not null references merchants (id),
      email text not null,
      id text not null unique,
      role text not null,
      refund_limit base_units check (refund_limit >= 0),
      hash bytea not null unique,
      until bigint not null,
      -- Id of the person; empty: an application by its key.
      invited_by text not null,
      created_at bigint not null,
      primary key (merchant_id, email)
    );
    -- Who of the owners asked for what takes two of them.
    create table member_agreements (
      merchant_id text not null references merchants (id),
      subject text not null,
      person_id text not null references persons (id),
      created_at bigint not null,
      primary key (merchant_id, subject, person_id)
    );
    revoke update on member_agreements from coffer_app;
    do $$ declare name text; begin
      -- The rules about members of shops so far: nobody was added, and a part ended with the account only.
      for name in select tgname from pg_trigger where tgrelid = 'members'::regclass and tgname like 'audited_people_%'
        and pg_get_triggerdef(oid) ~ 'merchant_id <> ''''' loop
        execute format('drop trigger %I on members', name);
      end loop;
    end $$;
  `.execute(db)
  for (const [index, { table, owner, on, when, types }] of rules.entries())
    await sql
      .raw(
        `create constraint trigger audited_members_${index} after ${on} on ${table} deferrable initially deferred
         for each row when (${when}) execute function require_audit(${[owner, ...types].map(each => `'${each}'`).join(', ')})`,
      )
      .execute(db)
}
