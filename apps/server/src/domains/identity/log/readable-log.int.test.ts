import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors, type RouteData } from '@coffer/contract'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { tx } from '../../../kit/db.ts'
import { makeApp } from '../../../serve.ts'
import { withDeps } from '../../../testing/deps.ts'
import { setTestRole, testMember } from '../../../testing/members.ts'
import { testMerchant, visitor } from '../../../testing/merchants.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { startSession } from '../../people/sessions.ts'

/* Who opened a shop has its chain of the audit log, also as somebody else later. */

const deps = await withDeps({ after })
const { owner } = deps
const app = await makeApp(deps)
after(() => app.close())

type Log = RouteData<'GET /api/v1/user/log'>

async function readLog(token: string): Promise<Log> {
  const answer = await app.inject({ url: '/api/v1/user/log?current=1&pageSize=50', headers: { 'x-token': token } })
  return answer.json().data
}
const exportLog = async (token: string) =>
  app.inject({ url: '/api/v1/user/log/export', headers: { 'x-token': token, 'x-download': '1' } })

/** A shop that one person opened and another one owns, too, each with something in the log. */
async function soldShop() {
  const opener = await testMerchant(deps)
  const buyer = await testMember(deps, owner, { merchantId: opener.id, role: 'owner' })
  const { session } = await buyer.signIn()
  const note = (type: 'policy_tightened' | 'secret_key_renewed', by?: typeof session) =>
    tx(deps.pool, async (_, uow) => {
      const from = by && { ...visitor, session: { ...by, name: `${by.personId} 1 Firefox` } }
      recordEvent(deps, uow, { merchantId: opener.id, type, from: from ?? null, params: { id: 'secret of the shop' } })
    })
  await note('policy_tightened', session)
  await note('secret_key_renewed')
  const signIn = async (merchantId: string) =>
    (await startSession(deps, deps.pool, { personId: opener.id, merchantId, from: visitor })).token
  const become = (merchantId: string, role: MerchantRole) =>
    setTestRole(owner, { personId: opener.id, merchantId, role, now: deps.clock() })
  return { opener, buyer, signIn, become }
}

const typesOf = (log: Log) => log.list.map(each => each.type)

test('who opened a shop and left it reads nothing of it from another shop', async () => {
  const { opener, signIn, become } = await soldShop()
  const other = await testMerchant(deps)
  await become(other.id, 'viewer')
  await owner.query('update members set removed_at = 1 where person_id = $1 and merchant_id = $1', [opener.id])
  const token = await signIn(other.id)
  const log = await readLog(token)
  assert.deepEqual([typesOf(log), log.total], [['login'], 1], 'own sign-ins')
  assert.equal((await exportLog(token)).headers['x-total-rows'], '1')
})

test('nor does who opened it and is no owner any more', async () => {
  const { opener, signIn, become } = await soldShop()
  const token = await signIn(opener.id)
  assert.ok(typesOf(await readLog(token)).includes('policy_tightened'), 'an owner reads the log of the shop')
  await become(opener.id, 'clerk')
  const log = await readLog(token)
  assert.deepEqual([typesOf(log), log.total], [['login'], 1])
})

test('an owner without a required second factor reads the own log, and no export', async () => {
  const { opener, buyer } = await soldShop()
  await owner.query('update merchants set second_factor_required = true where id = $1', [opener.id])
  const { token } = await buyer.signIn()
  assert.equal(typesOf(await readLog(token)).includes('policy_tightened'), false)
  assert.equal((await exportLog(token)).json().code, errors.second_factor_needed.code)
})
