import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bridged, bridgedEth, bridgedWorld, listedBridged } from '../../testing/bridged-world.ts'
import { payer } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { eth, firstRow, rowsOf } from '../../testing/money.ts'
import { writeChains } from '../chains/sync-chains.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { expirePayments } from '../payments/expire-payments.ts'
import { readPaymentSenders } from '../refunds/store.ts'
import { stopWithdrawal } from '../withdrawals/decide-withdrawal.ts'
import { decideHeldDeposits } from './decide-held-deposits.ts'
import { creditSiblingDeposit, returnSiblingDeposit } from './decide-sibling.ts'
import { undoDeposit } from './undo-deposit.ts'

const who = 'ops@example.com'
type World = Awaited<ReturnType<typeof bridgedWorld>>

const sent = (w: World, depositId = w.id) => returnSiblingDeposit(w.deps, { depositId, who })
const stop = (w: World, id: string) => stopWithdrawal(w.deps, { id, reason: 'the sender asked for it', who })

/** A reorg of the block of a deposit and all later ones, in which nothing was sent: deeper than what was credited. */
async function lose(w: World, depositId: string) {
  const { block_number } = await firstRow(w.owner, 'select block_number from deposits where id = $1', [depositId])
  for (let i = 0; i < 3; i++) w.chain.mine()
  await w.catchUp()
  const depth = (await w.chain.head()).number - block_number + 1
  w.chain.reorg(depth, 'lost', depth + 2)
  await w.catchUp()
}

async function late(w: World) {
  w.deps.pass(8_000)
  for (let i = 0; i < 700; i++) w.chain.mine()
  await w.catchUp()
  await expirePayments(w.deps)
}

/** Callbacks of an order, in order. */
const told = (w: World, tradeNo = w.order.trade_no) =>
  rowsOf(w.owner, 'select event from callbacks where trade_no = $1 order by seq', [tradeNo]).then(rows =>
    rows.map(each => each.event),
  )

for (const end of ['open', 'paid', 'timed_out'] as const)
  test(`an order that is ${end} stays so when what was returned leaves the chain and is undone`, async t => {
    const w = await bridgedWorld(t)
    if (end === 'timed_out') await late(w)
    if (end === 'paid') {
      const usdc = eth.tokens[1]!.contract
      w.chain.mine([[{ token: usdc, from: payer, to: w.order.address, amount: 10_000_000n }]])
      await w.catchUp()
      await w.confirm()
    }
    await w.send(2_000_000n)
    const { id: depositId } = await firstRow(w.owner, `select id from deposits where amount = 2000000`)
    await stop(w, (await sent(w, depositId)).id)
    assert.equal((await w.payment(w.order.trade_no)).state, end)
    const before = await told(w)
    await lose(w, depositId)
    const { doubted } = await firstRow(w.owner, 'select doubted from deposits where id = $1', [depositId])
    assert.equal(doubted, true)
    assert.equal((await w.payment(w.order.trade_no)).state, end, 'while it is in doubt')
    await undoDeposit(w.deps, { depositId })
    assert.equal((await w.payment(w.order.trade_no)).state, end)
    assert.deepEqual(await told(w), before)
    assert.deepEqual(await checkLedger(w.deps), [])
    await assertBooksAgree(w.owner)
  })

/** An order in the bridged token, which is listed then, and for which it is sent once it is listed no more. */
async function delisted(t: Parameters<typeof bridgedWorld>[0]) {
  const w = await bridgedWorld(t)
  await writeChains(w.deps.pool, [listedBridged])
  const now = w.deps.clock()
  await w.owner.query(
    `insert into prices (symbol, source, price, at) values ('USDT', 'x', '1', $1), ('USDC', 'x', '1', $1)`,
    [now],
  )
  const order = await w.pay({ token: 'USDC.e' })
  await writeChains(w.deps.pool, [bridgedEth])
  w.chain.mine([[{ token: bridged, from: payer, to: order.address, amount: 10_000_000n }]])
  await w.catchUp()
  await w.confirm()
  await decideHeldDeposits(w.deps, w.chain)
  const { id, counted } = await firstRow(w.owner, 'select id, counted from deposits where trade_no = $1', [
    order.trade_no,
  ])
  return { ...w, order, id: id as string, counted }
}

test('an order that asked for a token which is no longer listed expires once that was returned, and owes nothing', async t => {
  const w = await delisted(t)
  assert.equal(w.counted, '10000000', 'as it was asked for')
  await sent(w)
  const row = await firstRow(w.owner, 'select pending_amount, paid_amount from payments where trade_no = $1', [
    w.order.trade_no,
  ])
  assert.deepEqual(row, { pending_amount: '0', paid_amount: '0' })
  assert.equal((await w.payment(w.order.trade_no)).state, 'open')
  await late(w)
  assert.equal((await w.payment(w.order.trade_no)).state, 'timed_out')
  assert.deepEqual(await told(w), ['payment.seen', 'payment.timeout'])
  await assertBooksAgree(w.owner)
})

test('an order that asked for a token which is no longer listed is paid once that is credited', async t => {
  const w = await delisted(t)
  await creditSiblingDeposit(w.deps, { depositId: w.id })
  assert.equal((await w.payment(w.order.trade_no)).state, 'paid')
  await assertBooksAgree(w.owner)
})

test('who got a deposit back is no payer to whom refunds need no approval', async t => {
  const w = await bridgedWorld(t)
  const senders = () => readPaymentSenders(w.deps.pool, w.merchant.id, w.order.trade_no)
  await sent(w)
  assert.deepEqual(await senders(), [])
})

test('what was returned and stopped is not returned again, and nobody is told that it was', async t => {
  const w = await bridgedWorld(t)
  const { id } = await sent(w)
  await stop(w, id)
  assert.equal(await w.balance('eth:USDC.e'), '5000000', 'the merchant keeps it')
  await assert.rejects(sent(w), { reason: 'operation_failed' })
  await assert.rejects(creditSiblingDeposit(w.deps, { depositId: w.id }), { reason: 'operation_failed' })
  assert.equal((await w.withdrawals()).length, 1)
  await assertBooksAgree(w.owner)
})
