import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { alertChannels } from '../domains/console/alert-channels.ts'
import { readAlertSettings } from '../domains/console/alert-settings.ts'
import { queueAlerts } from '../domains/console/alerts.ts'
import { ensurePushKeys } from '../domains/notifications/push-keys.ts'
import { makeMessageSender, sendDueMessages } from '../domains/notifications/sender.ts'
import {
  countUnreadMoneyNotifications,
  countUnreadNotifications,
  listNotifications,
  markNotificationsRead,
} from '../domains/notifications/store.ts'
import { foldLists } from '../kit/counted-list.ts'
import { insertEvents } from '../kit/outbox.ts'
import { makeTestDeps, testStart } from '../testing/deps.ts'
import { ownerOf } from '../testing/members.ts'
import { withReleasedDatabase } from '../testing/released-database.ts'
import { migrate } from './migrate.ts'

test('payments of an older database are counted apart from what should be read', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0);
    insert into notifications (merchant_id, id, types, message, created_at) values
      ('m', 'a', 3, 'payment_paid', 1), ('m', 'b', 3, 'payment_over', 2), ('m', 'c', 5, 'fund_aggregation', 3)`)
  await migrate(url)
  const page = { limit: 10, offset: 0 }
  const notices = await listNotifications(pool, ownerOf('m'), { group: '1,2,3,4' }, page)
  const money = await listNotifications(pool, ownerOf('m'), { group: '5,6' }, page)
  assert.deepEqual([notices.rows.map(row => row.id), money.rows.map(row => row.id)], [['b'], ['c', 'a']])
  assert.deepEqual(
    [await countUnreadNotifications(pool, ownerOf('m')), await countUnreadMoneyNotifications(pool, ownerOf('m'))],
    [3, 2],
  )
})

test('notifications and read markers of an older database stay those of who opened the shop, and of nobody else', async t => {
  const { url, pool } = await withReleasedDatabase(t)
  await pool.query(`
    insert into merchants (id, mchid, email, created_at) values ('m', 'm', 'm', 0), ('n', 'n', 'n', 0);
    insert into notifications (merchant_id, id, types, message, status, created_at) values
      ('m', 'a', 4, 'account_frozen', 1, 1), ('m', 'b', 3, 'payment_over', 2, 2), ('m', 'c', 3, 'payment_over', 1, 3)`)
  await migrate(url)
  await pool.query(`insert into members (person_id, merchant_id, role, created_at) values ('n', 'm', 'owner', 0)`)
  const page = { limit: 10, offset: 0 }
  const statuses = async (reader: Parameters<typeof listNotifications>[1], filter = {}) =>
    (await listNotifications(pool, reader, filter, page)).rows.map(row => `${row.id}${row.status}`)
  const owner = ownerOf('m')
  assert.deepEqual(await statuses(owner), ['c1', 'b2', 'a1'])
  assert.deepEqual(await statuses(owner, { status: 1 }), ['c1', 'a1'])
  assert.deepEqual(await statuses({ ...owner, role: 'viewer' }), [], 'what was there is the owner’s')
  const other = { ...owner, personId: 'n' }
  assert.deepEqual(await statuses(other), [])
  const params = { trade_no: 't' }
  await insertEvents(pool, [{ merchant_id: 'm', name: 'payment_over', params, created_at: 4 }])
  assert.equal((await statuses(owner)).length, 4)
  assert.equal((await statuses(other)).length, 1)
  await markNotificationsRead(pool, owner, null)
  while (await foldLists({ pool }));
  assert.deepEqual([await countUnreadNotifications(pool, owner), await countUnreadNotifications(pool, other)], [0, 1])
})

test('pushes that wait are sent after the upgrade, to readers whom they still concern, and those of gone devices are not', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0058_messages')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(
    `
    insert into merchants (id, mchid, created_at) values ('m', 'm', 0);
    insert into persons (id, realm, email, created_at) values ('m', 'shop', 'm', 0), ('n', 'shop', 'n', 0), ('o', 'shop', 'o', 0);
    insert into push_devices (id, person_id, merchant_id, session_id, endpoint, p256dh, auth, language, device, created_at, seen_at)
      select d, d, 'm', 's', 'https://push.example/' || d, 'p', 'a', 'en', 'Phone', 0, 0 from unnest(array['m', 'n', 'o']) d;
    insert into notifications (merchant_id, id, person_id, audience, types, message, created_at) values
      ('m', 'x', '', '', 3, 'payment_over', 1), ('m', 'y', 'n', 'payments', 3, 'payment_over', 1), ('m', 'z', 'o', 'payments', 3, 'payment_over', 1);
    insert into pushes (device_id, notification_id, message, params, created_at, due_at, tries) values
      ('m', 'x', 'payment_over', '{"trade_no": "t"}', $1, $1, 0), ('n', 'y', 'payment_over', '{}', $1, $1, 2),
      ('o', 'z', 'payment_over', '{}', $1, $1, 0), ('gone', 'x', 'payment_over', '{}', $1, $1, 0)`.replaceAll(
      '$1',
      String(testStart),
    ),
  )
  for (const [person, role] of Object.entries({ m: 'owner', n: 'support', o: 'clerk' }))
    await pool.query(`insert into members (person_id, merchant_id, role, created_at) values ($1, 'm', $2, 0)`, [
      person,
      role,
    ])
  await migrate(url)
  const { rows } = await pool.query('select address, person_id, audience, tries, params from messages order by address')
  assert.deepEqual(rows, [
    { address: 'm', person_id: 'm', audience: '', tries: 0, params: { trade_no: 't' } },
    { address: 'n', person_id: 'n', audience: 'payments', tries: 2, params: {} },
    { address: 'o', person_id: 'o', audience: 'payments', tries: 0, params: {} },
  ])
  const deps = makeTestDeps({ pool })
  await ensurePushKeys(deps)
  await deps.delivered()
  assert.deepEqual(deps.pushes.map(push => push.device.endpoint).sort(), [
    'https://push.example/m',
    'https://push.example/n',
  ])
})

test('alerts that wait are sent after the upgrade, and those that were sent are not sent again', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0064_devices_of_operators')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  const now = String(testStart)
  await pool.query(
    `insert into persons (id, realm, email, password_hash, authenticator_secret, created_at)
       values ('op', 'console', 'op@example.com', 'x', 'x', 0);
     insert into members (person_id, merchant_id, role, created_at) values ('op', '', 'owner', 0);
     insert into push_devices (id, person_id, session_id, endpoint, p256dh, auth, language, device, created_at, seen_at)
       values ('d', 'op', '', 'https://push.example/d', 'p', 'a', 'en', 'Phone', 0, 0);
     insert into alert_hooks (id, url, kinds, secret, created_at) values ('h', 'https://x.example', '{incident}', '', 0);
     insert into incidents (id, kind, detail, created_at) values ('i1', 'audit_log', '{}', $1), ('i2', 'audit_log', '{}', $1);
     insert into operator_alerts (receiver, way, subject, kind, object, created_at, due_at, tries, done_at, result) values
       ('op', 'mail', 'incident i1', 'incident', 'i1', $1, $1, 2, null, ''),
       ('op', 'mail', 'incident i2', 'incident', 'i2', $1, $1, 1, $1, 'mailed'),
       ('d', 'push', 'incident i2', 'incident', 'i2', $1, $1, 1, $1, 'gone'),
       ('gone', 'push', 'incident i2', 'incident', 'i2', $1, $1, 1, $1, ''),
       ('h', 'hook', 'incident i1', 'incident', 'i1', $1, $1, 3, $1, 'HTTP 200'),
       ('h', 'hook', 'incident i2', 'incident', 'i2', $1, $1, 24, $1, 'HTTP 500'),
       ('op', 'mail', 'decision POST /api/operator/v1/wallets/:id/resume eth 1', 'decision',
         'POST /api/operator/v1/wallets/:id/resume eth 1', $1, $1, 0, $1, '')`.replaceAll('$1', now),
  )
  await migrate(url)
  const { rows } = await pool.query(
    `select event, channel, person_id, address, result, error from messages order by channel, address, result, event`,
  )
  assert.deepEqual(
    rows.map(row => Object.values(row).join(' ')),
    [
      'alert_incident hook h h accepted HTTP 200',
      'alert_incident hook h h expired HTTP 500',
      'alert_incident mail op op@example.com  ',
      'alert_incident mail op op@example.com accepted ',
      'alert_decision mail op op@example.com unwanted ',
      'alert_incident push op d refused ',
      'alert_incident push gone gone unwanted ',
    ],
  )
  const [decision] = (await pool.query(`select audience from messages where event = 'alert_decision'`)).rows
  assert.equal(decision.audience, 'POST /api/operator/v1/wallets/:id/resume')
  const deps = makeTestDeps({ pool })
  await queueAlerts(deps)
  await sendDueMessages(deps, makeMessageSender(deps, [alertChannels]))
  assert.deepEqual(
    deps.mails.map(mail => [mail.to, /incidents\/\S+/.exec(mail.text)?.[0]]),
    [['op@example.com', 'incidents/i1']],
  )
})

test('operators stay quiet when they were, and the keys of connected shops are the owner’s', async t => {
  const { url } = await withPostgres(t)
  await migrate(url, '0071_claims_of_requests')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  await pool.query(`
    insert into persons (id, realm, email, time_zone, created_at) values ('op', 'console', 'op', null, 0),
      ('new', 'console', 'new', 'Europe/Berlin', 0), ('m', 'shop', 'm', null, 0);
    insert into operator_alert_settings (operator_id, off, quiet_from, quiet_until, time_zone)
      values ('op', '{refund}', 22, 7, 'Asia/Shanghai');
    insert into merchants (id, mchid, created_at) values ('m', 'm', 0);
    insert into applications (merchant_id, appid, name, status, key_hash, key_masked, webhook_secret, created_at)
      values ('m', 'app', 'app', 1, 'x', '', '', 0);
    insert into shop_connections (id, merchant_id, appid, protocol, currency, notify_url, callback_method, key, key_hash,
        key_masked, previous_key_hash, opened_at, created_at)
      values ('1', 'm', 'app', 'epay', 'CNY', '', 'GET', '', '1', '', null, 0, 0),
        ('2', 'm', 'app', 'epay', 'CNY', '', 'GET', '', '2', '', 'old', 0, 0);
    insert into message_channels (id, person_id, merchant_id, kind, name, address, language, created_at)
      values ('c', 'm', 'm', 'lark', 'Ops', 'sealed', 'en', 0)`)
  await migrate(url)
  const quiet = { quiet_from: 22, quiet_until: 7, time_zone: 'Asia/Shanghai' }
  assert.deepEqual(await readAlertSettings(pool, 'op'), { off: ['refund'], ...quiet })
  const unset = { quiet_from: 0, quiet_until: 0, time_zone: 'Europe/Berlin' }
  assert.deepEqual(await readAlertSettings(pool, 'new'), { off: [], ...unset })
  const { rows } = await pool.query('select id, key_by, previous_key_by from shop_connections order by id')
  assert.deepEqual(rows, [
    { id: '1', key_by: 'm', previous_key_by: '' },
    { id: '2', key_by: 'm', previous_key_by: 'm' },
  ])
  assert.deepEqual((await pool.query('select refused from message_channels')).rows, [{ refused: '' }])
})
