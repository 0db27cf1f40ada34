import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenBalance } from '@coffer/chains/testing/evm-harness.ts'
import { Keys } from '../../signer/keys.ts'
import { breakOnce } from '../../testing/break.ts'
import { bridged, bridgedEth, bridgedWorld, listedBridged } from '../../testing/bridged-world.ts'
import { payer } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { eth, firstRow, rowsOf } from '../../testing/money.ts'
import { sweepWorld } from '../../testing/sweep-world.ts'
import { writeChains } from '../chains/sync-chains.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { viewCheckout } from '../payments/checkout/checkout-routes.ts'
import { isCheckoutOver } from '../payments/checkout/checkout-stream.ts'
import { expirePayments } from '../payments/expire-payments.ts'
import { readShopPayment } from '../payments/shop-order.ts'
import { presentInvoice } from '../shop-protocols/btcpay/invoice.ts'
import { importAuthorizations, signSweepDelegations } from '../sweeps/authorizations.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'
import { creditSiblingDeposit, returnSiblingDeposit } from './decide-sibling.ts'
import { chainsToDecide } from './held-store.ts'
import { watchSiblings } from './watch-siblings.ts'

test('only chains on which something may have to be decided are worked on', async t => {
  const w = await bridgedWorld(t)
  const due = async (first: number) => [...(await chainsToDecide(w.deps.pool, first))]
  assert.deepEqual(await due(0), [eth.id], 'a sibling waits')
  await creditSiblingDeposit(w.deps, { depositId: w.id })
  assert.deepEqual(await due(0), [eth.id], 'its incident is open')
  await watchSiblings(w.deps, bridgedEth)
  assert.deepEqual(await due(2), [])
  w.chain.mine([[{ token: eth.tokens[0]!.contract, from: payer, to: w.order.address, amount: 1_000_000n }]])
  await w.catchUp()
  assert.deepEqual([await due(0), await due(2)], [[], [eth.id]], 'a deposit of a token that is new')
})

test('a sibling of a token waits for an operator, pays no order, and one incident names it', async t => {
  const w = await bridgedWorld(t)
  const { state, held_at, trade_no } = await w.deposit()
  assert.deepEqual([state, held_at !== null, trade_no], ['seen', true, w.order.trade_no])
  assert.equal((await w.payment(w.order.trade_no)).state, 'open')
  assert.equal(await w.balance('eth:USDC.e'), '0')
  const detail = { asset_id: 'eth:USDC.e', issuer: 'Test Bridge' }
  assert.deepEqual(await w.incidents(), [{ kind: 'other_token', detail, open: true }])
  await w.send(1_000_000n)
  assert.equal((await w.incidents()).length, 1, 'one incident for all of a token')
  await assertBooksAgree(w.owner)
})

test('payer and shop see that a token arrived that is not accepted, and nothing that is being processed', async t => {
  const w = await bridgedWorld(t)
  const { deposits } = await viewCheckout(w.deps, w.order.trade_no)
  assert.deepEqual(
    deposits.map(each => [each.token, each.state, each.held, each.accepted]),
    [['USDC.e', 'seen', true, false]],
  )
  const shop = { connection: 'c', form: 'btcpay', events: [], fields: {} }
  await w.owner.query('update payments set shop = $2 where trade_no = $1', [w.order.trade_no, shop])
  const of = { merchantId: w.merchant.id, appid: w.appid, connection: 'c', tradeNo: w.order.trade_no }
  const found = await readShopPayment(w.deps.pool, w.deps.config.publicUrl, of)
  assert.equal(presentInvoice(found!).status, 'New')
  const usdc = eth.tokens[1]!.contract
  w.chain.mine([[{ token: usdc, from: payer, to: w.order.address, amount: 1_000_000n }]])
  await w.catchUp()
  const paying = await readShopPayment(w.deps.pool, w.deps.config.publicUrl, of)
  assert.equal(presentInvoice(paying!).status, 'Processing')
  const { deposits: both } = await viewCheckout(w.deps, w.order.trade_no)
  assert.deepEqual(
    both.map(each => each.accepted),
    [false, true],
  )
})

test('an order for which a sibling was sent expires while the operator has not decided', async t => {
  const w = await bridgedWorld(t)
  w.deps.pass(8_000)
  for (let i = 0; i < 700; i++) w.chain.mine()
  await w.catchUp()
  await expirePayments(w.deps)
  assert.equal(
    isCheckoutOver(await viewCheckout(w.deps, w.order.trade_no)),
    true,
    'nobody watches until an operator decides',
  )
  assert.equal((await w.payment(w.order.trade_no)).state, 'timed_out')
  await creditSiblingDeposit(w.deps, { depositId: w.id })
  assert.equal((await w.payment(w.order.trade_no)).state, 'timed_out')
  await assertBooksAgree(w.owner)
})

test('a sibling that is no longer listed still waits, and one that is listed becomes a token like others', async t => {
  const w = await bridgedWorld(t)
  await writeChains(w.deps.pool, [listedBridged])
  const { enabled, price_of } = await firstRow(w.owner, `select * from assets where id = 'eth:USDC.e'`)
  assert.deepEqual([enabled, price_of], [true, 'USDC'])
  await assert.rejects(creditSiblingDeposit(w.deps, { depositId: w.id }), { reason: 'operation_failed' })
  await watchSiblings(w.deps, eth)
  assert.deepEqual(
    (await w.incidents()).map(each => each.open),
    [false],
    'nothing waits for an operator any more',
  )
  await writeChains(w.deps.pool, [bridgedEth])
  const back = await firstRow(w.owner, `select * from assets where id = 'eth:USDC.e'`)
  assert.deepEqual([back.enabled, back.sibling_of], [false, 'USDC'])
})

test('it is credited once in its own token, whatever is clicked twice or crashes between', async t => {
  const w = await bridgedWorld(t)
  const crash = { ...w.deps, pool: breakOnce(w.deps.pool, /ledger_post/) }
  await assert.rejects(creditSiblingDeposit(crash, { depositId: w.id }))
  assert.equal((await w.deposit()).state, 'seen')
  const clicks = [1, 2].map(() => creditSiblingDeposit(w.deps, { depositId: w.id }))
  assert.deepEqual(await Promise.all(clicks), [{ waits: false }, { waits: false }])
  assert.equal((await w.deposit()).state, 'credited')
  assert.equal((await w.payment(w.order.trade_no)).state, 'open')
  assert.equal(await w.balance('eth:USDC.e'), '4980000', 'less the fee of payments')
  await assert.rejects(returnSiblingDeposit(w.deps, { depositId: w.id, who: 'a' }), { reason: 'operation_failed' })
  await watchSiblings(w.deps, bridgedEth)
  assert.deepEqual(
    (await w.incidents()).map(each => each.open),
    [false],
  )
  assert.deepEqual(await checkLedger(w.deps), [])
  await assertBooksAgree(w.owner)
})

test('it is returned once to its sender, less the gas, whatever is clicked twice or crashes between', async t => {
  const w = await bridgedWorld(t)
  const give = (deps = w.deps) => returnSiblingDeposit(deps, { depositId: w.id, who: 'ops@example.com' })
  for (const statement of [/insert into withdrawals/, /insert into withdrawal_events/, /ledger_post/]) {
    await assert.rejects(give({ ...w.deps, pool: breakOnce(w.deps.pool, statement) }), /killed here/, String(statement))
    assert.deepEqual([(await w.deposit()).state, await w.withdrawals()], ['seen', []])
  }
  const [one, two] = await Promise.all([give(), give()])
  assert.deepEqual(one, two)
  const [row, ...others] = await w.withdrawals()
  assert.deepEqual([row.id, row.to_address, row.fee, row.origin, others], [one.id, payer, '0', 'return', []])
  assert.equal(BigInt(row.receives) + BigInt(row.gas), 5_000_000n)
  assert.equal(await w.balance('eth:USDC.e'), '0')
  await assert.rejects(creditSiblingDeposit(w.deps, { depositId: w.id }), { reason: 'operation_failed' })
  const events = await rowsOf(w.owner, `select event from callbacks where event like 'deposit.%'`)
  assert.deepEqual(events, [], 'nobody is told of a credit')
  assert.deepEqual(await checkLedger(w.deps), [])
  await assertBooksAgree(w.owner)
})

test('a deposit of an accepted token, one that is not final and one of a halted chain are not decided so', async t => {
  const w = await bridgedWorld(t)
  const usdc = eth.tokens[1]!.contract
  w.chain.mine([[{ token: usdc, from: payer, to: w.order.address, amount: 1_000_000n }]])
  w.chain.mine([[{ token: bridged, from: payer, to: w.order.address, amount: 2_000_000n }]])
  await w.catchUp()
  const others = await rowsOf(w.owner, 'select id from deposits where id <> $1', [w.id])
  assert.equal(others.length, 2)
  for (const { id: depositId } of others) {
    await assert.rejects(creditSiblingDeposit(w.deps, { depositId }), { reason: 'operation_failed' })
    await assert.rejects(returnSiblingDeposit(w.deps, { depositId, who: 'a' }), { reason: /operation_failed/ })
  }
  await w.owner.query(`update chains set halted = 'deep reorg' where id = 'eth'`)
  await assert.rejects(creditSiblingDeposit(w.deps, { depositId: w.id }), { reason: 'chain_unavailable' })
})

test('in vault mode what is returned is swept to the hot wallet and reaches its sender', async t => {
  const w = await sweepWorld(t, {
    siblings: ({ foreign }) => [
      { symbol: 'USDT.e', contract: foreign, decimals: 6, of: 'USDT', issuer: 'Test Bridge' },
    ],
  })
  Object.assign(w.owners, { withdrawal: withdrawalOwner(w.deps) })
  const whole = w.signer.keys
  w.signer.keys = new Keys(whole.vault())
  const { to } = await w.order('USDT')
  await w.mine()
  await w.pay([[{ token: w.foreign, to, amount: 50_000_000n }]])
  await w.mine(3)
  const { id, from_address: sender } = await firstRow(w.deps.owner, 'select * from deposits')
  const { key_index: index } = await firstRow(
    w.deps.owner,
    'select key_index from deposit_addresses where address = $1',
    [to],
  )
  const chain = { id: w.definition.id, chainId: w.definition.chainId, to: w.hot }
  const lines: string[] = []
  for await (const line of signSweepDelegations(whole, chain, index, 1)) lines.push(line)
  await importAuthorizations(w.deps, chain, { xpub: whole.xpub('evm'), lines })
  const before = await tokenBalance(w, w.foreign, sender)
  await returnSiblingDeposit(w.deps, { depositId: id, who: 'ops@example.com' })
  w.deps.pass(3_600)
  for (let i = 0; i < 3; i++) {
    await w.settle()
    w.deps.pass(8 * 86_400)
  }
  const { status, receives } = await firstRow(w.deps.owner, 'select * from withdrawals')
  assert.equal(status, 5)
  assert.equal((await tokenBalance(w, w.foreign, sender)) - before, BigInt(receives))
  const figures =
    'select volume_usdt, withdrawn_usdt from statistics_changes where volume_usdt <> 0 or withdrawn_usdt <> 0'
  assert.deepEqual(await rowsOf(w.deps.owner, figures), [], 'it is no turnover')
  assert.deepEqual(
    (await reconcileChain(w.deps, w.chain)).filter(each => each.symbol === 'USDT.e').map(each => each.verdict),
    ['agrees'],
  )
  assert.deepEqual(await checkLedger(w.deps), [])
})
