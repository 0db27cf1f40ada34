import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import { generateSecret, generateSync } from 'otplib'
import pg from 'pg'
import { checkAudit } from '../domains/audit/check-audit.ts'
import { askPasskeySignIn, loginByPasskey } from '../domains/identity/factors/passkeys.ts'
import { registrationOptions, verifyRegistration } from '../domains/identity/passkeys/webauthn.ts'
import { authenticateSession, listSessions } from '../domains/identity/sessions/sessions.ts'
import { login, verifyLogin } from '../domains/identity/sign-in/login.ts'
import { resealWithCurrentSecret } from '../domains/installation/rotate-secret.ts'
import { addOperator, readInvitation, redeemInvitation } from '../domains/operators/invitations.ts'
import {
  askPasskeySignIn as askOperatorPasskey,
  signInByPasskey as signInOperatorByPasskey,
} from '../domains/operators/passkeys.ts'
import { authenticateOperatorSession } from '../domains/operators/sessions.ts'
import { signIn, verifySignIn } from '../domains/operators/sign-in.ts'
import { listOperators } from '../domains/operators/store.ts'
import { findVisitorStanding } from '../domains/people/devices.ts'
import { appendAudit } from '../kit/audit.ts'
import { makeSeal, type SealPlace } from '../kit/seal.ts'
import { hashSecret, newSecret } from '../kit/secrets.ts'
import { networkKey } from '../kit/visitor.ts'
import { makeTestDeps } from '../testing/deps.ts'
import { password, visitor } from '../testing/merchants.ts'
import { softPasskey } from '../testing/passkeys.ts'
import { appRoleConnectionOptions } from './app-role.ts'
import { migrate } from './migrate.ts'

const url = 'https://pay.example'

/** A database as a migration left it, and what works with it after the upgrade. */
async function databaseAt(t: TestContext, migration: string) {
  const { url: database } = await withPostgres(t)
  await migrate(database, migration)
  const [pool, owner] = [appRoleConnectionOptions, ''].map(options => {
    const made = new pg.Pool({ connectionString: database, options, max: 4 })
    made.on('error', () => {}).on('connect', client => client.on('error', () => {}))
    t.after(() => made.end())
    return made
  }) as [pg.Pool, pg.Pool]
  const deps = makeTestDeps({ pool, config: { publicUrl: url, operatorUrl: url } })
  return { deps, owner, upgrade: () => migrate(database) }
}

type Old = Awaited<ReturnType<typeof databaseAt>>

async function addMerchant({ deps, owner }: Old, id: string, more: Record<string, unknown> = {}) {
  const password_hash = await deps.passwords.hash(password, id)
  const row = { id, mchid: id, email: `${id}@example.com`, password_hash, status: 3, created_at: deps.clock(), ...more }
  const names = Object.keys(row)
  const values = names.map((_, index) => `$${index + 1}`)
  await owner.query(`insert into merchants (${names}) values (${values})`, Object.values(row))
}

/** Adds rows of either house to tables of the schema before 0045: `whose` is the column of the account. */
async function addSignIns(
  { deps, owner }: Old,
  { id, whose, sessions, devices }: { id: string; whose: string; sessions: string; devices: string },
) {
  const now = deps.clock()
  const token = newSecret()
  const pending = newSecret()
  const deviceToken = newSecret()
  const extra =
    sessions === 'sessions' ? ['id', '$1::text', 'id', '$1::text || 2'] : ['fresh_until', '77', 'fresh_until', '0']
  for (const [index, each] of [token, pending].entries())
    await owner.query(
      `insert into ${sessions} (token_hash, ${whose}, pending, ip, device, created_at, last_seen, ${extra[index * 2]})
       values ($2, $1, $3, '203.0.113.7', 'Firefox', $4, $4, ${extra[index * 2 + 1]})`,
      [id, hashSecret(each), index === 1, now],
    )
  await owner.query(`insert into ${devices} (${whose}, token_hash, network, last_used) values ($1, $2, $3, $4)`, [
    id,
    hashSecret(deviceToken),
    networkKey('198.51.100.1'),
    now,
  ])
  return { token, pending, deviceToken }
}

async function addPasskey({ deps, owner }: Old, { id, whose, table }: Record<'id' | 'whose' | 'table', string>) {
  const key = softPasskey()
  const purpose = { owner: '', action: 'test' }
  const site = { id: 'pay.example', origins: [url] }
  const options = await registrationOptions(deps, site, { user: { id, name: id }, existing: [], purpose })
  const { passkey } = await verifyRegistration(deps, site, { purpose, response: key.create(options) })
  await owner.query(
    `insert into ${table} (${whose}, id, name, public_key, counter, transports, synced, created_at)
     values ($1, $2, 'Key', $3, $4, '{}', false, 0)`,
    [id, passkey.id, passkey.public_key, passkey.counter],
  )
  return key
}

async function addOperatorRow({ deps, owner }: Old, id: string, more: Record<string, unknown> = {}) {
  const secret = generateSecret()
  const at = { column: 'operators.authenticator_secret', row: id } as unknown as SealPlace
  const active = {
    password_hash: await deps.passwords.hash(password, id),
    authenticator_secret: deps.seal.seal(secret, at),
    credentials_at: 5,
  }
  const row = { id, email: `${id}@example.com`, role: 'finance', created_at: 1, ...active, ...more }
  const names = Object.keys(row)
  const values = names.map((_, index) => `$${index + 1}`)
  await owner.query(`insert into operators (${names}) values (${values})`, Object.values(row))
  await appendAudit(deps.pool, [
    {
      merchant_id: '',
      type: 'operator_changed',
      outcome: 'done',
      reason: '',
      factor: '',
      subject: `${id} ${row.email} ${'removed_at' in row ? 'removed' : row.role}`,
      ip: '',
      device: '',
      address: '',
      session: '',
      person_id: '',
      created_at: 1,
    },
  ])
  return () => generateSync({ secret, epoch: deps.clock() })
}

const from = visitor
const none = { password_hash: null, authenticator_secret: null, credentials_at: 0 }

/** Fills both houses: a shop and an operator of one mailbox, a closed shop, an invited and a removed operator. */
async function fillHouses(old: Old) {
  const { deps, owner } = old
  await addMerchant(old, 'shop')
  await addMerchant(old, 'closed', { deleted_at: 9, password_hash: null })
  const shop = await addSignIns(old, {
    id: 'shop',
    whose: 'merchant_id',
    sessions: 'sessions',
    devices: 'known_devices',
  })
  const shopKey = await addPasskey(old, { id: 'shop', whose: 'merchant_id', table: 'passkeys' })
  await owner.query(
    `insert into push_devices values ('d', 'shop', 'shop', 'https://push.example', 'p', 'a', 'en', 'Phone', 0, 0)`,
  )
  const code = await addOperatorRow(old, 'op', { email: 'shop@example.com', role: 'owner' })
  const op = await addSignIns(old, {
    id: 'op',
    whose: 'operator_id',
    sessions: 'operator_sessions',
    devices: 'operator_devices',
  })
  const opKey = await addPasskey(old, { id: 'op', whose: 'operator_id', table: 'operator_passkeys' })
  const invitation = newSecret()
  const link = { invitation_hash: hashSecret(invitation), invitation_until: deps.clock() + 60 }
  await addOperatorRow(old, 'invited', { ...none, ...link })
  await addOperatorRow(old, 'removed', { ...none, removed_at: 3 })
  await owner.query(`insert into alert_devices values ('a', 'op', 'https://push.example', 'p', 'a', 'en', 'Phone', 1),
    ('b', 'removed', 'https://push.example', 'p', 'a', 'en', 'Phone', 1)`)
  await owner.query(`insert into operator_alert_settings values ('op', '{}', 1, 2, 'UTC')`)
  return { shop, shopKey, code, op, opKey, invitation }
}

test('people of both houses stay who they were, signed in, with devices, passkeys and links', async t => {
  const old = await databaseAt(t, '0044_changed_causes')
  const { deps, owner } = old
  const { shop, shopKey, code, op, opKey, invitation } = await fillHouses(old)
  await old.upgrade()
  assert.deepEqual((await checkAudit(deps)).faults, [])
  assert.equal((await owner.query(`select from passkeys where host <> ''`)).rowCount, 0, 'not known by the upgrade')
  const session = await authenticateSession(deps, { token: shop.token, pending: false })
  assert.deepEqual([session.id, session.personId, session.merchantId], ['shop', 'shop', 'shop'])
  assert.deepEqual(
    (await listSessions(deps, session)).map(each => [each.id, each.current]),
    [['shop', true]],
  )
  const live = await authenticateOperatorSession(deps, { token: op.token, pending: false })
  assert.deepEqual([live.operatorId, live.email, live.role, live.freshUntil], ['op', 'shop@example.com', 'owner', 77])
  await authenticateSession(deps, { token: shop.pending, pending: true })
  const pending = await authenticateOperatorSession(deps, { token: op.pending, pending: true })
  assert.ok((await verifySignIn(deps, { session: pending, code: code(), from })).token, 'the authenticator opens')

  for (const [id, { deviceToken }] of Object.entries({ shop, op })) {
    const standing = await findVisitorStanding(deps.pool, id, { ...from, ip: '192.0.2.9', deviceToken })
    assert.deepEqual([standing.known, standing.device], [true, true], id)
  }
  assert.ok((await loginByPasskey(deps, { passkey: shopKey.sign(await askPasskeySignIn(deps)), from })).token)
  const signed = opKey.sign(await askOperatorPasskey(deps))
  assert.equal((await signInOperatorByPasskey(deps, { passkey: signed, from })).by.email, 'shop@example.com')

  const { rows: made } = await owner.query('select realm, host from passkeys order by 1')
  const learnt = ['console', 'shop'].map(realm => ({ realm, host: 'pay.example' }))
  assert.deepEqual(made, learnt, 'their use says where they were made')

  const accounts = (await listOperators(deps.pool)).map(each => [each.email, each.role, each.active])
  assert.deepEqual(accounts, [
    ['invited@example.com', 'finance', false],
    ['shop@example.com', 'owner', true],
  ])
  const { secret, offer, email } = await readInvitation(deps, { invitation, from })
  assert.equal(email, 'invited@example.com')
  const first = generateSync({ secret, epoch: deps.clock() })
  assert.ok((await redeemInvitation(deps, { invitation, password, offer, code: first, from })).token)
  await assert.rejects(signIn(deps, { email: 'removed@example.com', password, from }), { reason: 'wrong_credentials' })
  assert.ok((await addOperator(deps, { email: 'removed@example.com', role: 'viewer' })).link)
  await assert.rejects(login(deps, { email: 'closed@example.com', password, from }), { reason: 'wrong_credentials' })

  const next = { ...deps, seal: makeSeal('another secret of 32 characters!!', deps.config.secret) }
  assert.equal(await resealWithCurrentSecret(next), 2)
  const later = { ...next, seal: makeSeal('another secret of 32 characters!!') }
  deps.pass(30)
  const { token } = await signIn(later, { email: 'shop@example.com', password, from })
  const again = await authenticateOperatorSession(later, { token, pending: true })
  assert.ok((await verifySignIn(later, { session: again, code: code(), from })).token)
  const { rows } = await owner.query('select id, person_id, merchant_id from push_devices order by id')
  assert.deepEqual(rows, [
    { id: 'a', person_id: 'op', merchant_id: null },
    { id: 'd', person_id: 'shop', merchant_id: 'shop' },
  ])
})

test('merchants of 0.1.0 stay signed in, sign in, and own their shop', async t => {
  const old = await databaseAt(t, '0006_moves_together')
  const { deps, owner } = old
  await addMerchant(old, 'shop', { phone: '5550000', area_code: '1', phone_verified: true })
  const secret = generateSecret()
  const at = { column: 'merchants.authenticator_secret', row: 'bound' } as unknown as SealPlace
  const sealed = deps.seal.seal(secret, at)
  await addMerchant(old, 'bound', { authenticator_secret: sealed })
  const token = newSecret()
  await owner.query(
    `insert into sessions (token_hash, id, merchant_id, pending, ip, device, created_at, last_seen)
     values ($1, 's', 'shop', false, '', '', $2, $2)`,
    [hashSecret(token), deps.clock()],
  )
  await old.upgrade()
  const session = await authenticateSession(deps, { token, pending: false })
  assert.deepEqual([session.personId, session.merchantId], ['shop', 'shop'])
  assert.equal((await login(deps, { email: 'shop@example.com', password, from })).verification, false)
  const waiting = await login(deps, { email: 'bound@example.com', password, from })
  const pending = await authenticateSession(deps, { token: waiting.token, pending: true })
  const code = generateSync({ secret, epoch: deps.clock() })
  assert.ok((await verifyLogin(deps, { session: pending, code, from })).token)
  const { rows: persons } = await owner.query(
    'select id, email, phone, language, security_switch from persons order by 1',
  )
  assert.deepEqual(
    persons.map(row => Object.values(row)),
    [
      ['bound', 'bound@example.com', '', 'en-US', {}],
      ['shop', 'shop@example.com', '5550000', 'en-US', {}],
    ],
  )
  const { rows } = await owner.query('select person_id, merchant_id, role, removed_at from members order by 1')
  assert.deepEqual(
    rows.map(row => Object.values(row)),
    [
      ['bound', 'bound', 'owner', null],
      ['shop', 'shop', 'owner', null],
    ],
  )
})
