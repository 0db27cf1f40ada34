import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  emailCodePurpose,
  errors,
  type ProofAction,
  type RouteDefinition,
  type RouteKey,
  routes,
} from '@coffer/contract'
import { merchantRoleNames, merchantRoleTexts } from '@coffer/contract/kit/merchant-roles.ts'
import { languageList, languages } from '@coffer/contract/languages.ts'
import type pg from 'pg'
import { makeApp } from '../serve.ts'
import { requestsOf } from '../testing/every-request.ts'
import { setTestRole, type TestMember, testMember } from '../testing/members.ts'
import { testApplication, testMerchant } from '../testing/merchants.ts'
import { moneyWorld } from '../testing/money.ts'
import { testOperator } from '../testing/operators.ts'
import { createOwned } from '../testing/owned.ts'
import { ownedRows } from '../testing/owned-rows.ts'

/* Every signed-in call of the contract, made by each role in the shop that has what it names, and in another one. */

const world = await moneyWorld({ after })
const { deps, owner, merchant } = world
const owned = await createOwned(world)
const requests = requestsOf(world, owned)
/** What happens once a session was looked up. */
let afterLookup = async () => {}
const pool = new Proxy(deps.pool, {
  get(target, name) {
    if (name === 'query')
      return async (query: pg.QueryConfig) => {
        const result = await target.query(query)
        if (query.name === 'session-by-token') await afterLookup()
        return result
      }
    const value = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  },
})
const app = await makeApp({ ...deps, pool })
after(() => app.close())

type Who = NonNullable<RouteDefinition['who']>
const calls = Object.entries<RouteDefinition>(routes).flatMap(([key, { auth, who, kind }]) =>
  auth === 'token' ? [{ key: key as RouteKey, who, kind }] : [],
)
const mayCall = (who: Who, role: string) => who === 'oneself' || who.includes(role)

let sent = 0
async function send(key: RouteKey, headers: Record<string, string>) {
  const [method = '', path = ''] = key.split(' ')
  const { params = {}, query = {}, body } = requests[key] ?? {}
  sent++
  const answer = await app.inject({
    method: method as 'GET',
    url: `${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'x')}?${new URLSearchParams(query as Record<string, string>)}`,
    remoteAddress: `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`,
    headers,
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, text: answer.body }
}
type Answer = Awaited<ReturnType<typeof send>>

/** Whether an answer refuses a role, by its name, and says nothing else. */
const isRefusal = ({ status, text }: Answer, role: keyof typeof merchantRoleTexts) =>
  status === 403 &&
  text ===
    JSON.stringify({ code: 403, msg: `${errors.forbidden.en} (your role is ${merchantRoleTexts[role].name.en})` })

/** Makes every call that a role may make, or every other one, each with a session of its own. Returns those refused. */
async function refusedOf(member: TestMember, role: keyof typeof merchantRoleTexts, those: (who: Who) => boolean) {
  const refused: string[] = []
  for (const { key, who, kind } of calls.filter(each => those(each.who))) {
    // A stream that is allowed does not end.
    if (kind === 'events' && mayCall(who, role)) continue
    const answer = await send(key, { 'x-token': (await member.signIn()).token })
    assert.ok(
      (answer.status < 500 || answer.status === 503) && answer.status !== 401,
      `${key}: ${JSON.stringify(answer)}`,
    )
    for (const secret of those === isAny ? secrets : [])
      assert.ok(!answer.text.includes(secret), `${key} leaks ${secret}: ${answer.text}`)
    if (isRefusal(answer, role)) refused.push(key)
  }
  return refused
}
const isAny = () => true
/** Calls about oneself that confirm what the role may do. */
const confirming = ['POST /api/v1/user/verification', 'POST /api/v1/user/passkey/ask']
// The stranger's own log repeats what the stranger sent.
const secrets = [
  merchant.id,
  merchant.mchid,
  merchant.email,
  'Corner shop',
  owned.order.trade_no,
  owned.callback,
  'own answer',
]
const keysOf = (those: (who: Who) => boolean) => calls.filter(({ who }) => those(who)).map(({ key }) => key)

for (const role of merchantRoleNames)
  test(`a member who is ${role} is refused every call of other roles, without a trace, and no other call`, async () => {
    const member = await testMember(deps, owner, { merchantId: merchant.id, role })
    const mayNot = (who: Who) => !mayCall(who, role)
    const before = await ownedRows(owner, merchant.id)
    assert.deepEqual(await refusedOf(member, role, mayNot), keysOf(mayNot))
    assert.deepEqual(await ownedRows(owner, merchant.id), before)
    const refused = await refusedOf(member, role, who => mayCall(who, role))
    assert.deepEqual(
      refused.filter(key => !confirming.includes(key)),
      [],
    )
  })

test('a member of another shop is refused the same, and reaches nothing by the ids of this one', async () => {
  const other = await testMerchant(deps, { password_hash: null })
  const before = await ownedRows(owner, merchant.id)
  for (const role of merchantRoleNames) {
    const member = await testMember(deps, owner, { merchantId: other.id, role })
    const refused = await refusedOf(member, role, isAny)
    assert.deepEqual(
      refused.filter(key => !confirming.includes(key)),
      keysOf(who => !mayCall(who, role)),
    )
  }
  assert.deepEqual(await ownedRows(owner, merchant.id), before)
})

test('a refusal names the role in both languages', async () => {
  const viewer = await testMember(deps, owner, { merchantId: merchant.id, role: 'viewer' })
  const { token } = await viewer.signIn()
  for (const language of languageList) {
    const { text } = await send('DELETE /api/v1/user', { 'x-token': token, 'x-language': languages[language].tag })
    for (const part of [errors.forbidden[language], merchantRoleTexts.viewer.name[language]])
      assert.ok(JSON.parse(text).msg.includes(part), text)
  }
})

test('a role that nobody knows, an operator, and a key make no signed-in call', async () => {
  const unknown = await testMember(deps, owner, { merchantId: merchant.id, role: 'viewer' })
  const { token } = await unknown.signIn()
  await setTestRole(owner, { personId: unknown.personId, merchantId: merchant.id, role: 'cashier', now: deps.clock() })
  const operator = await testOperator(deps, 'owner')
  const { key } = await testApplication(deps, merchant.id, { name: 'key of a shop' })
  const before = await ownedRows(owner, merchant.id)
  const others: Record<string, string>[] = [
    { 'x-token': token },
    { 'x-token': operator.token },
    { authorization: `Bearer ${key}` },
  ]
  for (const { key: call } of calls)
    for (const headers of others) assert.equal((await send(call, headers)).status, 401, call)
  assert.deepEqual(await ownedRows(owner, merchant.id), before)
})

/** Actions and codes of the shop, by the call that they confirm. */
const confirmed: [action: ProofAction, purpose: number, call: RouteKey][] = [
  ['withdrawal', emailCodePurpose.withdrawal, 'POST /api/v1/transactions/refund'],
  ['transfer', emailCodePurpose.transfer, 'POST /api/v1/account/internal-transfer'],
  ['address-book', emailCodePurpose.addressBook, 'POST /api/v1/address'],
  ['withdrawal-settings', emailCodePurpose.withdrawalSettings, 'PUT /api/v1/account/withdraw-setting'],
  ['mark-payment', emailCodePurpose.markPayment, 'POST /api/v1/transactions/mark'],
  ['application', emailCodePurpose.application, 'POST /api/v1/user/secret-key'],
  ['close-account', emailCodePurpose.closeAccount, 'DELETE /api/v1/user'],
  ['password', emailCodePurpose.updatePassword, 'PUT /api/v1/user/password'],
]

test('nobody is sent a code, or gets a ticket or a challenge, for what the role may not do', async () => {
  for (const role of merchantRoleNames) {
    const { token } = await (await testMember(deps, owner, { merchantId: merchant.id, role })).signIn()
    for (const [action, type, call] of confirmed) {
      const may = mayCall((routes[call] as RouteDefinition).who!, role)
      const mails = deps.mails.length
      const post = (url: string, payload: object) =>
        app.inject({ method: 'POST', url: `/api/v1/${url}`, headers: { 'x-token': token }, payload })
      const code = await post('public/email/send-verification-code', { type })
      assert.equal(code.statusCode, may ? 200 : 403, `${role}, ${action}: ${code.body}`)
      assert.equal(deps.mails.length - mails, may ? 1 : 0)
      const proof = { method: 'email', code: '000000' }
      for (const asked of [
        await post('user/verification', { action, proof }),
        await post('user/passkey/ask', { action, data: { amount: '1' } }),
      ])
        assert.equal(isRefusal({ status: asked.statusCode, text: asked.body }, role), !may, `${role}: ${asked.body}`)
    }
  }
})

test('other forms of a path are the call itself, or none', async () => {
  const member = await testMember(deps, owner, { merchantId: merchant.id, role: 'clerk' })
  const { token } = await member.signIn()
  const before = await ownedRows(owner, merchant.id)
  const path = '/api/v1/account/withdrawal-list'
  const forms: { method: 'GET' | 'HEAD' | 'POST'; url: string; headers?: Record<string, string> }[] = [
    { method: 'GET', url: path },
    { method: 'HEAD', url: path },
    { method: 'GET', url: `${path}/` },
    { method: 'GET', url: `/api/v1//account/withdrawal-list` },
    { method: 'GET', url: path.toUpperCase() },
    { method: 'GET', url: '/api/v1/account/%77ithdrawal-list' },
    { method: 'GET', url: `${path}?_method=POST` },
    { method: 'POST', url: path, headers: { 'x-http-method-override': 'GET' } },
    { method: 'POST', url: '/api/v1/account/fixed-address?_method=GET' },
    { method: 'GET', url: '/api/v1/account/withdrawal', headers: { 'x-http-method-override': 'POST' } },
  ]
  for (const { headers, ...form } of forms) {
    const answer = await app.inject({ ...form, headers: { 'x-token': token, ...headers } })
    assert.ok([403, 404, 405].includes(answer.statusCode), `${JSON.stringify(form)}: ${answer.statusCode}`)
  }
  assert.deepEqual(await ownedRows(owner, merchant.id), before)
})

test('a stored answer is its member’s alone, and only while the role may make the call', async () => {
  const first = await testMember(deps, owner, { merchantId: merchant.id, role: 'finance' })
  const second = await testMember(deps, owner, { merchantId: merchant.id, role: 'support' })
  const { token } = await first.signIn()
  const tokens = [token, (await second.signIn()).token, token]
  const click = { 'idempotency-key': 'the-same-for-both' }
  const answers = []
  for (const each of tokens) answers.push(await send('POST /api/v1/collect', { 'x-token': each, ...click }))
  const [own, others, again] = answers.map(({ text }) => JSON.parse(text).data.trade_no)
  assert.ok(own && others)
  assert.equal(again, own)
  assert.notEqual(others, own)
  const { personId } = first
  await setTestRole(owner, { personId, merchantId: merchant.id, role: 'developer', now: deps.clock() })
  assert.ok(isRefusal(await send('POST /api/v1/collect', { 'x-token': token, ...click }), 'developer'))
})

test('a role that is lowered while the body of a request arrives refuses it', async () => {
  const { personId, signIn } = await testMember(deps, owner, { merchantId: merchant.id, role: 'finance' })
  const { token } = await signIn()
  const before = await ownedRows(owner, merchant.id)
  let lookups = 0
  afterLookup = async () => {
    // The first is at the door, before the body is read.
    if (lookups++ === 0)
      await setTestRole(owner, { personId, merchantId: merchant.id, role: 'viewer', now: deps.clock() })
  }
  assert.ok(isRefusal(await send('POST /api/v1/collect', { 'x-token': token }), 'viewer'))
  afterLookup = async () => {}
  assert.equal(lookups, 2)
  assert.deepEqual(await ownedRows(owner, merchant.id), before)
})
