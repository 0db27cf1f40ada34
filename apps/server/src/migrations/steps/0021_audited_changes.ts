import { type Kysely, sql } from 'kysely'

/** A change that needs an entry: of which table, whose chain has it (a column; '' is the operator's), when, and the types of entries. */
type Rule = [table: string, owner: string, on: string, when: string, types: string[]]

const changed = (...columns: string[]) =>
  `(${columns.map(name => `old.${name}`).join(', ')}) is distinct from (${columns.map(name => `new.${name}`).join(', ')})`
/** Blocking one only takes access away. */
const passkey = `${changed('id', 'public_key')} or (old.blocked_at is not null and ${changed('blocked_at')})`

const rules: Rule[] = [
  ['merchants', 'id', 'update', changed('email'), ['mailbox_changed']],
  ['merchants', 'id', 'update', changed('password_hash'), ['password_changed', 'password_reset', 'closed']],
  ['merchants', 'id', 'update', changed('phone', 'area_code', 'phone_verified'), ['phone_bound', 'opening_requested']],
  [
    ...(['merchants', 'id', 'update', changed('authenticator_secret')] as const),
    ['authenticator_bound', 'authenticator_removed', 'closed', 'sealed_again'],
  ],
  // Binding the first authenticator ends choices of weaker codes, and may make recovery codes.
  [
    ...(['merchants', 'id', 'update', changed('security_switch')] as const),
    ['security_tightened', 'security_loosened', 'authenticator_bound'],
  ],
  ['merchants', 'id', 'update', 'new.held_at < old.held_at', ['hold_lifted']],
  // A hold after a changed factor ends by time only.
  ['merchants', 'id', 'update', 'new.factor_changed_at < old.factor_changed_at', []],
  ['passkeys', 'merchant_id', 'insert or delete', '', ['passkey_added', 'passkey_removed', 'closed']],
  ['passkeys', 'merchant_id', 'update', `${changed('merchant_id')} or ${passkey}`, []],
  [
    ...(['recovery_codes', 'merchant_id', 'insert or delete', ''] as const),
    ['recovery_codes_renewed', 'authenticator_bound', 'authenticator_removed'],
  ],
  ['recovery_codes', 'merchant_id', 'update', 'old.used_at is not null', []],
  [
    ...(['identities', 'merchant_id', 'insert or delete', ''] as const),
    ['registered', 'sign_in_linked', 'wallet_linked', 'wallet_unlinked', 'closed'],
  ],
  ['identities', 'merchant_id', 'update', '', []],
  ['authenticator_removals', 'merchant_id', 'insert', '', ['removal_requested']],
  ['authenticator_removals', 'merchant_id', 'update', '', ['removal_confirmed']],
  ['withdrawal_policies', 'merchant_id', 'insert or update or delete', '', ['policy_tightened', 'policy_loosened']],
  [
    ...(['address_book', 'merchant_id', 'insert or update or delete', ''] as const),
    ['address_added', 'address_changed', 'address_removed', 'not_me'],
  ],
  [
    ...(['transfer_receivers', 'merchant_id', 'insert or update or delete', ''] as const),
    ['transfer_receiver_added', 'transfer_sent', 'not_me'],
  ],
  ['withdrawal_approvals', 'merchant_id', 'insert', 'new.decision is not null', []],
  [
    ...(['withdrawal_approvals', 'merchant_id', 'update', changed('decision')] as const),
    ['withdrawal_approved', 'withdrawal_rejected'],
  ],
  ['operators', '', 'insert', '', ['operator_changed']],
  [
    ...(['operators', '', 'update'] as const),
    `${changed('email', 'role', 'password_hash', 'invitation_hash', 'credentials_at', 'removed_at')}
      or ${changed('authenticator_secret')}`,
    ['operator_changed', 'sealed_again'],
  ],
  ['operator_passkeys', '', 'insert or delete', '', ['operator_changed']],
  ['operator_passkeys', '', 'update', `${changed('operator_id')} or ${passkey}`, ['operator_changed']],
  ['operator_approvals', '', 'insert', '', ['operator_approved']],
]

/**
 * Why: whoever could run one statement as the server's role could change a mailbox or a password, lift a hold or add an operator without
 * a trace. A change of who somebody is, and of what binds payouts, is refused at the commit unless its transaction has added the entry
 * that says so to the audit log, which that role cannot change. The owner of the tables is exempt. Nothing that payments or sign-ins
 * write has such a rule.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function require_audit() returns trigger
    language plpgsql set search_path = pg_catalog, public, pg_temp as $$
    declare
      chain text := coalesce(coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0], '');
    begin
      if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member') then return null; end if;
      -- The head of a chain is locked by who extends it, so that the entries of this transaction are its last ones.
      if not exists (
        select from audit_heads h join audit_log l on l.merchant_id = h.merchant_id and l.seq > h.seq - 20
        where h.merchant_id in (chain, '') and l.xmin = pg_current_xact_id()::xid and l.outcome = 'done'
          and l.type = any (tg_argv[1:]) and (h.merchant_id = chain or l.type = 'sealed_again')
      ) then
        raise insufficient_privilege using message = format('%s changes only with its entry in the audit log', tg_table_name);
      end if;
      return null;
    end
    $$;
  `.execute(db)
  for (const [index, [table, owner, on, when, types]] of rules.entries())
    await sql
      .raw(
        `create constraint trigger audited_${index} after ${on} on ${table} deferrable initially deferred
         for each row ${when && `when (${when})`} execute function require_audit(${[owner, ...types].map(each => `'${each}'`).join(', ')})`,
      )
      .execute(db)
}
