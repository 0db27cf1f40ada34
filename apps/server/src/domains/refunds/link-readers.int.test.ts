import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RouteData } from '@coffer/contract'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import { makeApp } from '../../serve.ts'
import { testMember } from '../../testing/members.ts'
import { newSession, visitor } from '../../testing/merchants.ts'
import { linkWorld } from '../../testing/refund-links.ts'

/* Whoever has the address of an open link takes its money: reading lists is not enough for it. */

test('only who may give back this much reads the address of an open link, also by keys', async t => {
  const w = await linkWorld(t)
  const { deps, merchant, owner, appid } = w
  const app = await makeApp(deps)
  t.after(() => app.close())
  const join = async (role: MerchantRole) => testMember(deps, owner, { merchantId: merchant.id, role })
  const support = await join('support')
  await owner.query('update members set refund_limit = 50000000 where person_id = $1', [support.personId])
  const part = { kind: 'part', amount: '20' } as const
  const read = async (url: string, headers: Record<string, string>) => (await app.inject({ url, headers })).json()
  const pages = [`refund-link?trade_no=${w.trade_no}`, 'refund-link-list?current=1&pageSize=10']
  const links = async (token: string) => {
    const answers = []
    for (const page of pages) answers.push(await read(`/api/v1/transactions/${page}`, { 'x-token': token }))
    return answers.flatMap(({ data }: { data: RouteData<'GET /api/v1/transactions/refund-link'> }) => data.list)
  }
  const seesUrl = async (token: string) => (await links(token)).map(each => each.url !== '')
  const id = await w.make(part)
  const { token } = await support.signIn()
  assert.deepEqual(await seesUrl(await newSession(deps, merchant.id)), [true, true])
  assert.deepEqual(await seesUrl((await (await join('finance')).signIn()).token), [true, true])
  assert.deepEqual(await seesUrl((await (await join('viewer')).signIn()).token), [false, false])
  assert.deepEqual(await seesUrl(token), [false, false], 'made by the owner, and beyond the limit')

  const key = `sk_live_${newSecret()}`
  for (const mayRefund of [false, true]) {
    await owner.query(
      `update applications set key_hash = $2, refunds_allowed = $3, ip_whitelist_enabled = true,
         ip_whitelist = '["127.0.0.1"]' where appid = $1`,
      [appid, hashSecret(key), mayRefund],
    )
    deps.pass(60)
    const { data } = await read(`/api/v1/pay/refund-links/${id}`, { authorization: `Bearer ${key}` })
    assert.deepEqual([data.id, data.url !== ''], [id, mayRefund])
  }

  await owner.query(`update refund_links set state = 'canceled' where id = $1`, [id])
  const { session } = await support.signIn()
  deps.pass(1)
  await w.make({ ...part, from: { ...visitor, session }, proof: await w.proof(support.personId) })
  assert.deepEqual(await seesUrl(token), [true, false, true, false], 'an own one is for the payer')
})
