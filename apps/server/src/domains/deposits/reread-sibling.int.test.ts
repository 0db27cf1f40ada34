import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressSet, type Transfer } from '@coffer/chains'
import { bridged, bridgedEth, bridgedWorld, listedBridged } from '../../testing/bridged-world.ts'
import { payer, withMethods } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { eth, rowsOf } from '../../testing/money.ts'
import { requestChainReread } from '../chains/request-reread.ts'
import { readRereadStart } from '../chains/store.ts'
import { writeChains } from '../chains/sync-chains.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { stopWithdrawal } from '../withdrawals/decide-withdrawal.ts'
import { creditSiblingDeposit, returnSiblingDeposit } from './decide-sibling.ts'
import { rereadChain } from './reread-chain.ts'

/* A decision about a deposit holds for the amount shown: a block that is read again with another one asks anew. */

const who = 'ops@example.com'

/** A world in which nodes said that 2 USDC.e came for an order, of which the block holds 7. */
async function misread(t: Parameters<typeof bridgedWorld>[0], { listed = false } = {}) {
  const w = await bridgedWorld(t)
  let { order } = w
  if (listed) {
    await writeChains(w.deps.pool, [listedBridged])
    await w.owner.query(
      `insert into prices (symbol, source, price, at) values ('USDT', 'x', '1', $1), ('USDC', 'x', '1', $1)`,
      [w.deps.clock()],
    )
    order = await w.pay({ token: 'USDC.e', amount: '2' })
    await writeChains(w.deps.pool, [bridgedEth])
  }
  const less = (transfers: readonly Transfer[]) =>
    transfers.map(each => (each.amount === 7_000_000n ? { ...each, amount: 2_000_000n } : each))
  const lying = withMethods(w.chain, {
    transfersIn: async (...args) => {
      const scan = await w.chain.transfersIn(...args)
      return { ...scan, transfers: less(scan.transfers) }
    },
    transfersRange: async (...args) => {
      const scan = await w.chain.transfersRange(...args)
      return { ...scan, transfers: less(scan.transfers) }
    },
  })
  w.chain.mine([[{ token: bridged, from: payer, to: order.address, amount: 7_000_000n }]])
  for (let i = 1; i < eth.confirmations; i++) w.chain.mine()
  await w.catchUp(lying)
  const rows = () =>
    rowsOf(
      w.owner,
      `select id, amount, state, replaced, returned, held_at is not null as held from deposits where amount <> 5000000 order by amount`,
    )
  const [{ id, amount }] = (await rows()) as [{ id: string; amount: string }]
  assert.equal(amount, '2000000')
  const ours = new AddressSet()
  ours.add(order.address)
  const filter = ours.filter([bridged], false)
  const again = async () => {
    await requestChainReread(w.deps, { chainId: eth.id, block: 1, apply: true })
    for (let count = -1; count !== 0; ) count = await rereadChain(w.deps, w.chain, { filter, most: 64 })
    assert.equal(await readRereadStart(w.deps.pool, eth.id), null, 'the rest of the chain is read')
  }
  const changed = () =>
    rowsOf(
      w.owner,
      `select detail -> 'mended' as mended from incidents where kind = 'deposit_changed' and detail ->> 'deposit_id' = $1`,
      [id],
    )
  const sound = async () => {
    assert.deepEqual(await checkLedger(w.deps), [])
    await assertBooksAgree(w.owner)
  }
  return { ...w, order, depositId: id, rows, again, changed, sound }
}

const waiting = (row: object | undefined) => {
  const { amount, state, held, returned } = row as Record<string, unknown>
  return { amount, state, held, returned }
}
const requested = { amount: '7000000', state: 'seen', held: true, returned: false }

test('what was credited for one amount and is another waits for a decision anew', async t => {
  const w = await misread(t)
  await creditSiblingDeposit(w.deps, { depositId: w.depositId })
  const before = BigInt(await w.balance('eth:USDC.e'))
  await w.again()
  const [old, now] = await w.rows()
  assert.deepEqual([old?.state, old?.replaced], ['undone', true])
  assert.deepEqual(waiting(now), requested)
  assert.ok(BigInt(await w.balance('eth:USDC.e')) < before, 'the first credit is reversed')
  assert.deepEqual(await w.changed(), [{ mended: true }])
  await w.again()
  assert.deepEqual(waiting((await w.rows())[1]), requested, 'reading again decides nothing')
  await w.sound()
  await creditSiblingDeposit(w.deps, { depositId: (await w.rows())[1]!.id })
  assert.equal((await w.rows())[1]?.state, 'credited')
  await w.sound()
})

test('an order in the token, which was paid by such a credit, is so no more until the other amount is credited', async t => {
  const w = await misread(t, { listed: true })
  await creditSiblingDeposit(w.deps, { depositId: w.depositId })
  assert.equal((await w.payment(w.order.trade_no)).state, 'paid')
  await w.again()
  assert.deepEqual(waiting((await w.rows())[1]), requested)
  const { state, paid_amount } = await w.payment(w.order.trade_no)
  assert.deepEqual([state, paid_amount], ['open', '0'])
  await w.sound()
  await creditSiblingDeposit(w.deps, { depositId: (await w.rows())[1]!.id })
  assert.equal((await w.payment(w.order.trade_no)).state, 'paid')
  await w.sound()
})

test('what goes back for one amount and is another is left to the operator, and holds up no other block', async t => {
  const w = await misread(t)
  await returnSiblingDeposit(w.deps, { depositId: w.depositId, who })
  await w.again()
  assert.deepEqual(
    (await w.rows()).map(each => [each.amount, each.state, each.returned]),
    [['2000000', 'credited', true]],
  )
  assert.deepEqual(await w.changed(), [{ mended: null }])
  await w.sound()
})

test('once its return was stopped, it is reversed and waits for a decision anew', async t => {
  const w = await misread(t)
  const { id } = await returnSiblingDeposit(w.deps, { depositId: w.depositId, who })
  await stopWithdrawal(w.deps, { id, reason: 'the amount was another', who })
  await w.again()
  assert.deepEqual(waiting((await w.rows())[1]), requested)
  assert.equal(await w.balance('eth:USDC.e'), '0')
  await w.sound()
  await returnSiblingDeposit(w.deps, { depositId: (await w.rows())[1]!.id, who })
  await w.sound()
})

test('a decision about another amount than the deposit has decides nothing', async t => {
  const w = await bridgedWorld(t)
  const of = { depositId: w.id, amount: 4_999_999n }
  await assert.rejects(creditSiblingDeposit(w.deps, of), { reason: 'operation_failed' })
  await assert.rejects(returnSiblingDeposit(w.deps, { ...of, who }), { reason: 'operation_failed' })
  assert.deepEqual([(await w.deposit()).state, await w.withdrawals()], ['seen', []])
})
