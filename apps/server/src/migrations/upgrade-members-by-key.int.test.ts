import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from './migrate.ts'

test('keys that exist manage nobody, none does from everywhere, and open invitations stay with who made them', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0054_notifications_of_persons')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into persons (id, realm, email, created_at) values ('m', 'shop', 'm', 0);
    insert into merchants (id, mchid, created_at) values ('m', 'm', 0);
    insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, created_at,
        payouts_allowed, settings_allowed, ip_whitelist_enabled, ip_whitelist)
      values ('m', 'app', 'app', 1, 'x', '', '', 0, true, true, true, '["203.0.113.7"]');
    insert into member_invitations (merchant_id, email, id, role, hash, until, invited_by, created_at)
      values ('m', 'e', 'i', 'clerk', 'h', 1, 'm', 0)`)
  await migrate(url)
  const { rows: keys } = await pool.query('select members_allowed, payouts_allowed, settings_allowed from applications')
  assert.deepEqual(keys, [{ members_allowed: false, payouts_allowed: true, settings_allowed: true }])
  const { rows: invitations } = await pool.query('select appid, invited_by from member_invitations')
  assert.deepEqual(invitations, [{ appid: '', invited_by: 'm' }])
  await pool.query('update applications set payouts_allowed = false, members_allowed = true')
  for (const change of ['ip_whitelist_enabled = false', `ip_whitelist = '[]'`])
    await assert.rejects(pool.query(`update applications set ${change}`), /applications_payouts_from/, change)
})
