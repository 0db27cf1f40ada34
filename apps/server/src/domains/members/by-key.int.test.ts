import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors } from '@coffer/contract'
import type { KeyOverlapSeconds } from '@coffer/contract/codes.ts'
import { merchantRoleNames, rolesWithoutSession } from '@coffer/contract/kit/merchant-roles.ts'
import type pg from 'pg'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import { makeApp } from '../../serve.ts'
import { withDeps } from '../../testing/deps.ts'
import { invitationIn, invite, joinByInvitation, newEmail } from '../../testing/invitations.ts'
import { setTestRole, testMember } from '../../testing/members.ts'
import { mailedProof, password, testApplication, testMerchant, visitor } from '../../testing/merchants.ts'
import { rowsOf } from '../../testing/money.ts'
import { ownedRows } from '../../testing/owned-rows.ts'
import { editApplication, rotateApplicationSecret } from '../applications/change-application.ts'
import { changeApplication } from '../applications/store.ts'
import { checkAudit } from '../audit/check-audit.ts'
import { authenticateSession } from '../identity/sessions/sessions.ts'
import { acceptAsNewPerson } from './accept-invitation.ts'
import { readPeople } from './list-members.ts'

const deps = await withDeps({ after })
const { owner } = deps
const from = visitor

/** What happens once a key was looked up, and before the first transaction of its call. */
let change: Partial<Record<'known' | 'connect', () => Promise<unknown>>> = {}
/** Names of what was sent to the database. */
let statements: (string | undefined)[] = []
const pool = new Proxy(deps.pool, {
  get(target, name) {
    if (name === 'query')
      return async (query: pg.QueryConfig) => {
        statements.push(query.name)
        const result = await target.query(query)
        if (query.name === 'application-by-key') await change.known?.()
        return result
      }
    if (name === 'connect')
      return async () => {
        await change.connect?.()
        const client = await target.connect()
        return new Proxy(client, {
          get(of, part) {
            const value = Reflect.get(of, part)
            if (typeof value !== 'function') return value
            if (part !== 'query') return value.bind(of)
            return (query: pg.QueryConfig, ...more: []) => {
              statements.push(query.name)
              return of.query(query, ...more)
            }
          },
        })
      }
    const value = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  },
})
const app = await makeApp({ ...deps, pool })
after(() => app.close())

const rights = { members_allowed: true, ip_whitelist_enabled: true, ip_whitelist: ['127.0.0.1'] }

async function newShop(given: object = {}) {
  const shop = await testMerchant(deps, { name: 'Corner shop' })
  const { appid, key } = await testApplication(deps, shop.id, { name: 'Tills', ...rights, ...given })
  return { ...shop, appid, key }
}
type Shop = Awaited<ReturnType<typeof newShop>>

interface Answer {
  status: number
  code: number
  data: { id: string; email: string; role: string; expires_time: number; list: object[]; invitations: object[] }
}

async function send(method: 'GET' | 'POST', path: string, key: string, payload?: object, headers = {}) {
  deps.pass(1)
  const answer = await app.inject({
    method,
    url: `/api/v1/pay/members${path}`,
    headers: { authorization: `Bearer ${key}`, ...headers },
    ...(payload && { payload }),
  })
  return { ...(answer.json() as Answer), status: answer.statusCode }
}
const list = ({ key }: Pick<Shop, 'key'>) => send('GET', '', key)
const inviteBy = ({ key }: Pick<Shop, 'key'>, email: string, role = 'clerk', headers = {}) =>
  send('POST', '', key, { email, role }, headers)
const removeBy = ({ key }: Pick<Shop, 'key'>, id: string, headers = {}) =>
  send('POST', `/${id}/remove`, key, {}, headers)
const accept = (email: string) =>
  acceptAsNewPerson(deps, {
    invitation: invitationIn(deps, email),
    password,
    confirm_password: password,
    from,
  })
const renew = async ({ id: merchantId, appid }: Shop, keepSeconds: KeyOverlapSeconds = 0) => {
  const proof = await mailedProof(deps, merchantId)
  return rotateApplicationSecret(deps, { merchantId, appid, target: 'secret_key', keepSeconds, proof, from })
}
const demote = (merchantId: string) =>
  owner.query(`update members set role = 'viewer' where merchant_id = $1`, [merchantId])
async function mailsTo(address: string, about: string): Promise<string[]> {
  await deps.delivered()
  return deps.mails.filter(each => each.to === address && each.subject.includes(about)).map(each => each.subject)
}
async function countMails(): Promise<number> {
  await deps.delivered()
  return deps.mails.length
}
const logOf = (shop: Shop, type: string) =>
  rowsOf(owner, 'select subject, person_id, session from audit_log where merchant_id = $1 and type = $2', [
    shop.id,
    type,
  ])
const isRefused = (answer: Answer, name: keyof typeof errors) =>
  assert.deepEqual([answer.status, answer.code], [errors[name].status, errors[name].code], JSON.stringify(answer))

/** Refuses a call that must leave no trace in the shop. */
async function refuses(shop: Shop, name: keyof typeof errors, work: () => Promise<Answer>) {
  const mails = await countMails()
  const before = await ownedRows(owner, shop.id)
  isRefused(await work(), name)
  assert.deepEqual(await ownedRows(owner, shop.id), before)
  assert.equal(await countMails(), mails)
}

test('a key lists, invites and removes; owners are told, and the log names the application', async () => {
  const shop = await newShop()
  const second = await joinByInvitation(deps, shop, 'finance')
  await setTestRole(owner, {
    personId: second.session.personId,
    merchantId: shop.id,
    role: 'owner',
    now: deps.clock(),
  })
  const email = newEmail()
  const invited = await inviteBy(shop, email, 'support')
  assert.deepEqual([invited.status, invited.data.email, invited.data.role], [200, email, 'support'])
  assert.equal(invited.data.expires_time, deps.clock() + 7 * 86_400)
  for (const to of [shop.email, second.email])
    assert.deepEqual(await mailsTo(to, email), [`The key of application “Tills” invited ${email} (Support)`])
  assert.match(deps.mails.find(each => each.to === email)!.text, /^You are invited to “Corner shop” on /)
  const { invitations } = await readPeople(deps, shop.session)
  assert.deepEqual(
    invitations.map(each => [each.email, each.invited_by, each.application]),
    [[email, '', 'Tills']],
  )
  const { token } = await accept(email)
  const session = await authenticateSession(deps, { token, pending: false })
  const { data } = await list(shop)
  assert.deepEqual(data.list.at(-1), { id: session.personId, email, role: 'support', since: deps.clock() - 1 })
  assert.deepEqual(data.invitations, [])
  // Until an owner gives a limit, this person refunds nothing.
  const [part] = await rowsOf(owner, 'select refund_limit from members where person_id = $1', [session.personId])
  assert.equal(part.refund_limit, null)
  assert.equal((await removeBy(shop, session.personId)).status, 200)
  await assert.rejects(authenticateSession(deps, { token, pending: false }), { reason: 'login_expired' })
  assert.deepEqual((await mailsTo(second.email, email)).at(-1), `The key of application “Tills” removed ${email}`)
  assert.match(deps.mails.findLast(each => each.to === email)!.text, /done by the key of application “Tills”/)
  const name = `Tills (${shop.appid})`
  const entry = (subject: string) => ({ subject, person_id: '', session: '' })
  assert.deepEqual((await logOf(shop, 'member_invited')).at(-1), entry(`${email} support ${name}`))
  assert.deepEqual((await logOf(shop, 'member_removed')).at(-1), entry(`${email} support ${name}`))
  isRefused(await removeBy(shop, session.personId), 'member_not_exist')
  assert.deepEqual((await checkAudit(deps)).faults, [])
})

test('a key gives no role that moves money, makes keys or owns, whatever else is sent', async () => {
  const shop = await newShop()
  for (const role of merchantRoleNames.filter(each => !(rolesWithoutSession as readonly string[]).includes(each)))
    await refuses(shop, 'parameter_error', () => inviteBy(shop, newEmail(), role))
  for (const more of [{ refund_limit: '1000' }, { proof: { method: 'email', code: '000000' } }, { roles: ['owner'] }])
    await refuses(shop, 'parameter_error', () =>
      send('POST', '', shop.key, { email: newEmail(), role: 'clerk', ...more }),
    )
  await refuses(shop, 'parameter_error', () => send('POST', '', shop.key, { email: newEmail(), role: ['clerk'] }))
})

test('a key removes no owner, neither the last one, nor who made it, nor another one', async () => {
  const shop = await newShop()
  const other = await testMember(deps, owner, { merchantId: shop.id, role: 'owner' })
  await refuses(shop, 'member_is_owner', () => removeBy(shop, other.personId))
  await refuses(shop, 'member_is_owner', () => removeBy(shop, shop.id))
  await owner.query('delete from members where person_id = $1 and merchant_id = $2', [other.personId, shop.id])
  await refuses(shop, 'member_is_owner', () => removeBy(shop, shop.id))
})

test('a key reaches nobody of another shop', async () => {
  const shop = await newShop()
  const other = await newShop()
  const stranger = await testMember(deps, owner, { merchantId: other.id, role: 'viewer' })
  await refuses(other, 'member_not_exist', () => removeBy(shop, stranger.personId))
  await refuses(other, 'member_not_exist', () => removeBy(shop, other.id))
  // Who works for both stays in the other one.
  await setTestRole(owner, {
    personId: stranger.personId,
    merchantId: shop.id,
    role: 'viewer',
    now: deps.clock(),
  })
  const before = await ownedRows(owner, other.id)
  assert.equal((await removeBy(shop, stranger.personId)).status, 200)
  assert.deepEqual(await ownedRows(owner, other.id), before)
  assert.equal((await list(shop)).data.list.length, 1)
})

test('a key of a developer, of who was demoted or of who left is refused until an owner renews it', async () => {
  const shop = await newShop()
  const maker = await testMember(deps, owner, { merchantId: shop.id, role: 'developer' })
  const key = `sk_live_${newSecret()}`
  const made = { key_hash: hashSecret(key), secret_by: maker.personId }
  await changeApplication(deps.pool, shop.id, shop.appid, made)
  const by = { ...shop, key }
  for (const role of merchantRoleNames.filter(each => each !== 'owner')) {
    await owner.query('update members set role = $1 where person_id = $2 and merchant_id = $3', [
      role,
      maker.personId,
      shop.id,
    ])
    for (const call of [() => list(by), () => inviteBy(by, newEmail()), () => removeBy(by, maker.personId)])
      await refuses(shop, 'secret_of_no_owner', call)
  }
  await owner.query(`update members set role = 'owner' where person_id = $1`, [maker.personId])
  assert.equal((await list(by)).status, 200)
  await owner.query('update members set removed_at = 1 where person_id = $1 and merchant_id = $2', [
    maker.personId,
    shop.id,
  ])
  await refuses(shop, 'secret_of_no_owner', () => list(by))
  const renewed = await renew(shop)
  assert.equal((await list({ key: renewed.secret_key! })).status, 200)
})

test('what ends while a request runs refuses it: the owner, the key, the scope, the application', async () => {
  const shop = await newShop()
  const clerk = await testMember(deps, owner, { merchantId: shop.id, role: 'clerk' })
  const maker = await testMember(deps, owner, { merchantId: shop.id, role: 'owner' })
  await changeApplication(deps.pool, shop.id, shop.appid, { secret_by: maker.personId })
  const set = (text: string) => () =>
    owner.query(`update applications set ${text} where appid = '${shop.appid}'`) as Promise<unknown>
  const part = (text: string) => () =>
    owner.query(`update members set ${text} where person_id = '${maker.personId}' and merchant_id = '${shop.id}'`)
  const changes: [() => Promise<unknown>, () => Promise<unknown>, keyof typeof errors][] = [
    [part(`role = 'finance'`), part(`role = 'owner'`), 'secret_of_no_owner'],
    [part('removed_at = 1'), part('removed_at = null'), 'secret_of_no_owner'],
    [set('members_allowed = false'), set('members_allowed = true'), 'scope_missing'],
    [set('status = 2'), set('status = 1'), 'application_disabled'],
    [set(`ip_whitelist = '["203.0.113.7"]'`), set(`ip_whitelist = '["127.0.0.1"]'`), 'ip_not_allowed'],
    [set(`key_hash = sha256('other')`), set(`key_hash = '\\x${hashSecret(shop.key).toString('hex')}'`), 'bad_key'],
    [set('deleted_at = 1'), set('deleted_at = null'), 'bad_key'],
  ]
  for (const [take, giveBack, refusal] of changes)
    for (const moment of ['known', 'connect'] as const)
      for (const call of [() => inviteBy(shop, newEmail()), () => removeBy(shop, clerk.personId)]) {
        const mails = await countMails()
        change = {
          [moment]: async () => {
            change = {}
            await take()
          },
        }
        isRefused(await call(), refusal)
        change = {}
        await giveBack()
        assert.equal(await countMails(), mails)
        assert.deepEqual((await list(shop)).data.invitations, [])
        assert.equal((await list(shop)).data.list.length, 3)
      }
})

test('two at once: one invitation of an address works, and a person is removed once', async () => {
  const shop = await newShop()
  const email = newEmail()
  const both = await Promise.all([inviteBy(shop, email), inviteBy(shop, email)])
  assert.deepEqual(
    both.map(each => each.status),
    [200, 200],
  )
  assert.equal((await list(shop)).data.invitations.length, 1)
  const clerk = await testMember(deps, owner, { merchantId: shop.id, role: 'clerk' })
  const removals = await Promise.all([removeBy(shop, clerk.personId), removeBy(shop, clerk.personId)])
  assert.deepEqual(removals.map(each => each.status).sort(), [200, 422])
  assert.equal((await logOf(shop, 'member_removed')).length, 1)
})

test('a repeated request is answered as the first one, and does nothing more', async () => {
  const shop = await newShop()
  const email = newEmail()
  const again = { 'idempotency-key': 'the-same' }
  const first = await inviteBy(shop, email, 'clerk', again)
  const mails = await countMails()
  assert.deepEqual(await inviteBy(shop, email, 'clerk', again), first)
  assert.equal(await countMails(), mails)
  isRefused(await inviteBy(shop, email, 'viewer', again), 'idempotency_conflict')
  // The key of another application does not find it.
  const other = await testApplication(deps, shop.id, { name: 'Other', ...rights })
  assert.notEqual((await inviteBy(other, email, 'clerk', again)).data.id, first.data.id)
  await accept(email)
  const { data } = await list(shop)
  const { id } = data.list.at(-1) as { id: string }
  const gone = { 'idempotency-key': 'remove' }
  assert.deepEqual(await removeBy(shop, id, gone), await removeBy(shop, id, gone))
  assert.equal((await logOf(shop, 'member_removed')).length, 1)
})

test('nobody learns from an invitation whether an address has an account', async () => {
  const shop = await newShop()
  const known = await testMerchant(deps)
  const rowsOfShop = async () =>
    (await ownedRows(owner, shop.id)).flatMap(each => each.split('\n')).filter(isRow).length
  const isRow = (line: string) => line.includes('(')
  const ofKnown = await ownedRows(owner, known.id)
  // A key that was not used before is looked up once more.
  await list(shop)
  const made: unknown[] = []
  for (const email of [known.email, newEmail()]) {
    const rows = await rowsOfShop()
    const mails = deps.mails.length
    statements = []
    const { status, code, data } = await inviteBy(shop, email, 'viewer')
    const fields = Object.keys(data)
    const added = { rows: (await rowsOfShop()) - rows, mails: deps.mails.length - mails }
    made.push({ status, code, fields, role: data.role, statements, added })
  }
  assert.deepEqual(made[0], made[1])
  assert.ok(statements.includes('member-invitation-put'), statements.join())
  assert.deepEqual(await ownedRows(owner, known.id), ofKnown)
})

test('an invitation by a key ends with what the key was', async () => {
  const edit = async ({ id: merchantId, appid }: Shop, settings: object, status?: number) =>
    editApplication(deps, { merchantId, appid, settings, status, proof: await mailedProof(deps, merchantId), from })
  const ends: [string, (shop: Shop) => Promise<unknown>][] = [
    ['a new secret', shop => renew(shop, 86_400)],
    ['the scope', shop => edit(shop, { members_allowed: false })],
    ['the whitelist', shop => edit(shop, { ip_whitelist: ['203.0.113.7'] })],
    ['the application', shop => edit(shop, {}, 2)],
    ['the role of who made it', ({ id }) => demote(id)],
  ]
  for (const [what, end] of ends) {
    const shop = await newShop()
    const email = newEmail()
    await inviteBy(shop, email)
    deps.pass(60)
    await end(shop)
    await assert.rejects(accept(email), { reason: 'invitation_ended' }, what)
    assert.deepEqual((await readPeople(deps, shop.session)).invitations, [], what)
  }
})

test('a key replaces what it invited itself, and not what an owner did', async () => {
  const shop = await newShop()
  const { email } = await invite(deps, shop, 'finance')
  await refuses(shop, 'member_exists', () => inviteBy(shop, email, 'viewer'))
  await refuses(shop, 'member_exists', () => inviteBy(shop, shop.email))
  const own = newEmail()
  await inviteBy(shop, own, 'clerk')
  const { data } = await inviteBy(shop, own.toUpperCase(), 'viewer')
  assert.deepEqual([data.email, data.role], [own, 'viewer'])
  assert.equal((await list(shop)).data.invitations.length, 2)
})

test('invitations are limited by day, apart from those of owners, and stop while the account is held', async () => {
  const shop = await newShop()
  for (let at = 0; at < 10; at++) assert.equal((await inviteBy(shop, 'same@example.com')).status, 200)
  // So often is one address mailed, by whichever shop.
  isRefused(await inviteBy(shop, 'same@example.com'), 'frequent_operation')
  for (let at = 0; at < 19; at++) assert.equal((await inviteBy(shop, `${at}@example.com`)).status, 200)
  isRefused(await inviteBy(shop, newEmail()), 'frequent_operation')
  await invite(deps, shop, 'viewer')
  deps.pass(86_400)
  assert.equal((await inviteBy(shop, 'same@example.com')).status, 200)
  await owner.query('update merchants set held_at = $2 where id = $1', [shop.id, deps.clock()])
  isRefused(await inviteBy(shop, newEmail()), 'account_held')
  const clerk = await testMember(deps, owner, { merchantId: shop.id, role: 'clerk' })
  assert.equal((await removeBy(shop, clerk.personId)).status, 200)
})

test('removals are limited by day', async () => {
  const shop = await newShop()
  const limit = 30
  for (let at = 0; at < limit; at++) {
    const { personId } = await testMember(deps, owner, { merchantId: shop.id, role: 'viewer' })
    assert.equal((await removeBy(shop, personId)).status, 200)
  }
  const clerk = await testMember(deps, owner, { merchantId: shop.id, role: 'clerk' })
  isRefused(await removeBy(shop, clerk.personId), 'frequent_operation')
  deps.pass(86_400)
  assert.equal((await removeBy(shop, clerk.personId)).status, 200)
})
