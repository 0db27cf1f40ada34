import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendAudit } from '../kit/audit.ts'
import { tx } from '../kit/db.ts'
import { withDeps } from '../testing/deps.ts'
import { testMerchant } from '../testing/merchants.ts'
import { testOperator } from '../testing/operators.ts'

/**
 * What whoever runs statements as the server's role would do: $1 is a merchant, $2 an operator, $3 another merchant,
 * $4 a removed member of the first, $5 another member.
 */
const attacks = {
  'another mailbox': `update persons set email = 'thief@example.com' where id = $1`,
  'another password': `update persons set password_hash = 'x' where id = $1`,
  'another authenticator': `update persons set authenticator_secret = 'x' where id = $1`,
  'no authenticator': 'update persons set authenticator_secret = null where id = $1',
  'another phone': `update persons set phone = '5550000', area_code = '1', phone_verified = true where id = $1`,
  'weaker confirmation': `update persons set security_switch = '{"withdrawal": "email"}' where id = $1`,
  'no hold of a reported sign-in': 'update merchants set held_at = 0 where id = $1',
  'no hold of a changed factor': 'update merchants set factor_changed_at = 0 where id = $1',
  'a passkey': `insert into passkeys (person_id, realm, id, name, public_key, counter, transports, synced, created_at)
    values ($1, 'shop', 'x', 'x', 'x', 0, '{}', false, 0)`,
  'no passkey': 'delete from passkeys where person_id = $1',
  'the passkey of somebody else': 'update passkeys set person_id = $3 where person_id = $1',
  'another key of a passkey': `update passkeys set public_key = 'x' where person_id = $1`,
  'a recovery code': `insert into recovery_codes (person_id, code_hash) values ($1, 'x')`,
  'a sign-in provider': `insert into identities (provider, subject, person_id, created_at) values ('google', 'x', $1, 0)`,
  'a removal of the authenticator': `insert into authenticator_removals (person_id, requested_person, requested_by, requested_at) values ($1, 'a', 'a', 0)`,
  'another policy': `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, 'x', '[]', 0, 0)`,
  'a withdrawn policy': 'update withdrawal_policies set withdrawn = true where merchant_id = $1',
  'an address of the book': `insert into address_book (merchant_id, id, chain_id, address, label, created_at, updated_at)
    values ($1, 'x', 'eth', '0x', 'x', 0, 0)`,
  'an older address': 'update address_book set created_at = 0 where merchant_id = $1',
  'a receiver of transfers': `insert into transfer_receivers (merchant_id, other_id, created_at) values ($1, 'x', 0)`,
  'a member of a shop': `insert into members (person_id, merchant_id, role, created_at) values ($3, $1, 'owner', 0)`,
  'a part in another shop': 'update members set merchant_id = $3 where person_id = $1',
  'an owner of less': `update members set role = 'viewer' where person_id = $1`,
  'no owner': 'update members set removed_at = 1 where person_id = $1',
  'a member who comes back': 'update members set removed_at = null where person_id = $4',
  'a member of more': `update members set role = 'owner' where person_id = $5`,
  'a member who is not new': 'update members set since = 1 where person_id = $5',
  'a member whom nobody agreed on': 'update members set changes = 0 where person_id = $5',
  'a member who refunds more': 'update members set refund_limit = 9e9 where person_id = $5',
  'no member': 'update members set removed_at = 1 where person_id = $5',
  'a link of a member': `update members set invitation_hash = 'x', invitation_until = 9 where person_id = $5 and merchant_id = $1`,
  'an invitation': `insert into member_invitations (merchant_id, email, id, role, hash, until, invited_by, created_at)
    values ($1, 'thief@example.com', 'x', 'owner', 'x', 9e9, '', 0)`,
  'an invitation of somebody else': `update member_invitations set email = 'thief@example.com' where merchant_id = $1`,
  'an invitation to more': `update member_invitations set role = 'owner' where merchant_id = $1`,
  'another link of an invitation': `update member_invitations set hash = 'x' where merchant_id = $1`,
  'what another owner asked for': `insert into member_agreements (merchant_id, subject, person_id, created_at) values ($1, 'x', $1, 0)`,
  'no second factor': 'update merchants set second_factor_required = false where id = $1',
  'the mailbox of a shop': 'update merchants set contact_id = $3 where id = $1',
  'no person': 'update persons set deleted_at = 1 where id = $1',
  'a person of the console': `insert into persons (id, realm, email, created_at) values ('x', 'console', 'x@example.com', 0)`,
  'an operator': `with person as (
      insert into persons (id, realm, email, created_at) values ('x', 'console', 'x@example.com', 0) returning id)
    insert into members (person_id, merchant_id, role, created_at) select id, '', 'owner', 0 from person`,
  'a higher role': `update members set role = 'owner' where person_id = $2`,
  'an operator who comes back': 'update members set removed_at = null where person_id = $2',
  'an operator who is not new': 'update members set since = 1 where person_id = $2',
  'another link of an operator': `update members set invitation_hash = 'x', invitation_until = 9e9 where person_id = $2`,
  'another mailbox of an operator': `update persons set email = 'thief@example.com' where id = $2`,
  'another password of an operator': `update persons set password_hash = 'x' where id = $2`,
  'another authenticator of an operator': `update persons set authenticator_secret = 'x' where id = $2`,
  'a passkey of an operator': `insert into passkeys (person_id, realm, id, name, public_key, counter, transports, synced, created_at)
    values ($2, 'console', 'x', 'x', 'x', 0, '{}', false, 0)`,
  'no passkey of an operator': 'delete from passkeys where person_id = $2',
  'another key of a passkey of an operator': `update passkeys set public_key = 'x' where person_id = $2`,
  'an approval': `insert into operator_approvals (subject, person_id, who, created_at) values ('withdrawal x', 'x', 'x', 0)`,
} satisfies Record<string, string>

async function robbed(t: Parameters<typeof withDeps>[0]) {
  const deps = await withDeps(t)
  const merchant = await testMerchant(deps)
  const other = await testMerchant(deps)
  const operator = await testOperator(deps, 'viewer')
  await deps.owner.query(`update persons set authenticator_secret = 'own' where id = $1`, [merchant.id])
  await deps.owner.query('delete from sessions')
  await deps.owner.query('update members set removed_at = 9 where person_id = $1', [operator.id])
  await deps.owner.query(
    `insert into passkeys (person_id, realm, id, name, public_key, counter, transports, synced, created_at)
     select id, realm, 'own', 'own', 'own', 0, '{}', false, 0 from persons where id = any($1)`,
    [[merchant.id, operator.id]],
  )
  const left = await testMerchant(deps)
  const member = await testMerchant(deps)
  await deps.owner.query(
    `insert into members (person_id, merchant_id, role, changes, created_at, removed_at)
     values ($2, $1, 'owner', 1, 0, 9), ($3, $1, 'support', 1, 0, null)`,
    [merchant.id, left.id, member.id],
  )
  await deps.owner.query(
    `insert into member_invitations (merchant_id, email, id, role, hash, until, invited_by, created_at)
     values ($1, 'new@example.com', 'own', 'viewer', 'own', 9, $1, 0)`,
    [merchant.id],
  )
  await deps.owner.query(`insert into chains (id, kind, definition) values ('eth', 'evm', '{}') on conflict do nothing`)
  await deps.owner.query('update merchants set held_at = 5, factor_changed_at = 5, second_factor_required = true')
  await deps.owner.query(
    `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, 'own', '[]', 0, 0)`,
    [merchant.id],
  )
  await deps.owner.query(
    `insert into address_book (merchant_id, id, chain_id, address, label, created_at, updated_at)
     values ($1, 'own', 'eth', '0x1', 'own', 9, 9)`,
    [merchant.id],
  )
  return { deps, merchant, operator, other, left, member }
}

test('the server’s role changes nobody’s factors, holds, approvals or addresses without the entry that says so', async t => {
  const { deps, merchant, operator, other, left, member } = await robbed(t)
  const run = (sql: string) =>
    [merchant, operator, other, left, member].reduce(
      (text, { id }, index) => text.replaceAll(`$${index + 1}`, `'${id}'`),
      sql,
    )
  for (const [what, attack] of Object.entries(attacks))
    await assert.rejects(
      deps.pool.query(run(attack)),
      { code: '42501', message: /only with its entry in the audit log/ },
      what,
    )
  const entry = { merchant_id: merchant.id, outcome: 'done', reason: '', factor: '', subject: '', ip: '' } as const
  const more = { device: '', address: '', session: '', person_id: '', created_at: deps.clock() }
  // An entry of another transaction, of another account or of another kind does not count.
  await appendAudit(deps.pool, [{ ...entry, ...more, type: 'mailbox_changed' }])
  const email = run(attacks['another mailbox'])
  await assert.rejects(deps.pool.query(email), { code: '42501' })
  for (const other of [{ type: 'login' }, { type: 'mailbox_changed', merchant_id: '' }])
    await assert.rejects(
      tx(deps.pool, async c => {
        await appendAudit(c, [{ ...entry, ...more, ...other }])
        await c.query(email)
      }),
      { code: '42501' },
    )
  for (const evasion of [
    'set session_replication_role = replica',
    'alter table merchants disable trigger all',
    'create or replace function require_audit() returns trigger language plpgsql as $$ begin return null; end $$',
    'truncate operator_approvals',
    'delete from members',
    'delete from persons',
  ])
    await assert.rejects(deps.pool.query(evasion), { code: '42501' }, evasion)
  await tx(deps.pool, async c => {
    await c.query(email)
    await appendAudit(c, [{ ...entry, ...more, type: 'mailbox_changed' }])
  })
})

test('what sign-ins and preferences write needs no entry', async t => {
  const { deps, merchant } = await robbed(t)
  for (const sql of [
    `update merchants set time_zone = 'UTC', name = 'x' where id = $1`,
    `update persons set language = 'zh-CN', authenticator_step = 7, email = email where id = $1`,
    'update merchants set factor_changed_at = factor_changed_at + 1, held_at = held_at + 1 where id = $1',
  ])
    await deps.pool.query(sql, [merchant.id])
})

test('the database keeps people within their realm', async t => {
  const { deps, merchant, operator } = await robbed(t)
  const { owner } = deps
  const member = 'insert into members (person_id, merchant_id, role, created_at) values ($1, $2, $3, 0)'
  const session = `insert into sessions (token_hash, id, person_id, merchant_id, pending, ip, device, created_at, last_seen)
    values ('x', 'x', $1, $2, false, '', '', 0, 0)`
  const passkey = `insert into passkeys (person_id, realm, id, name, public_key, counter, transports, synced, created_at)
    values ($1, $2, 'x', 'x', 'x', 0, '{}', false, 0)`
  for (const [sql, values] of [
    [member, [merchant.id, '', 'owner']],
    [member, [operator.id, merchant.id, 'owner']],
    [session, [merchant.id, '']],
    [session, [operator.id, merchant.id]],
    [passkey, [merchant.id, 'console']],
    [passkey, [operator.id, 'shop']],
    ['update persons set realm = $2 where id = $1', [operator.id, 'shop']],
  ] as const)
    await assert.rejects(owner.query(sql, [...values]), { code: '23503' }, `${sql} ${values}`)
})
