import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Intercept } from '@coffer/chains/testing/proxy.ts'
import { until } from '@coffer/local/testing/until.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS, type PayoutWorld, payoutWorld } from '../../testing/payout-world.ts'
import { cancelOutgoing } from './cancel-outgoing.ts'
import { endNonceTakenTransaction } from './settle.ts'
import { resumeWallets } from './wallets.ts'

const states = async (w: PayoutWorld) => (await w.outgoing()).map(each => each.state)
const wallet = (w: PayoutWorld) => firstRow(w.deps.owner, 'select * from wallets')
const incidents = async (w: PayoutWorld) =>
  (await rowsOf(w.deps.owner, 'select kind, detail from incidents order by created_at, id')).map(each => each.kind)
const done = ['sent', 'in block', 'final']

test('a payout that is stuck below the base fee is sent with higher fees, and either one may be mined', async t => {
  for (const mined of ['first', 'second'] as const) {
    const w = await payoutWorld(t)
    const payout = await w.ask()
    await w.pass()
    const [first] = await w.attempts()
    const next = BigInt(first.max_fee) * 2n
    await w.call('anvil_setNextBlockBaseFeePerGas', `0x${next.toString(16)}`)
    await w.call('anvil_mine', '0x1')
    w.deps.pass(179)
    await w.pass()
    assert.equal((await w.attempts()).length, 1, 'not yet')
    w.deps.pass(1)
    await w.pass()
    const [, second] = await w.attempts()
    assert.equal(second.kind, 'replace')
    for (const fee of ['max_fee', 'max_tip']) assert.ok(BigInt(second[fee]) * 8n >= BigInt(first[fee]) * 9n, fee)
    const [one, two] = w.signer.signed as { amount: string; to: string; nonce: number }[]
    assert.deepEqual([two!.amount, two!.to, two!.nonce], [one!.amount, one!.to, one!.nonce])
    if (mined === 'first') {
      await w.call('anvil_dropAllTransactions')
      await w.call('anvil_setNextBlockBaseFeePerGas', '0x1')
      await w.call('anvil_mine', '0x1')
      await w.call('eth_sendRawTransaction', first.raw)
    }
    await w.mine()
    await w.pass()
    await w.confirm()
    assert.deepEqual(await w.log(payout.id), done)
    assert.equal((await w.outgoing())[0].txid, mined === 'first' ? first.txid : second.txid)
    assert.equal(await w.balance(payout.to), 5_000_000n)
  }
})

test('fees are not raised beyond the coins of the wallet', async t => {
  const w = await payoutWorld(t)
  const payout = await w.ask()
  await w.pass()
  const [first] = await w.attempts()
  await w.call('anvil_setBalance', w.hot, `0x${(BigInt(first.gas) * BigInt(first.max_fee)).toString(16)}`)
  await w.call('anvil_setNextBlockBaseFeePerGas', `0x${(BigInt(first.max_fee) * 2n).toString(16)}`)
  await w.call('anvil_mine', '0x1')
  w.deps.pass(180)
  await w.pass()
  const [again, ...more] = await w.attempts()
  assert.deepEqual([again.broadcasts, more], [2, []], 'the first one is broadcast on')
  await w.call('anvil_setBalance', w.hot, '0x8ac7230489e80000')
  await w.pass()
  assert.equal((await w.attempts()).length, 2)
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(payout.id), done)
})

test('fees are raised up to the limit of the signer, then the operator is notified', async t => {
  const w = await payoutWorld(t)
  await w.ask()
  await w.pass()
  const [first] = await w.attempts()
  w.signer.policy.chains.eth!.fee = { single: BigInt(first.gas) * BigInt(first.max_fee), daily: 10n ** 20n }
  await w.call('anvil_setNextBlockBaseFeePerGas', `0x${(BigInt(first.max_fee) * 2n).toString(16)}`)
  await w.mine()
  w.deps.pass(180)
  await w.pass()
  await w.pass()
  assert.deepEqual([(await w.attempts()).length, (await w.outgoing())[0].waits], [1, 'signer: fee_too_high'])
  assert.deepEqual(await incidents(w), ['payout_refused'])
})

test('a cancelled payout is void only once the cancellation is final', async t => {
  const w = await payoutWorld(t)
  const payout = await w.ask()
  await w.pass()
  const id = { chain_id: 'eth', from_address: w.hot, nonce: 0 }
  assert.equal(await cancelOutgoing(w.deps.pool, id, 'asked by a person', w.deps.clock()), true)
  assert.equal(await cancelOutgoing(w.deps.pool, id, 'again', w.deps.clock()), false)
  await w.pass()
  assert.deepEqual(
    (await w.attempts()).map(each => each.kind),
    ['send', 'cancel'],
  )
  for (let depth = 1; depth < CONFIRMATIONS; depth++) {
    await w.mine()
    await w.pass()
    assert.deepEqual(await w.log(payout.id), ['sent'], 'a block too early')
  }
  await w.mine()
  await w.pass()
  assert.deepEqual(await w.log(payout.id), ['sent', 'voided: asked by a person'])
  const [row] = await w.outgoing()
  assert.deepEqual([row.state, row.outcome, BigInt(row.fee) > 0n], ['void', null, true])
  assert.equal(await w.balance(payout.to), 0n)
  // Nothing carries it any more, so it may be paid by another transaction.
  await w.deps.owner.query('update test_payouts set due = true')
  await w.pass()
  await w.mine()
  await w.confirm()
  assert.deepEqual(await w.log(payout.id), ['sent', 'voided: asked by a person', ...done])
})

test('a cancellation that comes too late changes nothing', async t => {
  const w = await payoutWorld(t)
  const payout = await w.ask()
  await w.pass()
  const [first] = await w.attempts()
  await cancelOutgoing(w.deps.pool, { chain_id: 'eth', from_address: w.hot, nonce: 0 }, 'asked', w.deps.clock())
  await w.pass()
  await w.call('anvil_dropAllTransactions')
  await w.call('eth_sendRawTransaction', first.raw)
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(payout.id), done)
})

test('a nonce above ours on the chain halts the wallet', async t => {
  const w = await payoutWorld(t)
  await w.pass()
  await w.call('anvil_setNonce', w.hot, '0x5')
  const payout = await w.ask()
  await w.pass()
  await w.pass()
  assert.deepEqual([await w.log(payout.id), await incidents(w)], [[], ['wallet_halted']])
  assert.match((await wallet(w)).halted, /^nonce_ahead /)
  await resumeWallets(w.deps, 'eth')
  await w.pass()
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual([await w.log(payout.id), (await w.outgoing())[0].nonce], [done, 5])
})

test('a nonce used up by another transaction halts the wallet and leaves the payout to a person', async t => {
  const w = await payoutWorld(t)
  const payout = await w.ask()
  await w.pass()
  await w.call('anvil_dropAllTransactions')
  await w.call('anvil_setNonce', w.hot, '0x1')
  await w.pass()
  assert.equal((await wallet(w)).halted, null, 'nodes may index late')
  await w.pass()
  assert.equal((await wallet(w)).halted, null, 'the head is the same')
  await w.mine()
  await w.pass()
  assert.match((await wallet(w)).halted, /not ours/)
  assert.deepEqual([await w.log(payout.id), await states(w)], [['sent'], ['sent']])
  const id = { chain_id: 'eth', from_address: w.hot, nonce: 0 }
  const refused = { reason: 'operation_failed' }
  await assert.rejects(endNonceTakenTransaction(w.deps, w.owners, { ...id, nonce: 1 }), refused)
  await resumeWallets(w.deps, 'eth')
  assert.equal((await wallet(w)).halted, null)
  const both = await Promise.allSettled([1, 2].map(() => endNonceTakenTransaction(w.deps, w.owners, id)))
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  const reason = 'failed: nonce used up by a transaction that is not ours'
  assert.deepEqual([await w.log(payout.id), await states(w)], [['sent', reason], ['void']])
  const next = await w.ask()
  await w.pass()
  await assert.rejects(
    endNonceTakenTransaction(w.deps, w.owners, { ...id, nonce: 1 }),
    refused,
    'nobody has used this nonce',
  )
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(next.id), done)
})

test('a payout to an address that is listed meanwhile ends without a nonce', async t => {
  const w = await payoutWorld(t)
  const listed = await w.ask()
  const other = await w.ask()
  w.deps.sanctioned = address => address.toLowerCase() === listed.to
  await w.pass()
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual(
    [await w.log(listed.id), await w.log(other.id)],
    [['voided: the address is on a sanctions list'], done],
  )
  assert.deepEqual(await incidents(w), ['payout_refused'])
})

test('a nonce that the signer knows for another payout halts the wallet, as after a restored backup', async t => {
  const w = await payoutWorld(t)
  const first = await w.ask()
  await w.pass()
  await w.call('anvil_dropAllTransactions')
  await w.deps.owner.query(`truncate outgoing_items, outgoing_attempts, outgoing; update wallets set next_nonce = 0`)
  await w.deps.owner.query('update test_payouts set due = true, amount = 4000000')
  await w.pass()
  assert.match((await wallet(w)).halted, /^nonce_signed$/)
  assert.equal(await w.balance(first.to), 0n)
})

test('a payout that began with no fee is raised until it is mined, and not while the chain stands still', async t => {
  const w = await payoutWorld(t)
  const payout = await w.ask()
  // The only node says that nothing need be paid, and mines nothing below what it says later.
  const tipOf =
    (tip: bigint): Intercept =>
    ({ method }) => {
      if (method === 'eth_maxPriorityFeePerGas') return { result: `0x${tip.toString(16)}` }
      return method === 'eth_feeHistory'
        ? { result: { baseFeePerGas: ['0x0'], reward: [[`0x${tip.toString(16)}`]] } }
        : undefined
    }
  w.proxies[0]!.intercept = tipOf(0n)
  await w.pass()
  const [first] = await w.attempts()
  assert.ok(BigInt(first.max_fee) > 0n, 'not for nothing')
  const passOver = async () => {
    await w.call('anvil_dropAllTransactions')
    await w.mine(CONFIRMATIONS)
    await w.pass()
    await w.call('anvil_dropAllTransactions')
  }
  w.deps.pass(180)
  await w.pass()
  await w.pass()
  assert.equal((await w.attempts()).length, 1, 'no block was made')
  let tips = [BigInt(first.max_tip)]
  for (let round = 0; round < 4; round++) {
    await passOver()
    w.deps.pass(180)
    tips = (await w.attempts()).map(each => BigInt(each.max_tip))
  }
  assert.ok(tips.length >= 3 && tips.every((tip, i) => i === 0 || tip >= 2n * tips[i - 1]!), tips.join())
  await w.pass()
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(payout.id), done)
})

for (const [what, nonce] of [
  ['a nonce that is used up', '0x1'],
  ['a nonce above ours', '0x9'],
  ['no receipt of what was mined', null],
] as const)
  test(`while two of three nodes do not tell, the third reports ${what}: nothing is halted or ended`, async t => {
    const w = await payoutWorld(t, { nodes: 3 })
    const payout = await w.ask()
    await w.pass()
    const asked = ['eth_getTransactionReceipt', ...(nonce === null ? [] : ['eth_getTransactionCount'])]
    for (const [i, node] of w.proxies.entries())
      node.intercept = ({ method }) => {
        if (!asked.includes(method)) return undefined
        if (i > 0) return { error: { code: -32_603, message: 'overloaded' } }
        return { result: method === 'eth_getTransactionReceipt' ? null : nonce }
      }
    for (let i = 0; i < 3; i++) {
      await w.mine()
      await w.pass()
    }
    assert.deepEqual([(await wallet(w)).halted, (await w.outgoing())[0].waits], [null, null])
    for (const node of w.proxies) node.reset()
    // Until penalties are over.
    await until('the payout is final', async () => {
      await w.confirm()
      return (await w.log(payout.id)).at(-1) === 'final'
    })
  })
