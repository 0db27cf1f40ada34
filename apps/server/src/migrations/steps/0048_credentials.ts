import { type Kysely, sql } from 'kysely'

const changed = (...columns: string[]) =>
  `(${columns.map(name => `old.${name}`).join(', ')}) is distinct from (${columns.map(name => `new.${name}`).join(', ')})`

/** When a person of a shop changes, and which entries say so; they are in the chain of the same id. */
const rules: [when: string, types: string[]][] = [
  [changed('email'), ['mailbox_changed']],
  [changed('password_hash'), ['password_changed', 'password_reset', 'closed']],
  [changed('phone', 'area_code', 'phone_verified'), ['phone_bound', 'opening_requested']],
  [changed('authenticator_secret'), ['authenticator_bound', 'authenticator_removed', 'closed', 'sealed_again']],
  // Binding the first authenticator ends choices of weaker codes.
  [changed('security_switch'), ['security_tightened', 'security_loosened', 'authenticator_bound']],
  [changed('deleted_at'), ['closed']],
]

/**
 * Why: what a merchant signed in with stood in the shop's row, so that nobody else could sign in for it. E-mail, password, phone,
 * authenticator, what confirms and the reader's language belong to the person. The time zone stays the shop's: it decides its days, in
 * statistics, policies and invoices. So do holds: what they hold is the shop's money, also from its keys.
 *
 * The pending authenticator was never written since 0008: offers are sealed and not stored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table persons
      add column phone text not null default '',
      add column area_code text not null default '',
      add column phone_verified boolean not null default false,
      add column language text not null default 'en-US',
      add column security_switch jsonb not null default '{}';
    do $$ declare name text; begin
      -- The rules about columns that move, by what they compare.
      for name in select tgname from pg_trigger where tgrelid = 'merchants'::regclass and tgname like 'audited_%'
        and pg_get_triggerdef(oid) ~ 'new\\.(email|password_hash|phone|authenticator_secret|security_switch)' loop
        execute format('drop trigger %I on merchants', name);
      end loop;
      for name in select tgname from pg_trigger where tgrelid = 'persons'::regclass and tgname like 'audited_%'
        and pg_get_triggerdef(oid) ~ 'realm = ''shop''' loop
        execute format('drop trigger %I on persons', name);
      end loop;
    end $$;
    drop index persons_email;
  `.execute(db)
  await sql`
    update persons p set email = m.email, password_hash = m.password_hash, authenticator_secret = m.authenticator_secret,
      authenticator_step = m.authenticator_step, phone = m.phone, area_code = m.area_code, phone_verified = m.phone_verified,
      language = m.language, security_switch = m.security_switch
    from merchants m where p.id = m.id and p.realm = 'shop'`.execute(db)
  await sql`
    set constraints all immediate;
    alter table persons alter column email drop default, drop constraint persons_console,
      add constraint persons_console check (realm = 'shop' or (password_hash is null) = (authenticator_secret is null));
    create unique index persons_email on persons (realm, email) where deleted_at is null;
    create unique index persons_phone on persons (realm, area_code, phone) where phone_verified and deleted_at is null;
    alter table merchants drop column email, drop column password_hash, drop column phone, drop column area_code,
      drop column phone_verified, drop column language, drop column authenticator_secret, drop column authenticator_pending,
      drop column authenticator_step, drop column security_switch;
  `.execute(db)
  for (const [index, [when, types]] of rules.entries())
    await sql
      .raw(
        `create constraint trigger audited_credentials_${index} after update on persons deferrable initially deferred
         for each row when (new.realm = 'shop' and ${when})
         execute function require_audit(${['id', ...types].map(each => `'${each}'`).join(', ')})`,
      )
      .execute(db)
}
