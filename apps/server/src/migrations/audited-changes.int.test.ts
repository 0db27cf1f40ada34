import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendAudit } from '../kit/audit.ts'
import { tx } from '../kit/db.ts'
import { withDeps } from '../testing/deps.ts'
import { testMerchant } from '../testing/merchants.ts'
import { testOperator } from '../testing/operators.ts'

/** What whoever runs statements as the server's role would do; $1 is the merchant, $2 an operator. */
const attacks = {
  'another mailbox': `update merchants set email = 'thief@example.com' where id = $1`,
  'another password': `update merchants set password_hash = 'x' where id = $1`,
  'another authenticator': `update merchants set authenticator_secret = 'x' where id = $1`,
  'no authenticator': 'update merchants set authenticator_secret = null where id = $1',
  'another phone': `update merchants set phone = '5550000', area_code = '1', phone_verified = true where id = $1`,
  'weaker confirmation': `update merchants set security_switch = '{"withdrawal": "email"}' where id = $1`,
  'no hold of a reported sign-in': 'update merchants set held_at = 0 where id = $1',
  'no hold of a changed factor': 'update merchants set factor_changed_at = 0 where id = $1',
  'a passkey': `insert into passkeys (merchant_id, id, name, public_key, counter, transports, synced, created_at)
    values ($1, 'x', 'x', 'x', 0, '{}', false, 0)`,
  'a recovery code': `insert into recovery_codes (merchant_id, code_hash) values ($1, 'x')`,
  'a sign-in provider': `insert into identities (provider, subject, merchant_id, created_at) values ('google', 'x', $1, 0)`,
  'a removal of the authenticator': `insert into authenticator_removals (merchant_id, requested_by, requested_at) values ($1, 'a', 0)`,
  'another policy': `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, 'x', '[]', 0, 0)`,
  'a withdrawn policy': 'update withdrawal_policies set withdrawn = true where merchant_id = $1',
  'an address of the book': `insert into address_book (merchant_id, id, chain_id, address, label, created_at, updated_at)
    values ($1, 'x', 'eth', '0x', 'x', 0, 0)`,
  'an older address': 'update address_book set created_at = 0 where merchant_id = $1',
  'a receiver of transfers': `insert into transfer_receivers (merchant_id, other_id, created_at) values ($1, 'x', 0)`,
  'an operator': `insert into operators (id, email, role, created_at) values ('x', 'x@example.com', 'owner', 0)`,
  'a higher role': `update operators set role = 'owner' where id = $2`,
  'another link of an operator': `update operators set invitation_hash = 'x', invitation_until = 9e9, password_hash = null,
    authenticator_secret = null where id = $2`,
  'a passkey of an operator': `insert into operator_passkeys (operator_id, id, name, public_key, counter, transports, synced, created_at)
    values ($2, 'x', 'x', 'x', 0, '{}', false, 0)`,
  'an approval': `insert into operator_approvals (subject, who, created_at) values ('withdrawal x', 'x@example.com', 0)`,
} satisfies Record<string, string>

async function robbed(t: Parameters<typeof withDeps>[0]) {
  const deps = await withDeps(t)
  const merchant = await testMerchant(deps)
  const operator = await testOperator(deps, 'viewer')
  await deps.owner.query(`insert into chains (id, kind, definition) values ('eth', 'evm', '{}') on conflict do nothing`)
  await deps.owner.query(`update merchants set held_at = 5, factor_changed_at = 5, authenticator_secret = 'own'`)
  await deps.owner.query(
    `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, 'own', '[]', 0, 0)`,
    [merchant.id],
  )
  await deps.owner.query(
    `insert into address_book (merchant_id, id, chain_id, address, label, created_at, updated_at)
     values ($1, 'own', 'eth', '0x1', 'own', 9, 9)`,
    [merchant.id],
  )
  return { deps, merchant, operator }
}

test('the server’s role changes nobody’s factors, holds, approvals or addresses without the entry that says so', async t => {
  const { deps, merchant, operator } = await robbed(t)
  const ids = [merchant.id, operator.id]
  /** Names both parameters, so that each statement has both. */
  const run = (sql: string) => `${sql.replaceAll('$1', `'${ids[0]}'`).replaceAll('$2', `'${ids[1]}'`)}`
  for (const [what, attack] of Object.entries(attacks))
    await assert.rejects(
      deps.pool.query(run(attack)),
      { code: '42501', message: /only with its entry in the audit log/ },
      what,
    )
  const entry = { merchant_id: merchant.id, outcome: 'done', reason: '', factor: '', subject: '', ip: '' } as const
  const more = { device: '', address: '', session: '', created_at: deps.clock() }
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
    `update merchants set language = 'zh-CN', time_zone = 'UTC', name = 'x', authenticator_step = 7, email = email where id = $1`,
    'update merchants set factor_changed_at = factor_changed_at + 1, held_at = held_at + 1 where id = $1',
  ])
    await deps.pool.query(sql, [merchant.id])
})
