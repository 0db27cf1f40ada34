import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuditEntry, appendAudit, auditCount, auditPage, readAuditEntriesBefore } from '../../kit/audit.ts'
import { tx } from '../../kit/db.ts'
import { withDeps } from '../../testing/deps.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { listOpenIncidents } from '../chains/store.ts'
import { checkAudit, reportAuditFaults } from './check-audit.ts'

const entry = (merchant_id: string, subject = ''): AuditEntry => ({
  merchant_id,
  type: 'login',
  outcome: 'done',
  reason: '',
  factor: 'password',
  subject,
  ip: '203.0.113.7',
  device: 'Firefox, Linux',
  address: 'unknown',
  session: merchant_id === 'a' ? 's 5 Firefox, Linux' : '',
  person_id: subject === 'by a member' ? 'm' : '',
  created_at: 7,
})

test('chains the entries of each merchant and pages through them by number', async t => {
  const { pool } = await withDeps(t)
  const rows = Array.from({ length: 25 }, (_, n) => entry(n % 5 === 0 ? 'b' : 'a', `客户 ${n}`))
  await appendAudit(pool, rows)
  await appendAudit(pool, [entry('')])
  assert.deepEqual(await checkAudit({ pool }), { entries: 26, faults: [] })
  assert.equal(await auditCount(pool, 'a'), 20)
  assert.equal(await auditCount(pool, 'unknown'), 0)
  const pages = [0, 1, 2].map(async n => (await auditPage(pool, 'a', { limit: 8, offset: 8 * n })).map(row => row.seq))
  const down = Array.from({ length: 20 }, (_, n) => 20 - n)
  assert.deepEqual((await Promise.all(pages)).flat(), down)
  const keyset = await readAuditEntriesBefore(pool, 'a', undefined, 11)
  assert.deepEqual(
    [...keyset, ...(await readAuditEntriesBefore(pool, 'a', keyset.at(-1)?.seq, 50))].map(row => row.seq),
    down,
  )
})

test('concurrent writers of one merchant lose nothing and do not wait for another merchant', async t => {
  const { pool } = await withDeps(t)
  await tx(pool, async c => {
    await appendAudit(c, [entry('busy')])
    // Would wait for ever if merchants shared a chain.
    await appendAudit(pool, [entry('other')])
  })
  await Promise.all(Array.from({ length: 20 }, (_, n) => appendAudit(pool, [entry('busy', `${n}`), entry('other')])))
  assert.deepEqual(await checkAudit({ pool }), { entries: 42, faults: [] })
})

test('an entry whose transaction fails leaves no gap', async t => {
  const { pool } = await withDeps(t)
  await appendAudit(pool, [entry('a')])
  const failing = tx(pool, async c => {
    await appendAudit(c, [entry('a')])
    throw new Error('after the entry')
  })
  await assert.rejects(failing, /after the entry/)
  await appendAudit(pool, [entry('a')])
  assert.deepEqual(await checkAudit({ pool }), { entries: 2, faults: [] })
})

test('the server’s role can neither change, remove nor insert entries', async t => {
  const { pool } = await withDeps(t)
  await appendAudit(pool, [entry('a')])
  const denied = { code: '42501' }
  for (const attack of [
    `update audit_log set ip = ''`,
    'delete from audit_log',
    'truncate audit_log',
    `insert into audit_log select merchant_id, seq + 1, type, outcome, reason, factor, subject, ip, device, address,
       created_at, hash from audit_log`,
    'update audit_heads set seq = 0',
    'delete from audit_heads',
    `create or replace function audit_hash (previous bytea, fields text[]) returns bytea language sql as 'select previous'`,
  ])
    await assert.rejects(pool.query(attack), denied, attack)
})

const attacks: Record<string, [attack: string, fault: { merchant_id: string; seq: number; fault: string }]> = {
  'a changed entry': [
    `update audit_log set subject = 'else' where merchant_id = 'a' and seq = 3`,
    { merchant_id: 'a', seq: 3, fault: 'changed' },
  ],
  'a changed place': [
    `update audit_log set address = '{"en":"Berlin, Germany"}' where merchant_id = 'b' and seq = 2`,
    { merchant_id: 'b', seq: 2, fault: 'changed' },
  ],
  'a changed session': [
    `update audit_log set session = replace(session, '5', '6') where merchant_id = 'a' and seq = 2`,
    { merchant_id: 'a', seq: 2, fault: 'changed' },
  ],
  'somebody else who did it': [
    `update audit_log set person_id = 'm' where merchant_id = 'a' and seq = 2`,
    { merchant_id: 'a', seq: 2, fault: 'changed' },
  ],
  'who did it, as a session': [
    `update audit_log set person_id = session, session = '' where merchant_id = 'a' and seq = 2`,
    { merchant_id: 'a', seq: 2, fault: 'changed' },
  ],
  'a removed session': [
    `update audit_log set session = '' where merchant_id = 'a' and seq = 2`,
    { merchant_id: 'a', seq: 2, fault: 'changed' },
  ],
  'an added session': [
    `update audit_log set session = 's 5 ' where merchant_id = 'b' and seq = 2`,
    { merchant_id: 'b', seq: 2, fault: 'changed' },
  ],
  'a removed entry': [
    `delete from audit_log where merchant_id = 'a' and seq = 3`,
    { merchant_id: 'a', seq: 3, fault: 'missing' },
  ],
  'a removed first entry': [
    `delete from audit_log where merchant_id = 'a' and seq = 1`,
    { merchant_id: 'a', seq: 1, fault: 'missing' },
  ],
  'a removed last entry': [
    `delete from audit_log where merchant_id = 'a' and seq = 5`,
    { merchant_id: 'a', seq: 4, fault: 'head' },
  ],
  'a removed chain': [`delete from audit_log where merchant_id = 'a'`, { merchant_id: 'a', seq: 1, fault: 'missing' }],
  'an entry inserted at the end': [
    `insert into audit_log select merchant_id, seq + 1, type, outcome, reason, factor, subject, ip, device, address,
       created_at, hash from audit_log where merchant_id = 'a' and seq = 5`,
    { merchant_id: 'a', seq: 6, fault: 'changed' },
  ],
  'an entry inserted before the first': [
    `insert into audit_log select merchant_id, -1, type, outcome, reason, factor, subject, ip, device, address,
       created_at, hash from audit_log where merchant_id = '' and seq = 1`,
    { merchant_id: '', seq: 1, fault: 'missing' },
  ],
  'an entry inserted in the middle': [
    `update audit_log set seq = seq + 1 where merchant_id = 'a' and seq = 5;
     insert into audit_log select merchant_id, 5, type, outcome, reason, factor, subject, ip, device, address,
       created_at, hash from audit_log where merchant_id = 'a' and seq = 4`,
    { merchant_id: 'a', seq: 5, fault: 'changed' },
  ],
}

test('entries without a session are valid beside those with one', async t => {
  const { pool, owner } = await withDeps(t)
  const { session: _, ...earlier } = entry('a')
  await pool.query('select audit_append($1::jsonb)', [JSON.stringify([earlier, earlier])])
  await pool.query('select audit_append($1::jsonb)', [JSON.stringify([earlier, entry('a')])])
  assert.deepEqual(await checkAudit({ pool }), { entries: 4, faults: [] })
  await owner.query(`update audit_log set ip = '' where seq = 2`)
  assert.deepEqual((await checkAudit({ pool })).faults[0], { merchant_id: 'a', seq: 2, fault: 'changed' })
})

for (const [what, [attack, fault]] of Object.entries(attacks))
  test(`notices ${what}, and raises one incident`, async t => {
    const deps = await withDeps(t)
    await appendAudit(
      deps.pool,
      ['', 'a', 'b'].flatMap(id => Array.from({ length: 5 }, () => entry(id))),
    )
    await deps.owner.query(attack)
    const { faults } = await checkAudit(deps)
    assert.deepEqual(faults[0], fault)
    await reportAuditFaults(deps)
    await reportAuditFaults(deps)
    const incidents = await listOpenIncidents(deps.pool, ['audit_log'])
    assert.equal(incidents.length, 1)
    assert.deepEqual(incidents[0]?.detail, { faults })
  })

test('notices a hold, an authenticator and an operator that are not as the last entry says', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const faults = async () => (await checkAudit(deps)).faults.map(each => [each.merchant_id, each.seq, each.fault])
  const add = (type: AuditEntry['type'], merchant_id = id, subject = '') =>
    appendAudit(deps.pool, [{ ...entry(merchant_id, subject), type }])
  const set = (what: string) => deps.owner.query(`update merchants set ${what} where id = $1`, [id])
  const setPerson = (what: string) => deps.owner.query(`update persons set ${what} where id = $1`, [id])
  await add('not_me')
  await set('held_at = 5')
  await add('authenticator_bound')
  await setPerson(`authenticator_secret = 'own'`)
  assert.deepEqual(await faults(), [])
  await set('held_at = 0')
  assert.deepEqual(await faults(), [[id, 2, 'state']])
  await add('hold_lifted')
  await setPerson('authenticator_secret = null')
  assert.deepEqual(await faults(), [[id, 3, 'state']])
  await add('authenticator_removed')
  assert.deepEqual(await faults(), [])
  await setPerson(`authenticator_secret = 'thief'`)
  assert.deepEqual(await faults(), [[id, 5, 'state']])
  await setPerson('authenticator_secret = null')
  await deps.owner.query(
    `with person as (
       insert into persons (id, realm, email, created_at) values ('x', 'console', 'x@example.com', 0) returning id)
     insert into members (person_id, merchant_id, role, created_at) select id, '', 'owner', 0 from person`,
  )
  assert.deepEqual(await faults(), [['', 0, 'state']])
  await add('operator_changed', '', 'x x@example.com owner')
  assert.deepEqual(await faults(), [])
  await add('operator_changed', '', 'x passkey removed')
  assert.deepEqual(await faults(), [])
  await add('operator_changed', '', 'x x@example.com removed')
  assert.deepEqual(await faults(), [['', 3, 'state']])
  await deps.owner.query(`update members set removed_at = 1 where merchant_id = ''`)
  assert.deepEqual(await faults(), [])
})
