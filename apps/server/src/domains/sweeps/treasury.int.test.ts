import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import fc from 'fast-check'
import { deployBatchContracts } from '../../sandbox/chains.ts'
import { Keys } from '../../signer/keys.ts'
import type { ChainPolicy } from '../../signer/policy.ts'
import { catchUp } from '../../testing/followed.ts'
import { testApplication } from '../../testing/merchants.ts'
import { payments, rowsOf } from '../../testing/money.ts'
import { opNode } from '../../testing/op-node.ts'
import { testOperator } from '../../testing/operators.ts'
import { CONFIRMATIONS, type PayoutWorld, tronPayoutWorld } from '../../testing/payout-world.ts'
import { sweepWorld } from '../../testing/sweep-world.ts'
import { clearSwitch, setSwitch } from '../chains/store.ts'
import { makeConsoleApp } from '../console/app.ts'
import { readLiquidity } from '../console/today.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { walletOfRole } from '../outgoing/store.ts'
import { resumeWallets, watchTreasury } from '../outgoing/wallets.ts'
import { importAuthorizations, signSweepDelegations } from './authorizations.ts'
import { emptyWallet, readTreasuryTransfers, startEmptyingHotWallet } from './empty-wallet.ts'
import { computeAmountAboveFloat, sendAboveFloatToTreasury } from './send-above-float-to-treasury.ts'
import { sweepChain } from './sweep-chain.ts'

const ether = 10n ** 18n
const treasury = `0x${'c0'.repeat(20)}`

/** Names a treasury in the signer's policy. */
function name({ signer, definition }: Pick<PayoutWorld, 'signer' | 'definition'>, more: Partial<ChainPolicy>) {
  const { daily, chains } = signer.policy
  const of = { ...chains[definition.id]!, treasury, ...more }
  signer.policy = { daily, chains: { ...chains, [definition.id]: of } }
}

/** A world with a treasury, to which Sweeper sends. */
async function treasuryWorld(
  t: Parameters<typeof sweepWorld>[0],
  float: Record<string, bigint>,
  given: Parameters<typeof sweepWorld>[1] = {},
) {
  const w = await sweepWorld(t, given)
  await w.call('evm_setAutomine', true)
  await deployBatchContracts(w.url, treasury)
  await w.call('evm_setAutomine', false)
  name(w, { float })
  return w
}

test('sweeps to the treasury, one by one and many at once, and the books count what it has', async t => {
  const w = await treasuryWorld(t, {})
  const tokens = await w.paid([100_000_000n, 200_000_000n])
  const [coin] = await w.paid([ether], 'ETH')
  const sums = async () => (await reconcileChain(w.deps, w.chain)).map(each => [each.asset_id, each.found - each.chain])
  const before = { hot: await w.balance(w.hot), sums: await sums() }
  await w.sweep()
  await w.settle()
  assert.deepEqual(
    (await w.sweeps()).map(each => each.state),
    ['swept', 'swept', 'swept'],
  )
  assert.deepEqual([await w.balance(treasury), await w.balance(w.hot)], [300_000_000n - 2n, before.hot])
  const left = await w.chain.balanceOf(null, coin!)
  assert.ok(left < ether / 100n && (await w.chain.balanceOf(null, treasury)) > ether - ether / 100n)
  for (const address of tokens) assert.equal(await w.balance(address), 1n)
  assert.deepEqual(await sums(), before.sums)
  await w.deps.owner.query(`update wallets set waits = '100 USDT', waits_since = 0 where role = 'hot'`)
  await w.paid([1_000_000n])
  await w.sweep()
  assert.equal((await w.sweeps()).length, 3, 'a hot wallet that lacks a token gets none by a sweep')
})

test('what moves to the treasury leaves the float, queued payouts and the fee, and nothing more', () => {
  const amount = fc.bigInt(0n, 10n ** 30n)
  const has = fc.record({ left: amount, queued: amount, float: amount, cost: amount, isNative: fc.boolean() })
  fc.assert(
    fc.property(has, of => {
      const moves = computeAmountAboveFloat(of)
      const stays = of.left - moves - (moves > 0n && of.isNative ? of.cost : 0n)
      assert.ok(moves >= 0n && moves <= of.left)
      if (moves > 0n) assert.ok(stays >= of.queued && stays >= of.float && (stays === of.queued || stays === of.float))
      else assert.ok([of.queued, of.float].some(each => of.left <= each + (of.isNative ? of.cost : 0n)))
    }),
  )
})

test('moves what the hot wallet has above its float, and leaves what is queued', async t => {
  const w = await treasuryWorld(t, { native: 2n * ether })
  name(w, { float: { native: 2n * ether, [w.token]: 300_000_000n } })
  const { id } = await w.ask({ amount: 500_000_000n })
  const before = await reconcileChain(w.deps, w.chain)
  await Promise.all([
    sendAboveFloatToTreasury(w.deps, w.chain, w.owners),
    sendAboveFloatToTreasury(w.deps, w.chain, w.owners),
  ])
  await sendAboveFloatToTreasury(w.deps, w.chain, w.owners)
  const kindsOf = async () => (await w.outgoing()).map(each => `${each.intent.kind} ${each.intent.token ?? 'native'}`)
  const usdt = async () => (await readLiquidity(w.deps, [])).list.find(each => each.token === 'USDT')!
  assert.equal((await usdt()).from_treasury, '0', 'nothing is there yet')
  assert.deepEqual((await kindsOf()).sort(), [`sweep ${w.token}`, 'sweep native'].sort(), 'each once')
  await w.pass()
  await w.confirm()
  await w.confirm()
  assert.deepEqual(await w.log(id), ['sent', 'in block', 'final'])
  assert.deepEqual([await w.balance(treasury), await w.balance(w.hot)], [500_000_000n, 0n])
  const later = await w.ask({ amount: 200_000_000n })
  const { from_treasury, reserved } = await usdt()
  assert.deepEqual([from_treasury, reserved], ['200', '200'])
  const coins = await w.chain.balanceOf(null, w.hot)
  assert.ok(coins <= 2n * ether && coins > (2n * ether * 99n) / 100n, String(coins))
  const after = await reconcileChain(w.deps, w.chain)
  const token = ({ asset_id }: { asset_id: string }) => asset_id.endsWith(':USDT')
  assert.equal(after.find(token)!.found, before.find(token)!.found - 500_000_000n, 'only the payout has left')
  await sendAboveFloatToTreasury(w.deps, w.chain, w.owners)
  assert.equal((await w.outgoing()).length, 3, 'nothing is above')
  name(w, { float: { native: 0n } })
  await w.pay([[{ token: w.token, to: w.hot, amount: 200_000_000n }]])
  await w.mine(CONFIRMATIONS)
  await sendAboveFloatToTreasury(w.deps, w.chain, w.owners)
  assert.equal((await w.outgoing()).length, 4, 'coins move')
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(later.id), ['sent', 'in block', 'final'], 'the gas of a queued payout stays')
})

/** Two operators agree in the console that a wallet is emptied, and one of them cannot alone. */
async function agreeByTwo(
  t: Parameters<typeof sweepWorld>[0],
  w: PayoutWorld,
  { chainId, reason }: { chainId: string; reason: string },
): Promise<void> {
  const one = await testOperator(w.deps, 'finance')
  const two = await testOperator(w.deps, 'owner')
  const app = await makeConsoleApp({ ...w.deps, config: { ...w.deps.config, twoPeopleAbove: 100 } })
  t.after(() => app.close())
  const ask = async ({ token }: { token: string }) => {
    const url = `/api/operator/v1/wallets/${chainId}/empty`
    const answer = await app.inject({ method: 'POST', url, headers: { 'x-token': token }, payload: { reason } })
    return answer.json()
  }
  assert.deepEqual((await ask(one)).data, { waits: true }, 'two people decide it')
  assert.equal((await ask(one)).code, 10165, 'and one of them not twice')
  assert.equal((await walletOfRole(w.deps.pool, chainId, 'hot'))!.halted, null)
  assert.deepEqual((await ask(two)).data, { waits: false })
}

test('after a leak all that is left moves to the treasury and nowhere else, also halted and against a thief', async t => {
  const w = await treasuryWorld(t, {})
  const { id } = await w.ask({ amount: 500_000_000n })
  await w.pass()
  assert.deepEqual(await w.log(id), ['sent'])
  await setSwitch(w.deps.pool, 'withdrawals_stopped', 'less than owed', 1)
  const halted = { chainId: w.definition.id, reason: 'the key has leaked' }
  assert.deepEqual(await startEmptyingHotWallet(w.deps, { ...halted, agree: async () => 'waits' }), { waits: true })
  await emptyWallet(w.deps, w.chain)
  assert.equal((await w.outgoing()).length, 1, 'nothing moves before it is agreed')
  const since = w.signer.signed.length
  const before = await reconcileChain(w.deps, w.chain)
  await agreeByTwo(t, w, halted)
  await startEmptyingHotWallet(w.deps, halted)
  const settle = async () => {
    for (let i = 0; i < 4; i++) {
      await w.pass()
      await w.mine(CONFIRMATIONS)
      await w.pass()
      await emptyWallet(w.deps, w.chain)
    }
  }
  await settle()
  assert.deepEqual(await w.log(id), ['sent', 'voided: what the wallet has moves to the treasury'])
  assert.deepEqual([await w.balance(treasury), await w.balance(w.hot)], [1_000_000_000n, 0n])
  const coins = async () => [await w.chain.balanceOf(null, treasury), await w.chain.balanceOf(null, w.hot)] as const
  const [saved, left] = await coins()
  assert.ok(saved > (99n * ether) / 10n && left < ether / 100n, `${saved} ${left}`)
  const found = (all: typeof before) => all.find(each => each.asset_id.endsWith(':USDT'))!.found
  assert.equal(found(await reconcileChain(w.deps, w.chain)), found(before), 'none is missing by it')

  // A thief uses the nonce of a move: it is sent again with the next one.
  await w.call('anvil_setBalance', w.hot, `0x${ether.toString(16)}`)
  await w.pay([[{ token: w.token, to: w.hot, amount: 200_000_000n }]])
  await w.mine(CONFIRMATIONS)
  await emptyWallet(w.deps, w.chain)
  await w.pass()
  await w.call('anvil_dropAllTransactions')
  await w.call('anvil_setNonce', w.hot, `0x${((await w.chain.nonce(w.hot)) + 3).toString(16)}`)
  for (let i = 0; i < 3; i++) {
    await w.pass()
    await w.mine()
  }
  await settle()
  assert.deepEqual([await w.balance(treasury), await w.balance(w.hot)], [1_200_000_000n, 0n])
  const sent = w.signer.signed.slice(since)
  assert.ok(sent.every(each => each.kind === 'cancel' || (each.kind === 'sweep' && each.index === null && !each.to)))
  assert.equal((await walletOfRole(w.deps.pool, w.definition.id, 'hot'))?.halted, halted.reason)

  const later = await w.ask({ amount: 100_000_000n })
  await w.call('anvil_setBalance', w.hot, `0x${ether.toString(16)}`)
  await resumeWallets(w.deps, w.definition.id)
  await clearSwitch(w.deps.pool, 'withdrawals_stopped')
  await w.pay([[{ token: w.token, to: w.hot, amount: 200_000_000n }]])
  await w.mine(CONFIRMATIONS)
  await settle()
  assert.deepEqual(
    [(await w.log(later.id)).at(-1), await w.balance(w.hot)],
    ['final', 100_000_000n],
    'resumed, it pays',
  )
  name(w, { treasury: null })
  await assert.rejects(startEmptyingHotWallet(w.deps, halted), { reason: 'operation_failed', field: 'treasury' })
})

test('on an OP chain what moves to the treasury leaves what its data costs, above the float and after a leak', async t => {
  const w = await treasuryWorld(t, { native: ether }, { surcharge: { stack: 'op', most: '0.001' } })
  const fees = { ofData: 3n * 10n ** 14n, ofOperator: 10n ** 14n }
  w.proxies[0]!.intercept = opNode(fees)
  const settle = async () => {
    for (let i = 0; i < 3; i++) {
      await w.pass()
      await w.mine(CONFIRMATIONS)
    }
    await w.pass()
  }
  const stays = 2n * (fees.ofData + fees.ofOperator)
  await sendAboveFloatToTreasury(w.deps, w.chain, w.owners)
  await settle()
  assert.ok((await w.chain.balanceOf(null, w.hot)) >= ether + stays, 'the fee is paid by what moves')
  await w.ask({ token: null, amount: ether })
  await w.call('anvil_setBalance', w.hot, `0x${(2n * ether).toString(16)}`)
  await w.mine(CONFIRMATIONS)
  await sendAboveFloatToTreasury(w.deps, w.chain, w.owners)
  const [, { intent }] = await w.outgoing()
  assert.ok(2n * ether - BigInt(intent.amount) >= ether + 2n * stays, 'what is queued needs its own')
  await settle()
  await startEmptyingHotWallet(w.deps, { chainId: w.definition.id, reason: 'the key has leaked' })
  for (let i = 0; i < 3; i++) {
    await settle()
    await emptyWallet(w.deps, w.chain)
  }
  const left = await w.chain.balanceOf(null, w.hot)
  assert.ok(left >= stays && left < ether / 100n, String(left))
  assert.ok(
    (await w.attempts()).every(each => each.refused === null),
    'no node refused one',
  )
})

test('another treasury is an incident before anything goes there, and one of our own gets nothing', async t => {
  const w = await treasuryWorld(t, {})
  const [one, other] = [treasury, `0x${'c1'.repeat(20)}`].map(chainAdapters.evm.address.show)
  const incidents = async () =>
    (await rowsOf(w.deps.owner, 'select kind, detail, resolved_at from incidents order by created_at, kind')).map(
      each => `${each.kind} ${each.detail.was ?? ''} ${each.detail.to}${each.resolved_at ? ' ended' : ''}`,
    )
  await w.sweep()
  assert.deepEqual(await incidents(), [], 'the first one is no change')
  const [deposit] = await w.paid([200_000_000n])
  w.deps.pass(1)
  name(w, { treasury: `0x${'c1'.repeat(20)}` })
  await Promise.all([watchTreasury(w.deps, w.chain), watchTreasury(w.deps, w.chain)])
  const changed = `treasury_changed ${one} ${other}`
  assert.deepEqual(await incidents(), [changed], 'once')
  for (const ours of [deposit!, w.hot]) {
    name(w, { treasury: ours })
    await w.sweep()
    await sendAboveFloatToTreasury(w.deps, w.chain, w.owners)
    assert.equal((await w.sweeps()).length, 0)
    assert.ok((await incidents()).includes(`treasury_ours  ${chainAdapters.evm.address.show(ours)}`))
    const emptying = startEmptyingHotWallet(w.deps, { chainId: w.definition.id, reason: 'the key has leaked' })
    await assert.rejects(emptying, { reason: 'operation_failed', field: 'treasury' })
  }
  name(w, { treasury: null })
  w.deps.pass(1)
  await watchTreasury(w.deps, w.chain)
  assert.equal((await incidents()).filter(each => each.startsWith('treasury_ours') && each.endsWith('ended')).length, 2)
  assert.ok((await incidents()).includes(`treasury_changed ${chainAdapters.evm.address.show(w.hot)} –`))
})

test('uses an authorization for the treasury, and none for a wallet that was named before', async t => {
  const w = await treasuryWorld(t, {})
  const whole = w.signer.keys
  const chain = { id: w.definition.id, chainId: w.definition.chainId! }
  w.signer.keys = new Keys(whole.vault())
  const [address] = await w.paid([200_000_000n])
  const known = await rowsOf(w.deps.owner, 'select address, key_index from deposit_addresses')
  const index = known.find(each => each.address === address)!.key_index
  for (const [to, n] of [
    [w.hot, 0],
    [treasury, 1],
  ] as const) {
    const lines: string[] = []
    for await (const line of signSweepDelegations(whole, { ...chain, to }, index, 1)) lines.push(line)
    await importAuthorizations(w.deps, { ...chain, to }, { xpub: whole.xpub('evm'), lines })
    await w.sweep()
    await w.settle()
    assert.equal((await w.sweeps()).length, n)
  }
  assert.deepEqual([await w.balance(treasury), await w.balance(address!)], [200_000_000n - 1n, 1n])
})

test('on TRON a queued payout keeps back what it costs at most', async t => {
  const w = await tronPayoutWorld(t)
  name(w, { float: { native: 0n } })
  await w.ask()
  const before = await w.chain.balanceOf(null, w.hot)
  await sendAboveFloatToTreasury(w.deps, w.chain, w.owners)
  const [{ intent, gas }] = await w.outgoing()
  assert.ok(before - BigInt(intent.amount) >= BigInt(gas) + (await w.chain.expiring.usualFee(true)))
})

test('on TRON sweeps to the treasury', async t => {
  const w = await tronPayoutWorld(t)
  name(w, { float: {} })
  const { appid } = await testApplication(w.deps, w.merchant.id, { notify_url: 'https://shop.example/notify' })
  const create = payments(w.deps, { merchantId: w.merchant.id, appid })
  const { address } = await create({ chain: 'tron', token: 'USDT', amount: '100' })
  const to = chainAdapters.tron.address.parse(address)!
  await catchUp(w.deps, w.chain)
  await w.pay([[{ token: w.token, to, amount: 200_000_000n }]])
  await w.mine(CONFIRMATIONS)
  await w.later(3_600)
  for (let i = 0; i < 6; i++) {
    await sweepChain(w.deps, w.chain, w.owners)
    await w.pass()
    await w.mine(CONFIRMATIONS)
    await w.pass()
  }
  assert.deepEqual([await w.balance(treasury), await w.balance(to)], [200_000_000n - 1n, 1n])
  await startEmptyingHotWallet(w.deps, { chainId: w.definition.id, reason: 'the key has leaked' })
  for (let i = 0; i < 4; i++) {
    await w.pass()
    await w.mine(CONFIRMATIONS)
    await w.pass()
    await emptyWallet(w.deps, w.chain)
  }
  assert.deepEqual([await w.balance(treasury), await w.balance(w.hot)], [1_200_000_000n - 1n, 0n])
})

test('no single node says what emptying a wallet would move, and so how many people it takes', async t => {
  const w = await treasuryWorld(t, {}, { nodes: 3 })
  const read = async () => (await readTreasuryTransfers(w.deps, w.definition.id)).moves.map(each => each.units)
  const honest = await read()
  const zero = `0x${'0'.repeat(64)}`
  assert.ok(honest.length > 0)
  for (const liar of w.proxies) {
    liar.intercept = ({ method }) => (['eth_getBalance', 'eth_call'].includes(method) ? { result: zero } : undefined)
    assert.deepEqual(await read(), honest)
    liar.intercept = () => undefined
  }
})
