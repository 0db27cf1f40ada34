import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployBatchContracts } from '../../sandbox/chains.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { opNode } from '../../testing/op-node.ts'
import { CONFIRMATIONS, type PayoutWorld, payoutWorld } from '../../testing/payout-world.ts'

const surcharge = { stack: 'op', most: '0.001' } as const
const ether = 10n ** 18n
/**
 * What the chain charges beyond gas, in wei, and what is reserved for it: it may double before the transaction is in a
 * block.
 */
const fees = { ofData: 3n * 10n ** 14n, ofOperator: 10n ** 14n }
const reserved = 2n * (fees.ofData + fees.ofOperator)

const done = ['sent', 'in block', 'final']
const waits = async (w: PayoutWorld) =>
  (await firstRow(w.deps.owner, `select waits from wallets where role = 'hot'`)).waits
const setCoins = (w: PayoutWorld, units: bigint) => w.call('anvil_setBalance', w.hot, `0x${units.toString(16)}`)

/** A wallet with the coin for some payouts of an ether each, with their gas, and `beyond`. */
async function opWorld(
  ...[t, payouts, beyond, nodes = 1]: [Parameters<typeof payoutWorld>[0], bigint, bigint, number?]
) {
  const w = await payoutWorld(t, { surcharge, nodes })
  for (const node of w.proxies) node.intercept = opNode(fees)
  const { maxFeePerGas } = await w.chain.fees()
  await setCoins(w, payouts * (ether + 21_000n * maxFeePerGas) + beyond)
  await w.mine(CONFIRMATIONS)
  return w
}

test('on an OP chain several payouts reserve what data and operator cost, and one more waits for it', async t => {
  const w = await opWorld(t, 3n, 2n * reserved + 10n ** 14n)
  const all = [await w.ask({ token: null, amount: ether }), await w.ask({ token: null, amount: ether })]
  const third = await w.ask({ token: null, amount: ether })
  await w.pass()
  assert.deepEqual(await Promise.all(all.map(each => w.log(each.id))), [['sent'], ['sent']])
  assert.deepEqual(await w.log(third.id), [])
  assert.match(await waits(w), /^0\.000[67]\d* ETH$/)
  // Also in the next pass, where the two are no longer new.
  await w.pass()
  assert.deepEqual(await w.log(third.id), [])
  assert.match(await waits(w), /^0\.000[67]\d* ETH$/)
  for (const seconds of [0, 901]) {
    w.deps.pass(seconds)
    await w.pass()
  }
  const [incident] = await rowsOf(w.deps.owner, `select detail from incidents where kind = 'wallet_short'`)
  assert.match(incident.detail.lacks, /^0\.000[67]\d* ETH$/)
  await setCoins(w, 3n * ether + 10n ** 16n)
  await w.mine()
  for (let i = 0; i < 3; i++) {
    await w.pass()
    await w.mine(CONFIRMATIONS)
  }
  await w.pass()
  for (const each of [...all, third]) assert.deepEqual(await w.log(each.id), done)
  assert.deepEqual(
    (await w.attempts()).map(each => each.refused),
    [null, null, null],
    'no node refused one',
  )
})

test('what one node of three quotes makes no payout wait, and promises none', async t => {
  const w = await opWorld(t, 2n, 2n * reserved - 10n ** 14n, 3)
  const first = await w.ask({ token: null, amount: ether })
  const second = await w.ask({ token: null, amount: ether })
  for (const lie of [0n, 2n ** 255n]) {
    w.proxies[0]!.intercept = opNode({ ofData: lie, ofOperator: lie })
    await w.pass()
    assert.deepEqual([await w.log(first.id), await w.log(second.id)], [['sent'], []])
  }
  // All of them cannot have more kept back than the definition allows.
  for (const node of w.proxies) node.intercept = opNode({ ofData: 2n ** 255n, ofOperator: 0n })
  await setCoins(w, 2n * ether + 2n * 10n ** 15n + 10n ** 14n * 4n)
  await w.mine()
  await w.pass()
  assert.deepEqual(await w.log(second.id), ['sent'])
})

test('what wallets lack is the sum of what payouts need', async t => {
  const w = await opWorld(t, 1n, reserved)
  const token = await w.ask()
  const other = await w.ask()
  await setCoins(w, 10n ** 14n)
  await w.mine()
  await w.pass()
  assert.deepEqual([await w.log(token.id), await w.log(other.id)], [[], []])
  const lacking = Number((await waits(w)).replace(' ETH', '')) * 1e18
  assert.ok(lacking > Number(2n * reserved - 10n ** 14n), String(lacking))
})

test('a batch reserves what all its data costs', async t => {
  const w = await payoutWorld(t, { surcharge })
  await w.call('evm_setAutomine', true)
  await deployBatchContracts(w.url, w.hot)
  await w.call('evm_setAutomine', false)
  const asked = new Set<bigint>()
  const ofData = (bytes: bigint) => {
    asked.add(bytes)
    return bytes * 10n ** 10n
  }
  w.proxies[0]!.intercept = opNode({ ofData, ofOperator: 0n })
  await w.mine(CONFIRMATIONS)
  for (let i = 0; i < 20; i++) await w.ask()
  for (let i = 0; i < 3; i++) {
    await w.pass()
    await w.mine()
  }
  const [approval, batch] = await w.attempts()
  const sizeOf = ({ raw }: { raw: string }) => BigInt(raw.length / 2 - 1)
  assert.ok(asked.has(250n) && sizeOf(approval) <= 250n)
  const most = Math.max(...[...asked].map(Number))
  assert.ok(sizeOf(batch) > 1_000n && most > sizeOf(batch) + 1n, `${most} ${sizeOf(batch)}`)
})

test('fees are raised no further than leaves what data costs', async t => {
  const w = await opWorld(t, 1n, reserved)
  const payout = await w.ask({ token: null, amount: ether })
  await w.pass()
  const [first] = await w.attempts()
  const raised = (BigInt(first.gas) * BigInt(first.max_fee) * 7n) / 2n
  await setCoins(w, ether + raised + fees.ofData + fees.ofOperator)
  await w.call('anvil_dropAllTransactions')
  await w.call('anvil_setNextBlockBaseFeePerGas', `0x${(BigInt(first.max_fee) * 2n).toString(16)}`)
  await w.call('anvil_mine', '0x1')
  w.deps.pass(180)
  await w.pass()
  const [, second] = await w.attempts()
  assert.equal(second?.refused, null)
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(payout.id), done)
})
