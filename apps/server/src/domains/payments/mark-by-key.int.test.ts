import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors } from '@coffer/contract'
import { untilBlocked } from '@coffer/local/testing/until.ts'
import { makeApp } from '../../serve.ts'
import { breakOnce } from '../../testing/break.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testApplication, testMerchant, visitor } from '../../testing/merchants.ts'
import { firstRow, moneyWorld, rowsOf } from '../../testing/money.ts'
import { applyReorg } from '../deposits/apply-reorg.ts'
import { expirePayments } from './expire-payments.ts'
import { markPaidByKey } from './mark-payment.ts'

const world = await moneyWorld({ after })
const { deps, owner, merchant } = world
const app = await makeApp(deps)
after(() => app.close())
const shop = await testApplication(deps, merchant.id, {
  name: 'Marks',
  marks_allowed: true,
  notify_url: 'https://shop.example/notify',
})
const refused = (name: 'marks_not_allowed' | 'transaction_not_exist' | 'transaction_cannot_mark' | 'account_frozen') =>
  errors[name].code

let orders = 0
/** An order of the shop, by default with a chosen asset. */
async function order(asset: object = { chain: 'eth', token: 'USDT' }) {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/pay/orders',
    headers: { authorization: `Bearer ${shop.key}` },
    payload: { out_trade_no: `mark-${++orders}`, amount: '10', ...asset },
  })
  return answer.json().data as { trade_no: string; address: string }
}
const mark = async (tradeNo: string, { key = shop.key, body = { reason: ' in cash ' } as object, click = '' } = {}) =>
  (
    await app.inject({
      method: 'POST',
      url: `/api/v1/pay/orders/${tradeNo}/mark-paid`,
      headers: { authorization: `Bearer ${key}`, ...(click && { 'idempotency-key': click }) },
      payload: body,
    })
  ).json()
const entries = (tradeNo: string) =>
  rowsOf(owner, `select type, subject from audit_log where type = 'payment_marked' and subject like $1`, [
    `${tradeNo}%`,
  ])

test('a key marks an open or timed-out order once, with an entry and a callback, and moves no money', async () => {
  const postings = async () => (await firstRow(owner, 'select count(*) from ledger_postings')).count
  const before = await postings()
  for (const late of [false, true]) {
    const { trade_no } = await order(late ? {} : undefined)
    if (late) {
      deps.pass(1800)
      await expirePayments(deps)
    }
    for (const click of ['', '', `click-${trade_no}`, `click-${trade_no}`]) {
      const { code, data } = await mark(trade_no, { click })
      assert.deepEqual([code, data?.exception, data?.paid_amount], [200, 'marked_paid', '0'])
    }
    const history = 'select reason from payment_history where trade_no = $1 and event = $2'
    assert.deepEqual(await rowsOf(owner, history, [trade_no, 'marked_paid']), [{ reason: 'in cash' }])
    assert.deepEqual(await world.callbacks(trade_no), [...(late ? ['payment.timeout'] : []), 'payment.paid'])
    assert.deepEqual(await entries(trade_no), [{ type: 'payment_marked', subject: `${trade_no} ${shop.appid}` }])
  }
  assert.equal(await postings(), before)
})

test('a key marks nothing without the right, of another application, of another merchant, or with a bad reason', async () => {
  const { trade_no } = await order()
  const stranger = await testMerchant(deps)
  const keys = {
    silent: [(await testApplication(deps, merchant.id, { name: 'Silent' })).key, refused('marks_not_allowed')],
    other: [
      (await testApplication(deps, merchant.id, { name: 'Other', marks_allowed: true })).key,
      refused('transaction_not_exist'),
    ],
    strange: [
      (await testApplication(deps, stranger.id, { marks_allowed: true })).key,
      refused('transaction_not_exist'),
    ],
  } as const
  for (const [key, code] of Object.values(keys)) assert.equal((await mark(trade_no, { key })).code, code)
  for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(201) }, { reason: 'x', as: 'invalid' }])
    assert.ok([errors.parameter_error.code, errors.text_needed.code].includes((await mark(trade_no, { body })).code))
  assert.equal((await world.payment(trade_no)).state, 'open')
  assert.deepEqual(await entries(trade_no), [])
})

test('a key is refused once a transfer was seen, credited or lost, and after a mark as invalid', async () => {
  const { trade_no, address } = await order()
  await world.eth.add([{ to: address, amount: 1_000_000n }])
  assert.equal((await mark(trade_no)).code, refused('transaction_cannot_mark'))
  await world.eth.confirm()
  assert.equal((await mark(trade_no)).code, refused('transaction_cannot_mark'))
  assert.equal((await world.payment(trade_no)).exception, 'partial')
  const invalid = (await order()).trade_no
  await owner.query(`update payments set exception = 'marked_invalid' where trade_no = $1`, [invalid])
  assert.equal((await mark(invalid)).code, refused('transaction_cannot_mark'))
})

test('two marks at once mark once; a right that ends meanwhile marks nothing', async () => {
  const { trade_no } = await order()
  const two = await Promise.all([mark(trade_no), mark(trade_no)])
  assert.deepEqual(
    two.map(each => each.code),
    [200, 200],
  )
  assert.deepEqual([await world.callbacks(trade_no), (await entries(trade_no)).length], [['payment.paid'], 1])

  const next = (await order()).trade_no
  const c = await owner.connect()
  try {
    await c.query('begin')
    await c.query('select from payments where trade_no = $1 for update', [next])
    const waiting = mark(next)
    await untilBlocked(owner)
    await c.query('update applications set marks_allowed = false where appid = $1', [shop.appid])
    await c.query('commit')
    assert.equal((await waiting).code, refused('marks_not_allowed'))
  } finally {
    c.release()
    await owner.query('update applications set marks_allowed = true where appid = $1', [shop.appid])
  }
  assert.equal((await world.payment(next)).state, 'open')
})

/**
 * Starts one after the other while the payment is locked, so that each waits for those before. Returns what they gave.
 */
async function inOrder<T extends (() => Promise<unknown>)[]>(tradeNo: string, ...acts: T) {
  const c = await owner.connect()
  try {
    await c.query('begin')
    await c.query('select from payments where trade_no = $1 for update', [tradeNo])
    const started: Promise<unknown>[] = []
    for (const act of acts) {
      started.push(act())
      await untilBlocked(owner, started.length)
    }
    await c.query('commit')
    return (await Promise.all(started)) as { [K in keyof T]: Awaited<ReturnType<T[K]>> }
  } finally {
    c.release()
  }
}
const paidOnce = async (tradeNo: string) =>
  assert.equal((await world.callbacks(tradeNo)).filter(event => event === 'payment.paid').length, 1)

test('a mark and a transfer at the same moment pay the order once, and the money is booked', async () => {
  for (const isFirst of [true, false]) {
    const { trade_no, address } = await order()
    const before = Number(await world.balance('eth:USDT'))
    const transfer = () => world.eth.add([{ to: address, amount: 10_000_000n }])
    const { code } = isFirst
      ? (await inOrder(trade_no, () => mark(trade_no), transfer))[0]
      : (await inOrder(trade_no, transfer, () => mark(trade_no)))[1]
    assert.equal(code, isFirst ? 200 : refused('transaction_cannot_mark'))
    await world.eth.confirm()
    const { state, exception, paid_amount } = await world.payment(trade_no)
    assert.deepEqual([state, exception, paid_amount], ['paid', isFirst ? 'marked_paid' : 'none', '10000000'])
    await paidOnce(trade_no)
    assert.equal(Number(await world.balance('eth:USDT')) - before, 9_960_000, 'less the fee')
  }
  await assertBooksAgree(owner)
})

test('a key marks no order whose transfer a reorg takes away, and its mark outlives one', async () => {
  const drop = () => applyReorg(deps, { chainId: 'eth', ...world.eth.reorg(1) })
  const before = await world.balance('eth:USDT')
  const lost = await order()
  await world.eth.add([{ to: lost.address, amount: 10_000_000n }])
  const [, { code }] = await inOrder(lost.trade_no, drop, () => mark(lost.trade_no))
  assert.equal(code, refused('transaction_cannot_mark'))
  assert.equal((await world.payment(lost.trade_no)).state, 'dropped')

  const marked = await order()
  assert.equal((await mark(marked.trade_no)).code, 200)
  await world.eth.add([{ to: marked.address, amount: 10_000_000n }])
  await drop()
  await world.eth.confirm()
  const { state, exception, paid_amount } = await world.payment(marked.trade_no)
  assert.deepEqual([state, exception, paid_amount], ['paid', 'marked_paid', '0'])
  await paidOnce(marked.trade_no)
  assert.equal(await world.balance('eth:USDT'), before)
  await assertBooksAgree(owner)
})

test('a crash in the middle marks nothing, a frozen account neither', async () => {
  const { trade_no } = await order()
  const input = { merchantId: merchant.id, appid: shop.appid, tradeNo: trade_no, reason: 'cash', from: visitor }
  await assert.rejects(
    markPaidByKey({ ...deps, pool: breakOnce(deps.pool, /insert into callbacks/) }, input),
    /killed here/,
  )
  assert.equal((await world.payment(trade_no)).state, 'open')
  await owner.query('update merchants set frozen = true where id = $1', [merchant.id])
  assert.equal((await mark(trade_no)).code, refused('account_frozen'))
  await assert.rejects(markPaidByKey(deps, input), { reason: 'account_frozen' })
  await owner.query('update merchants set frozen = false where id = $1', [merchant.id])
  assert.equal((await mark(trade_no)).code, 200)
  await assertBooksAgree(owner)
})
