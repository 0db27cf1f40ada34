import { type Kysely, sql } from 'kysely'

/** A change that needs an entry: of which table, whose chain has it (a column; '' is the operator's), when, and the types of entries. */
interface Rule {
  table: string
  owner: string
  on: 'insert' | 'update' | 'delete'
  when: string
  types: string[]
}

const changed = (...columns: string[]) =>
  `(${columns.map(name => `old.${name}`).join(', ')}) is distinct from (${columns.map(name => `new.${name}`).join(', ')})`

const credentials = changed('email', 'password_hash', 'authenticator_secret', 'deleted_at')
const membership = changed('role', 'since', 'invitation_hash', 'removed_at')
/** Blocking one only takes access away. */
const passkey = `${changed('id', 'public_key')} or (old.blocked_at is not null and ${changed('blocked_at')})`

const ofConsole: Rule[] = [
  { table: 'persons', owner: '', on: 'insert', when: `new.realm = 'console'`, types: ['operator_changed'] },
  {
    table: 'persons',
    owner: '',
    on: 'update',
    when: `new.realm = 'console' and ${credentials}`,
    types: ['operator_changed', 'sealed_again'],
  },
  { table: 'members', owner: '', on: 'insert', when: `new.merchant_id = ''`, types: ['operator_changed'] },
  {
    table: 'members',
    owner: '',
    on: 'update',
    when: `new.merchant_id = '' and ${membership}`,
    types: ['operator_changed'],
  },
  { table: 'passkeys', owner: '', on: 'insert', when: `new.realm = 'console'`, types: ['operator_changed'] },
  { table: 'passkeys', owner: '', on: 'delete', when: `old.realm = 'console'`, types: ['operator_changed'] },
  {
    table: 'passkeys',
    owner: '',
    on: 'update',
    when: `new.realm = 'console' and (${passkey})`,
    types: ['operator_changed'],
  },
]

const ofShops: Rule[] = [
  {
    table: 'persons',
    owner: 'id',
    on: 'update',
    when: `new.realm = 'shop' and ${credentials}`,
    types: ['closed'],
  },
  // Who opens a shop is its owner. Nobody else becomes a member of one yet.
  {
    table: 'members',
    owner: 'merchant_id',
    on: 'insert',
    when: `new.merchant_id <> '' and (new.person_id <> new.merchant_id or new.role <> 'owner')`,
    types: [],
  },
  {
    table: 'members',
    owner: 'merchant_id',
    on: 'update',
    when: `new.merchant_id <> '' and ${membership}`,
    types: ['closed'],
  },
  { table: 'passkeys', owner: 'person_id', on: 'insert', when: `new.realm = 'shop'`, types: ['passkey_added'] },
  {
    table: 'passkeys',
    owner: 'person_id',
    on: 'delete',
    when: `old.realm = 'shop'`,
    types: ['passkey_removed', 'closed'],
  },
  { table: 'passkeys', owner: 'person_id', on: 'update', when: `new.realm = 'shop' and (${passkey})`, types: [] },
]

/** Nobody becomes somebody else. */
const ofAll: Rule[] = [
  { table: 'persons', owner: 'id', on: 'update', when: changed('id', 'realm'), types: [] },
  { table: 'members', owner: 'merchant_id', on: 'update', when: changed('person_id', 'merchant_id'), types: [] },
  { table: 'passkeys', owner: 'person_id', on: 'update', when: changed('person_id', 'realm'), types: [] },
]

/**
 * Why: operators and merchants signed in by two implementations with tables of their own, and a merchant was one person. A person signs
 * in; a member is a person's part in a shop or, with an empty `merchant_id`, in the installation. An address may belong to a person of
 * each realm, which share nothing: a mailbox that resets a shop's password does not open the console, and the database keeps members,
 * sessions and passkeys within the realm of their person.
 *
 * Who a merchant was is its owner under the same id, and so are operators, so that sessions, devices, passkeys and chains of the audit
 * log keep their meaning. E-mail, password and authenticator of a shop's persons still stand in the merchant's row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makePeople(db)
  await movePeople(db)
  await shareSignIns(db)
  await sql`
    drop table operator_sessions, operator_devices, operator_passkeys, operators;
    revoke delete on persons, members from coffer_app;
  `.execute(db)
  for (const [index, { table, owner, on, when, types }] of [...ofConsole, ...ofShops, ...ofAll].entries())
    await sql
      .raw(
        `create constraint trigger audited_people_${index} after ${on} on ${table} deferrable initially deferred
         for each row when (${when}) execute function require_audit(${[owner, ...types].map(each => `'${each}'`).join(', ')})`,
      )
      .execute(db)
}

async function makePeople(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table persons (
      id text primary key,
      realm text not null check (realm in ('shop', 'console')),
      -- Empty in shops, where it stands in the merchant's row.
      email text not null default '',
      -- Null until the one-time link was used.
      password_hash text,
      authenticator_secret text,
      authenticator_step bigint not null default 0,
      created_at bigint not null,
      deleted_at bigint,
      unique (id, realm),
      constraint persons_console check (
        realm = 'shop' or (email <> '' and (password_hash is null) = (authenticator_secret is null)))
    );
    create unique index persons_email on persons (realm, email) where deleted_at is null and email <> '';

    create table members (
      person_id text not null,
      -- Empty: the installation, whose members are operators.
      merchant_id text not null,
      realm text not null generated always as (case merchant_id when '' then 'console' else 'shop' end) stored,
      shop_id text generated always as (nullif(merchant_id, '')) stored references merchants (id),
      -- One of the roles of the contract: one that it does not know may do nothing.
      role text not null,
      -- From when the person acts in it; who is new is nobody's second person for a day. 0: not yet.
      since bigint not null default 0,
      invitation_hash bytea unique,
      invitation_until bigint,
      -- Id of the person; empty: whoever has the host, or nobody.
      invited_by text not null default '',
      -- Counts invitations, activations and changes of the role, so that what two owners agreed on holds once.
      changes int not null default 0,
      -- When an active member lost the account or the role: for a day nobody is alone because of it.
      changed_at bigint not null default 0,
      created_at bigint not null,
      removed_at bigint,
      primary key (person_id, merchant_id),
      foreign key (person_id, realm) references persons (id, realm),
      check ((invitation_hash is null) = (invitation_until is null))
    );
    create index members_of on members (merchant_id);
  `.execute(db)
}

async function movePeople(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into persons (id, realm, created_at, deleted_at) select id, 'shop', created_at, deleted_at from merchants;
    insert into members (person_id, merchant_id, role, since, created_at, removed_at)
      select id, id, 'owner', created_at, created_at, deleted_at from merchants;
    insert into persons (id, realm, email, password_hash, authenticator_secret, authenticator_step, created_at, deleted_at)
      select id, 'console', email, password_hash, authenticator_secret, authenticator_step, created_at, removed_at from operators;
    insert into members (person_id, merchant_id, role, since, invitation_hash, invitation_until, changes, changed_at, created_at, removed_at)
      select id, '', role, credentials_at, invitation_hash, invitation_until, changes, changed_at, created_at, removed_at from operators;
    alter table alert_devices drop constraint alert_devices_operator_id_fkey,
      add foreign key (operator_id) references persons (id);
    alter table operator_alert_settings drop constraint operator_alert_settings_operator_id_fkey,
      add foreign key (operator_id) references persons (id);
  `.execute(db)
}

/** A session names the shop that its person works for: one person may work for several. */
async function shareSignIns(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions drop constraint sessions_merchant_id_fkey,
      add column person_id text,
      -- Until when calls of the console that need a fresh code are allowed.
      add column fresh_until bigint not null default 0;
    update sessions set person_id = merchant_id;
    insert into sessions (token_hash, id, person_id, merchant_id, pending, tries, ip, device, fresh_until, created_at, last_seen)
      select token_hash, gen_random_uuid()::text, operator_id, '', pending, tries, ip, device, fresh_until, created_at, last_seen
      from operator_sessions;
    alter table sessions alter column person_id set not null,
      add foreign key (person_id, merchant_id) references members (person_id, merchant_id);
    create index sessions_person on sessions (person_id);

    alter table known_devices drop constraint known_devices_merchant_id_fkey;
    alter table known_devices rename column merchant_id to person_id;
    insert into known_devices (person_id, token_hash, network, last_used)
      select operator_id, token_hash, network, last_used from operator_devices;
    alter table known_devices add foreign key (person_id) references persons (id);

    alter table push_devices add column person_id text references persons (id);
    update push_devices set person_id = merchant_id;
    alter table push_devices alter column person_id set not null;
    create index push_devices_person on push_devices (person_id);

    alter table passkeys drop constraint passkeys_merchant_id_fkey;
    drop index passkeys_id;
    do $$ declare name text; begin
      for name in select tgname from pg_trigger where tgrelid = 'passkeys'::regclass and tgname like 'audited_%' loop
        execute format('drop trigger %I on passkeys', name);
      end loop;
    end $$;
    alter table passkeys rename column merchant_id to person_id;
    alter table passkeys add column realm text not null default 'shop';
    alter table passkeys alter column realm drop default;
    insert into passkeys (person_id, realm, id, name, public_key, counter, transports, synced, created_at, last_used, blocked_at)
      select operator_id, 'console', id, name, public_key, counter, transports, synced, created_at, last_used, blocked_at
      from operator_passkeys;
    alter table passkeys add foreign key (person_id, realm) references persons (id, realm);
    create unique index passkeys_id on passkeys (id, realm);
  `.execute(db)
}
