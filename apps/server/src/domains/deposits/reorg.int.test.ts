import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { paymentStatus } from '@coffer/contract'
import { hashSecret } from '../../kit/secrets.ts'
import { breakOnce } from '../../testing/break.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { visitor } from '../../testing/merchants.ts'
import { eth, firstRow, type MoneyWorld, moneyWorld, rowsOf } from '../../testing/money.ts'
import { insertTicket } from '../identity/store.ts'
import { expirePayments } from '../payments/expire-payments.ts'
import { markPayment } from '../payments/mark-payment.ts'
import { readPaymentSenders } from '../refunds/store.ts'
import { applyBlocks } from './apply-blocks.ts'
import { applyReorg } from './apply-reorg.ts'
import { haltChain } from './halt-chain.ts'
import { resumeChain } from './resume-chain.ts'
import { undoDeposit } from './undo-deposit.ts'

const usdt = `${eth.id}:USDT`
const refused = (reason: string) => (error: { reason?: string }) => error.reason === reason

const leave = (world: MoneyWorld, depth: number, deps = world.deps) =>
  applyReorg(deps, { chainId: eth.id, ...world.eth.reorg(depth) })

test('a deposit mined again in another block stays one deposit, credited once', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const sent = { to: order.address, amount: 10_000_000n, txid: '0xone' }
  await world.eth.add([sent])
  await world.eth.add()
  assert.equal(await leave(world, 2), true)
  assert.equal((await world.payment(order.trade_no)).state, 'dropped')
  assert.deepEqual(
    (await world.deposits(order.trade_no)).map(each => each.state),
    ['dropped'],
  )
  await world.eth.add()
  await world.eth.add([{ ...sent, logIndex: 17 }])
  assert.equal((await world.payment(order.trade_no)).state, 'open')
  await world.eth.confirm()
  const [deposit, ...more] = await world.deposits(order.trade_no)
  assert.deepEqual([deposit.state, deposit.log_index, more.length], ['credited', 17, 0])
  assert.deepEqual(
    (await world.callbacks(order.trade_no)).map(each => each.slice(8)),
    ['seen', 'chain_failure', 'seen', 'paid'],
  )
  assert.equal(await world.balance(usdt), '9960000')
  await assertBooksAgree(world.owner)
})

test('a payment whose deposit was dropped can be paid again until it expires', async t => {
  const world = await moneyWorld(t)
  const again = await world.pay()
  const never = await world.pay()
  await world.eth.add([again, never].map(({ address }) => ({ to: address, amount: 10_000_000n })))
  await leave(world, 1)
  await world.eth.add([{ to: again.address, amount: 10_000_000n }])
  await world.eth.confirm()
  world.deps.pass(1800)
  await world.eth.add()
  await expirePayments(world.deps)
  assert.equal((await world.payment(again.trade_no)).state, 'paid')
  assert.equal((await world.payment(never.trade_no)).state, 'timed_out')
  await assertBooksAgree(world.owner)
})

test('dropping one of two deposits leaves the other', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  await world.eth.add([{ to: order.address, amount: 4_000_000n }])
  await world.eth.add([{ to: order.address, amount: 6_000_000n }])
  await leave(world, 1)
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.pending_amount], ['open', '4000000'])
  await assertBooksAgree(world.owner)
})

test('a reorg is applied once, atomically, and rejected out of order', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  const reorg = { chainId: eth.id, ...world.eth.reorg(1) }
  const ahead = { ...reorg, ancestor: { number: 10_000, hash: '0x1' } }
  await assert.rejects(applyReorg(world.deps, ahead), { name: 'OutOfOrder' })
  const pool = breakOnce(world.deps.pool, /with forgotten/)
  await assert.rejects(applyReorg({ ...world.deps, pool }, reorg), /killed here/)
  assert.equal((await world.payment(order.trade_no)).state, 'open')
  const results = await Promise.all([1, 2, 3].map(() => applyReorg(world.deps, reorg)))
  assert.deepEqual(results.filter(Boolean).length, 1)
  assert.deepEqual(await world.callbacks(order.trade_no), ['payment.seen', 'payment.chain_failure'])
  await assertBooksAgree(world.owner)
})

test('a stale reorg that another process already applied neither unwinds nor halts', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  await world.eth.add()
  const reorg = { chainId: eth.id, ...world.eth.reorg(1) }
  await applyReorg(world.deps, reorg)
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  await world.eth.confirm()
  await assert.rejects(applyReorg(world.deps, reorg), { name: 'OutOfOrder' })
  assert.equal((await firstRow(world.owner, 'select halted from chains where id = $1', [eth.id])).halted, null)
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
})

/** Sets up a payment whose credited deposit left the chain, which is halted. */
async function lost(t: Parameters<typeof moneyWorld>[0]) {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const sent = { to: order.address, amount: 10_000_000n, txid: '0xone' }
  await world.eth.add([sent])
  const waiting = await world.pay()
  await world.eth.add([{ to: waiting.address, amount: 10_000_000n, txid: '0xtwo' }])
  await world.eth.add()
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
  const { number, hash } = world.eth.reorg(3).ancestor
  const ancestor = { number, hash }
  assert.equal(await haltChain(world.deps, { chainId: eth.id, ancestor }), true)
  assert.equal(await haltChain(world.deps, { chainId: eth.id, ancestor }), false)
  const [deposit] = await world.deposits(order.trade_no)
  return { world, order, waiting, sent, ancestor, deposit }
}

test('a reorg below a credited deposit halts the chain, notifies, and reverses nothing', async t => {
  const { world, order, waiting, deposit } = await lost(t)
  assert.equal((await world.payment(order.trade_no)).state, 'in_doubt')
  assert.equal(await world.balance(usdt), '9960000')
  assert.deepEqual([deposit.state, deposit.doubted], ['credited', true])
  const [incident, ...more] = await rowsOf(world.owner, 'select kind, chain_id, detail, resolved_at from incidents')
  assert.deepEqual(
    [incident.kind, incident.chain_id, incident.resolved_at, more.length],
    ['deep_reorg', eth.id, null, 0],
  )
  assert.deepEqual(
    incident.detail.deposits.map((each: { id: string }) => each.id),
    [deposit.id],
  )
  assert.equal((await world.callbacks(order.trade_no)).at(-1), 'payment.error')
  const [reported] = await rowsOf(world.owner, `select message from notifications where message = 'payment_error'`)
  assert.ok(reported)
  await assert.rejects(
    applyBlocks(world.deps, { chainId: eth.id, event: world.eth.next() }),
    refused('chain_unavailable'),
  )
  world.deps.pass(10_000)
  assert.equal(await expirePayments(world.deps), 0, waiting.trade_no)
  await assertBooksAgree(world.owner)
})

test('a credited deposit found while unwinding also halts the chain', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  await world.eth.confirm()
  await leave(world, 3)
  assert.ok((await firstRow(world.owner, 'select halted from chains where id = $1', [eth.id])).halted)
  assert.equal((await world.payment(order.trade_no)).state, 'in_doubt')
})

test('after the chain is resumed, a deposit mined again restores its payment without a second credit', async t => {
  const { world, order, waiting, sent, ancestor } = await lost(t)
  assert.deepEqual(await resumeChain(world.deps, { chainId: eth.id }), ancestor)
  await assert.rejects(resumeChain(world.deps, { chainId: eth.id }), refused('operation_failed'))
  assert.equal((await world.payment(waiting.trade_no)).state, 'dropped')
  await world.eth.add([
    { ...sent, logIndex: 4 },
    { to: waiting.address, amount: 10_000_000n, txid: '0xtwo' },
  ])
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
  await world.eth.confirm()
  assert.equal((await world.payment(waiting.trade_no)).state, 'paid')
  assert.equal(await world.balance(usdt), '19920000')
  assert.ok((await firstRow(world.owner, 'select resolved_at from incidents')).resolved_at)
  await assertBooksAgree(world.owner)
})

for (const [what, act, becomes] of [
  ['pays its payment', null, ['paid', 'none', '10000000']],
  ['stays late once a person has marked the payment', 'marked_invalid', ['closed', 'marked_invalid', '10000000']],
  ['stays late once it was refunded', 'refunded', ['timed_out', 'late', '10000000']],
] as const) {
  test(`late money that a deep reorg moves into time ${what}`, async t => {
    const world = await moneyWorld(t)
    const order = await world.pay()
    const { created_at } = await world.payment(order.trade_no)
    world.deps.pass(1_900)
    await world.eth.add()
    assert.equal(await expirePayments(world.deps), 1)
    const sent = { to: order.address, amount: 10_000_000n, txid: '0xone' }
    await world.eth.add([sent])
    await world.eth.confirm()
    const { trade_no } = order
    if (act === 'marked_invalid')
      await world.owner.query(
        `update payments set status = ${paymentStatus.closed}, exception = $2, closed_at = $3 where trade_no = $1`,
        [trade_no, act, world.deps.clock()],
      )
    if (act === 'refunded')
      await world.owner.query(
        'insert into payment_refunds (merchant_id, trade_no, credited, refunded) values ($1, $2, 10000000, 5000000)',
        [world.merchant.id, trade_no],
      )
    const { number, hash } = world.eth.reorg(eth.confirmations).ancestor
    await haltChain(world.deps, { chainId: eth.id, ancestor: { number, hash } })
    assert.equal((await world.payment(trade_no)).state, 'in_doubt')
    await resumeChain(world.deps, { chainId: eth.id })
    await world.eth.add([sent], created_at + 60)
    await world.eth.confirm()
    await expirePayments(world.deps)
    const { state, exception, paid_amount } = await world.payment(trade_no)
    assert.deepEqual([state, exception, paid_amount], becomes)
    assert.equal((await world.callbacks(trade_no)).at(-1) === 'payment.paid', act === null)
    assert.equal(await world.balance(usdt), '9960000')
    if (act === null) await assertBooksAgree(world.owner)
  })
}

for (const [what, change] of [
  ['a smaller amount', { amount: 1_000_000n }],
  ['another recipient', { to: 'another' }],
] as const) {
  test(`a transaction mined again with ${what} after a deep reorg leaves its deposit in doubt`, async t => {
    const { world, order, waiting, sent, deposit } = await lost(t)
    await resumeChain(world.deps, { chainId: eth.id })
    const moved = { ...sent, ...change, ...('to' in change && { to: waiting.address }) }
    await world.eth.add([moved])
    await world.eth.confirm()
    assert.equal((await world.payment(order.trade_no)).state, 'in_doubt')
    assert.equal((await world.deposits(order.trade_no))[0].doubted, true)
    const reported = () => rowsOf(world.owner, `select detail from incidents where kind = 'deposit_changed'`)
    assert.deepEqual(await reported(), [
      {
        detail: {
          deposit_id: deposit.id,
          txid: '0xone',
          to: chainAdapters.evm.address.show(moved.to),
          amount: String(moved.amount),
        },
      },
    ])
    await undoDeposit(world.deps, { depositId: deposit.id })
    assert.equal(await world.balance(usdt), '0')
    await assertBooksAgree(world.owner)
  })
}

/** Sets up a payment credited with these amounts in one block, which left the chain; the chain is resumed. */
async function partsLost(t: Parameters<typeof moneyWorld>[0], amounts: bigint[]) {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const parts = amounts.map((amount, index) => ({ to: order.address, amount, txid: `0x${index}` }))
  await world.eth.add(parts)
  await world.eth.confirm()
  const { number, hash } = world.eth.reorg(3).ancestor
  await haltChain(world.deps, { chainId: eth.id, ancestor: { number, hash } })
  await resumeChain(world.deps, { chainId: eth.id })
  return { world, order, parts }
}

test('the rest received while a part is in doubt pays the payment once the part is restored', async t => {
  const { world, order, parts } = await partsLost(t, [4_000_000n])
  await world.eth.add([{ to: order.address, amount: 6_000_000n }])
  await world.eth.confirm()
  assert.equal((await world.payment(order.trade_no)).state, 'in_doubt')
  await world.eth.add(parts.slice(0, 1))
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception, row.paid_amount], ['paid', 'none', '10000000'])
  assert.deepEqual(
    (await world.callbacks(order.trade_no)).map(each => each.slice(8)),
    ['seen', 'partial', 'error', 'seen', 'paid'],
  )
  await assertBooksAgree(world.owner)
})

for (const [first, what] of [
  ['back', 'after the other part is restored'],
  ['undone', 'before the other part is restored'],
] as const) {
  test(`a payment stays in doubt when a part is undone ${what}`, async t => {
    const { world, order, parts } = await partsLost(t, [4_000_000n, 6_000_000n])
    const comesBack = () => world.eth.add(parts.slice(0, 1))
    const deposit = (await world.deposits(order.trade_no)).find(each => each.txid === '0x1')
    const giveUp = () => undoDeposit(world.deps, { depositId: deposit.id })
    for (const step of first === 'back' ? [comesBack, giveUp] : [giveUp, comesBack]) await step()
    const row = await world.payment(order.trade_no)
    assert.deepEqual([row.state, row.paid_amount], ['in_doubt', '4000000'])
    assert.equal((await world.callbacks(order.trade_no)).at(-1), 'payment.error')
    await assertBooksAgree(world.owner)
  })
}

test('a deposit that the operator undoes is reversed once', async t => {
  const { world, order, deposit } = await lost(t)
  await undoDeposit(world.deps, { depositId: deposit.id })
  await Promise.all([1, 2].map(() => undoDeposit(world.deps, { depositId: deposit.id })))
  assert.equal(await world.balance(usdt), '0')
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.paid_amount, row.fees], ['in_doubt', '0', '0'])
  assert.deepEqual(
    (await world.deposits(order.trade_no)).map(each => each.state),
    ['undone'],
  )
  const { income } = await firstRow(world.owner, 'select sum(income_usdt) as income from statistics_changes')
  assert.equal(income, '0')
  await assertBooksAgree(world.owner)
})

for (const [as, state] of [
  ['paid', 'paid'],
  ['invalid', 'closed'],
] as const)
  test(`a payment in doubt is ${state} once it is marked as ${as}`, async t => {
    const { world, order, deposit } = await lost(t)
    const { id: merchantId } = world.merchant
    const mark = async (code: string) => {
      await insertTicket(world.deps.pool, hashSecret(code), merchantId, 'mark-payment', world.deps.clock() + 300)
      const proof = { method: 'ticket', code } as const
      await markPayment(world.deps, {
        merchantId,
        tradeNo: order.trade_no,
        as,
        reason: 'by phone',
        proof,
        from: visitor,
      })
    }
    await assert.rejects(mark('one'), refused('payment_in_doubt'))
    await undoDeposit(world.deps, { depositId: deposit.id })
    await mark('other')
    const row = await world.payment(order.trade_no)
    assert.deepEqual([row.state, row.exception, row.paid_amount], [state, `marked_${as}`, '0'])
    assert.equal((await world.callbacks(order.trade_no)).at(-1), `payment.${state}`)
    await assertBooksAgree(world.owner)
  })

test('every merchant is notified when a chain is halted and when it is resumed', async t => {
  const { world } = await lost(t)
  const reported = () =>
    rowsOf(world.owner, `select message, params from notifications where message like 'chain\\_%' order by message`)
  const params = { chain: eth.name }
  assert.deepEqual(await reported(), [{ message: 'chain_halted', params }])
  await resumeChain(world.deps, { chainId: eth.id })
  assert.deepEqual(await reported(), [
    { message: 'chain_halted', params },
    { message: 'chain_resumed', params },
  ])
})

test('an undone deposit that is mined again is recorded as an incident and not credited', async t => {
  const { world, deposit, sent } = await lost(t)
  await undoDeposit(world.deps, { depositId: deposit.id })
  await resumeChain(world.deps, { chainId: eth.id })
  await world.eth.add([sent])
  await world.eth.confirm()
  assert.equal(await world.balance(usdt), '0')
  const incidents = await rowsOf(world.owner, `select detail from incidents where kind = 'undone_deposit_is_back'`)
  assert.deepEqual(incidents, [{ detail: { deposit_id: deposit.id, txid: '0xone' } }])
  await assertBooksAgree(world.owner)
})

test('only a doubted deposit can be undone, and only if the merchant has the balance', async t => {
  const { world, waiting, deposit } = await lost(t)
  const [seen] = await world.deposits(waiting.trade_no)
  await assert.rejects(undoDeposit(world.deps, { depositId: seen.id }), refused('operation_failed'))
  await assert.rejects(undoDeposit(world.deps, { depositId: 'none' }), refused('transaction_not_exist'))
  await world.owner.query('update ledger_accounts set balance = 5 where merchant_id = $1', [world.merchant.id])
  await assert.rejects(undoDeposit(world.deps, { depositId: deposit.id }), refused('insufficient_balance'))
  assert.equal((await world.payment(waiting.trade_no)).state, 'open')
})

test('the sender of a credited deposit is that of its final block, whatever was reported before', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const event = world.eth.next([{ to: order.address, amount: 10_000_000n }])
  const [transfer] = event.transfers
  const liar = '0x00000000000000000000000000000000000000bb'
  const seen = { ...event, transfers: [{ ...transfer!, from: liar }] }
  await applyBlocks(world.deps, { chainId: eth.id, event: seen })
  const senders = async () =>
    (await readPaymentSenders(world.deps.pool, world.merchant.id, order.trade_no)).map(Object.values)
  assert.deepEqual(await senders(), [])
  await world.eth.confirm()
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
  assert.deepEqual(await senders(), [[transfer!.from]])
})
