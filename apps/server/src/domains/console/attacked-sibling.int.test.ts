import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCommand, runCommand } from '../../cli/run.ts'
import { bridgedWorld } from '../../testing/bridged-world.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { visitor } from '../../testing/merchants.ts'
import { rowsOf } from '../../testing/money.ts'
import { testOperator } from '../../testing/operators.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts'
import { makeConsoleApp } from './app.ts'

const reason = 'the sender asked for it'
type How = 'credit' | 'return'

/** A sibling that waits, and two operators who can decide: alone up to `twoAbove` USDT. */
async function desk(t: Parameters<typeof bridgedWorld>[0], twoAbove = 1_000) {
  const w = await bridgedWorld(t)
  Object.assign(w.deps.config, { twoPeopleAbove: twoAbove })
  await w.owner.query(
    `insert into prices (symbol, source, price, at) values ('USDT', 'x', '1', $1), ('USDC', 'x', '1', $1)`,
    [w.deps.clock()],
  )
  const app = await makeConsoleApp(w.deps)
  t.after(() => app.close())
  const decide = async (token: string, how: How, { id = w.id, body = { reason } as object, method = 'POST' } = {}) => {
    const url = `/api/operator/v1/deposits/${id}/${how}`
    const headers = { 'x-token': token, 'content-type': 'application/json' }
    return (await app.inject({ method: method as 'POST', url, headers, payload: JSON.stringify(body) })).json()
  }
  /** Asserts that it was decided in one way, once, and returns the way. */
  const decided = async (): Promise<How | 'not'> => {
    const { state, returned } = await w.deposit()
    const withdrawals = await w.withdrawals()
    const groups = await rowsOf(w.owner, `select source from ledger_groups where source = 'deposit:' || $1`, [w.id])
    assert.equal(groups.length, state === 'credited' ? 1 : 0)
    assert.equal(withdrawals.length, returned ? 1 : 0)
    assert.equal(await w.balance('eth:USDC.e'), state === 'credited' && !returned ? '4980000' : '0')
    assert.deepEqual(await checkLedger(w.deps), [])
    await assertBooksAgree(w.owner)
    return state === 'credited' ? (returned ? 'return' : 'credit') : 'not'
  }
  const one = await testOperator(w.deps, 'owner')
  const two = await testOperator(w.deps, 'finance')
  return { ...w, decide, decided, one, two }
}

test('two operators who credit and return at the same moment, many times over, do one of the two once', async t => {
  const ways = new Set<string>()
  for (let i = 0; i < 4; i++) {
    const w = await desk(t)
    const calls: [string, How][] = [0, 1, 2].flatMap(() => [
      [w.one.token, 'credit'] as [string, How],
      [w.two.token, 'return'] as [string, How],
    ])
    if (i % 2) calls.reverse()
    const answers = await Promise.all(calls.map(([token, how]) => w.decide(token, how)))
    const way = await w.decided()
    ways.add(way)
    for (const [place, { code }] of answers.entries())
      assert.equal(code === 200, calls[place]![1] === way, `${calls[place]} of ${way}: ${code}`)
  }
  assert.ok(!ways.has('not'))
})

test('the command line and the console at the same moment do one of the two once', async t => {
  const w = await desk(t)
  const type = (how: How) => runCommand(w.deps, findCommand(['deposit', how, w.id, ...reason.split(' ')])!)
  const [typed, , again] = await Promise.all([type('return'), w.decide(w.one.token, 'credit'), type('return')])
  const way = await w.decided()
  assert.equal(typed.code === 0, way === 'return', typed.text)
  assert.equal(again.code, typed.code)
  const other = way === 'return' ? 'credit' : 'return'
  assert.equal((await type(other)).code, 1)
  assert.equal(await w.decided(), way)
})

test('above the limit one asks to credit and the other to return: nothing happens until two ask for the same', async t => {
  const w = await desk(t, 1)
  assert.equal((await w.decide(w.one.token, 'credit')).data.waits, true)
  assert.equal((await w.decide(w.two.token, 'return')).data.waits, true)
  assert.notEqual((await w.decide(w.one.token, 'credit')).code, 200, 'twice the same person')
  assert.equal(await w.decided(), 'not')
  const [back, credit] = await Promise.all([w.decide(w.one.token, 'return'), w.decide(w.two.token, 'credit')])
  const way = await w.decided()
  assert.ok(way !== 'not')
  assert.deepEqual([back.code === 200, credit.code === 200], [way === 'return', way === 'credit'])
})

test('what one asked for is another decision once the deposit has another amount, and a page of before decides nothing', async t => {
  for (const how of ['credit', 'return'] as const) {
    const w = await desk(t, 1)
    const shown = { body: { reason, amount: '5' } }
    assert.equal((await w.decide(w.one.token, how, shown)).data.waits, true)
    await w.owner.query('update deposits set amount = 7000000 where id = $1', [w.id])
    const refused = await w.decide(w.two.token, how, shown)
    assert.deepEqual([refused.code === 200, refused.field], [false, 'amount'])
    assert.match(refused.msg, /7 USDC\.e now/)
    assert.equal((await w.decide(w.two.token, how)).data.waits, true, 'nobody else has agreed to 7')
    assert.equal(await w.decided(), 'not')
    assert.equal((await w.decide(w.one.token, how, { body: { reason, amount: '7' } })).data.waits, false)
    assert.equal((await w.deposit()).state, 'credited')
  }
})

test('strangers, other roles, stale sessions and odd bodies decide nothing', async t => {
  const w = await desk(t)
  const support = await testOperator(w.deps, 'support')
  const viewer = await testOperator(w.deps, 'viewer')
  const stale = await testOperator(w.deps, 'finance', { fresh: false })
  for (const how of ['credit', 'return'] as const) {
    for (const token of ['', 'x', w.merchant.token, support.token, viewer.token, stale.token])
      assert.notEqual((await w.decide(token, how)).code, 200)
    for (const body of [{}, { reason: 'x' }, { reason, to: `0x${'9'.repeat(40)}` }, { reason, amount: '9' }, []])
      assert.notEqual((await w.decide(w.one.token, how, { body })).code, 200, JSON.stringify(body))
    for (const id of ['x', `${w.id} `, w.id.toUpperCase(), `${w.id}/undo`, '%27', w.order.trade_no])
      assert.notEqual((await w.decide(w.one.token, how, { id: encodeURIComponent(id) })).code, 200, id)
    for (const method of ['GET', 'PUT', 'DELETE'])
      assert.notEqual((await w.decide(w.one.token, how, { method })).code, 200)
  }
  assert.equal(await w.decided(), 'not')
})

test('neither the merchant nor a key of an application stops what is given back', async t => {
  const w = await desk(t)
  const { data } = await w.decide(w.one.token, 'return')
  const by = { merchantId: w.merchant.id, id: data.withdrawal, from: visitor }
  await assert.rejects(cancelWithdrawal(w.deps, by), { reason: 'withdrawal_cannot_change' })
  await assert.rejects(cancelWithdrawal(w.deps, { ...by, appid: w.appid }), { reason: 'withdrawal_not_exist' })
  await assert.rejects(cancelWithdrawal(w.deps, { ...by, appid: '' }), { reason: 'withdrawal_cannot_change' })
  assert.equal(await w.decided(), 'return')
})
