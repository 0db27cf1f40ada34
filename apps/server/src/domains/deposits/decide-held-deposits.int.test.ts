import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CallRefused, type ChainView, defineSandboxChain, ethereum } from '@coffer/chains'
import { makeWorld, type World } from '@coffer/chains/testing/evm-harness.ts'
import { deployLying, lyingWays } from '@coffer/chains/testing/lying-token.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { openChain } from '../../outside/open-chain.ts'
import { withDeps } from '../../testing/deps.ts'
import { catchUp, followedWorld, payer, withMethods } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { addressAt, eth, firstRow, fixedPrices, moneyOf, payments, rowsOf } from '../../testing/money.ts'
import { tronWorld } from '../../testing/tron-world.ts'
import { closeIncident } from '../chains/close-incident.ts'
import { syncChains } from '../chains/sync-chains.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { expirePayments } from '../payments/expire-payments.ts'
import { decideHeldDeposits } from './decide-held-deposits.ts'
import { decideTokenHold } from './decide-token-hold.ts'
import { rereadChain } from './reread-chain.ts'

const config = { compareDeposits: 2 }
const usdt = eth.tokens[0]!.contract

/** An Ethereum-like chain with the token, as `tronWorld` is one of TRON. */
async function evmWorld(t: TestContext, _: number, token: (world: World) => Promise<string>) {
  const world = await makeWorld((await withAnvil(t)).url)
  const tokens = [{ symbol: 'USDT', contract: await token(world), decimals: 6 }]
  const definition = defineSandboxChain(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens })
  const clock = () => Math.floor(Date.now() / 1_000)
  const chains = new Map<string, ChainView>()
  const deps = await withDeps(t, { addressAt, clock, prices: fixedPrices({ USDT: '1', ETH: '2500' }, clock), chains })
  const chain = openChain({ definition, nodes: [{ url: world.url }] }, deps.log)
  chains.set(definition.id, chain)
  await syncChains(deps)
  const merchant = await testMerchant(deps)
  const { appid } = await testApplication(deps, merchant.id)
  await catchUp(deps, chain)
  const money = moneyOf(deps.owner, merchant.id)
  const create = payments(deps, { merchantId: merchant.id, appid })
  return {
    ...world,
    deps,
    chain,
    definition,
    deposits: money.deposits,
    order: async () => {
      const order = await create({ chain: definition.id, token: 'USDT' })
      return { ...order, to: order.address.toLowerCase() }
    },
    catchUp: () => catchUp(deps, chain),
    state: async (tradeNo: string) => (await money.payment(tradeNo)).state,
    balance: (symbol: string) => money.balance(`${definition.id}:${symbol}`),
  }
}

for (const [kind, open] of Object.entries({ evm: evmWorld, tron: tronWorld }))
  for (const [what, way] of Object.entries({ ...lyingWays, 'is honest': 0 }))
    test(`${kind}: a token that ${what} ${way ? 'is put on hold before an order is paid' : 'is credited'}`, async t => {
      let contract = ''
      const w = await open(t, 1, async world => {
        contract = await deployLying(world, way)
        return contract
      })
      const deps = { ...w.deps, config: { ...w.deps.config, ...config } }
      const follow = () => catchUp(deps, w.chain)
      const order = await w.order()
      await w.pay([[{ token: contract, to: order.to, amount: 10_000_000n }]])
      await w.mine(5)
      await follow()
      const now = deps.clock
      deps.clock = () => now() + 600
      await decideHeldDeposits(deps, w.chain)
      const found = await w.deposits(order.trade_no)
      const { hold } = await firstRow(deps.owner, `select hold from assets where symbol = 'USDT'`)
      const incidents = await rowsOf(deps.owner, 'select kind from incidents')
      if (way === 0) {
        assert.deepEqual([hold, incidents, await w.state(order.trade_no)], [null, [], 'paid'])
        assert.deepEqual(await reconcileChain(deps, w.chain).then(all => all.map(each => each.verdict)), [
          'agrees',
          'agrees',
        ])
      } else {
        assert.deepEqual([hold, incidents], ['held', [{ kind: 'token_differs' }]])
        assert.deepEqual([await w.state(order.trade_no), await w.balance('USDT')], ['open', '0'])
        assert.ok(found.length > 0 && found.every(each => each.state === 'seen' && each.held_at !== null))
      }
      await assertBooksAgree(deps.owner)
    })

type Followed = Awaited<ReturnType<typeof followedWorld>>

/** A world whose tokens are compared, with a helper that pays an order of 10 USDT and makes it final. */
async function compared(t: TestContext) {
  const world = await followedWorld(t)
  const deps: Followed['deps'] = { ...world.deps, config: { ...world.deps.config, ...config } }
  const pay = async (amount = 10_000_000n) => {
    const order = await world.pay()
    world.chain.mine([[{ token: usdt, from: payer, to: order.address, amount }]])
    for (let i = 1; i < eth.confirmations; i++) world.chain.mine()
    await catchUp(deps, world.chain)
    return order
  }
  const asset = () => firstRow(world.owner, 'select hold, compared, compare_in from assets where id = $1', ['eth:USDT'])
  /** The chain with balances of a token less by 1, as if it kept a part. */
  const keeping = withMethods(world.chain, {
    certainBalances: async (token, addresses, block) =>
      (await world.chain.certainBalances(token, addresses, block)).map(each => (each > 0n ? each - 1n : each)),
  })
  return {
    ...world,
    deps,
    asset,
    keeping,
    order: pay,
    decide: (chain: ChainView = world.chain) => decideHeldDeposits(deps, chain),
  }
}

test('the first deposits of a token are compared, then one in a hundred', async t => {
  const w = await compared(t)
  for (const n of [1, 2]) {
    const order = await w.order()
    assert.deepEqual(
      [(await w.payment(order.trade_no)).state, await w.callbacks(order.trade_no)],
      ['open', ['payment.seen']],
    )
    assert.equal(await w.decide(), 1)
    assert.deepEqual([(await w.payment(order.trade_no)).state, (await w.asset()).compared], ['paid', n])
  }
  assert.equal((await w.asset()).compare_in, 99)
  assert.equal((await w.payment((await w.order()).trade_no)).state, 'paid')
  assert.equal((await w.asset()).compare_in, 98)
  await w.owner.query(`update assets set compare_in = 0 where id = 'eth:USDT'`)
  const last = await w.order()
  assert.equal((await w.payment(last.trade_no)).state, 'open')
  assert.equal(await w.decide(), 1)
  assert.deepEqual(await w.asset(), { hold: null, compared: 3, compare_in: 99 })
  await assertBooksAgree(w.owner)
})

test('what is read of a deposit before it is final counts for its block alone', async t => {
  const w = await compared(t)
  const readAt: (string | undefined)[] = []
  let keeps = 0n
  const chain = withMethods(w.chain, {
    certainBalances: async (token, addresses, block) => {
      readAt.push(block?.hash)
      const balances = await w.chain.certainBalances(token, addresses, block)
      return balances.map(each => (each > 0n ? each - keeps : each))
    },
  })
  const order = await w.pay()
  w.chain.mine([[{ token: usdt, from: payer, to: order.address, amount: 10_000_000n }]])
  await catchUp(w.deps, w.chain)
  const begin = () => w.decide(chain)
  assert.deepEqual([await begin(), await begin(), readAt.length], [0, 0, 2], 'read once, in its block and before')
  // Another block, in which the token keeps a part.
  w.chain.reorg(1, 'again')
  await catchUp(w.deps, w.chain)
  keeps = 1n
  assert.deepEqual([await begin(), new Set(readAt).size], [0, 3])
  for (let i = 1; i < eth.confirmations; i++) w.chain.mine()
  await catchUp(w.deps, w.chain)
  assert.equal(await begin(), 0)
  assert.deepEqual([(await w.asset()).hold, (await w.payment(order.trade_no)).state], ['held', 'open'])

  await decideTokenHold(w.deps, { assetId: 'eth:USDT', decision: 'release' })
  await w.owner.query(`update assets set compared = 0 where id = 'eth:USDT'`)
  keeps = 0n
  await begin()
  const next = await w.pay()
  w.chain.mine([[{ token: usdt, from: payer, to: next.address, amount: 10_000_000n }]])
  await catchUp(w.deps, w.chain)
  await begin()
  const before = readAt.length
  for (let i = 1; i < eth.confirmations; i++) w.chain.mine()
  await catchUp(w.deps, w.chain)
  assert.deepEqual([await begin(), readAt.length], [1, before], 'its credit asks no node')
  assert.equal((await w.payment(next.trade_no)).state, 'paid')
  await assertBooksAgree(w.owner)
})

test('while a token is on hold its deposits wait, and no order of it is paid or expires', async t => {
  const w = await compared(t)
  const first = await w.order()
  assert.equal(await w.decide(w.keeping), 0)
  assert.equal((await w.asset()).hold, 'held')
  w.deps.pass(2)
  const second = await w.order().catch(error => error)
  assert.deepEqual([second.reason, second.retryAfter], ['chain_unavailable', 900], 'no order in it is accepted')
  assert.equal(await w.decide(), 0, 'it stays on hold, whatever balances say then')
  w.deps.pass(7_200)
  w.chain.mine()
  for (let i = 0; i < 5; i++) w.chain.mine()
  await catchUp(w.deps, w.chain)
  assert.equal(await expirePayments(w.deps), 0)
  assert.equal((await w.payment(first.trade_no)).state, 'open')
  const [{ id, kind }] = await rowsOf(w.owner, 'select id, kind from incidents')
  assert.equal(kind, 'token_differs')
  await assert.rejects(closeIncident(w.deps, { id, who: 'x', reason: 'y' }), { reason: 'operation_failed' })
  assert.deepEqual(
    (await reconcileChain(w.deps, w.chain)).filter(each => each.verdict !== 'agrees'),
    [],
    'what is held is no surplus',
  )

  await decideTokenHold(w.deps, { assetId: 'eth:USDT', decision: 'release' })
  assert.equal(await w.decide(w.keeping), 1)
  assert.equal((await w.payment(first.trade_no)).state, 'paid')
  assert.deepEqual(await rowsOf(w.owner, 'select id from incidents where resolved_at is null'), [])
  await assert.rejects(decideTokenHold(w.deps, { assetId: 'eth:USDT', decision: 'release' }), {
    reason: 'operation_failed',
  })
  await assertBooksAgree(w.owner)
})

test('deposits of a refused token are dropped, and later transfers of it are ignored', async t => {
  const w = await compared(t)
  const order = await w.order()
  await w.decide(w.keeping)
  const block = w.chain.mine([[{ token: usdt, from: payer, to: order.address, amount: 1_000_000n }]])
  assert.equal(block.length, 1)
  await catchUp(w.deps, w.chain)
  await decideTokenHold(w.deps, {
    assetId: 'eth:USDT',
    decision: 'refuse',
    who: 'ann@example.com',
    reason: 'takes a fee',
  })
  const [entry] = await rowsOf(w.owner, 'select what, who, text from incident_entries')
  assert.deepEqual(entry, { what: 'closed', who: 'ann@example.com', text: 'takes a fee' })
  assert.equal(await w.decide(), 1)
  for (let i = 0; i < 5; i++) w.chain.mine()
  w.chain.mine([[{ token: usdt, from: payer, to: order.address, amount: 10_000_000n }]])
  for (let i = 0; i < 5; i++) w.chain.mine()
  await catchUp(w.deps, w.chain)
  await w.decide()
  assert.deepEqual(
    (await w.deposits(order.trade_no)).map(each => each.state),
    ['dropped', 'dropped'],
  )
  assert.deepEqual([await w.balance('eth:USDT'), (await w.payment(order.trade_no)).paid_amount], ['0', '0'])
  w.deps.pass(7_200)
  w.chain.mine()
  await assertBooksAgree(w.owner)
})

test('a deposit that cannot be compared waits for an hour; then a new token is held, a known one credited', async t => {
  const w = await compared(t)
  const silent = withMethods(w.chain, {
    certainBalances: async () => {
      throw new CallRefused('no state', 0)
    },
  })
  const unsure = withMethods(w.chain, { certainBalances: async (_, addresses) => addresses.map(() => null) })
  const order = await w.order()
  for (const chain of [silent, unsure]) assert.equal(await w.decide(chain), 0)
  w.deps.pass(3_599)
  assert.equal(await w.decide(unsure), 0)
  assert.equal((await w.asset()).hold, null)
  w.deps.pass(1)
  assert.equal(await w.decide(silent), 0)
  assert.equal((await w.asset()).hold, 'held')
  assert.deepEqual(await rowsOf(w.owner, 'select kind from incidents'), [{ kind: 'token_unknown' }])
  await decideTokenHold(w.deps, { assetId: 'eth:USDT', decision: 'release' })
  await w.decide(silent)
  assert.equal((await w.payment(order.trade_no)).state, 'paid')

  const later = await w.order()
  assert.equal(await w.decide(silent), 0)
  w.deps.pass(3_600)
  assert.equal(await w.decide(silent), 1)
  assert.equal((await w.payment(later.trade_no)).state, 'paid')
  assert.equal((await w.asset()).compare_in, 99)
  await assertBooksAgree(w.owner)
})

test('where nodes keep no past state, the current balance decides', async t => {
  const w = await compared(t)
  const pruned = (lessBy: bigint) =>
    withMethods(w.chain, {
      certainBalances: async (token, addresses, block) => {
        if (block) throw new CallRefused('missing trie node', 0)
        return (await w.chain.certainBalances(token, addresses)).map(each => each - lessBy)
      },
    })
  const order = await w.order()
  assert.equal(await w.decide(pruned(0n)), 1)
  assert.equal((await w.payment(order.trade_no)).state, 'paid')
  const other = await w.order()
  assert.equal(await w.decide(pruned(1n)), 0)
  assert.equal((await w.asset()).hold, null, 'what left the address may not be known yet')
  w.deps.pass(120)
  assert.equal(await w.decide(pruned(1n)), 0)
  assert.deepEqual([(await w.asset()).hold, (await w.payment(other.trade_no)).state], ['held', 'open'])
})

test('a held deposit that is read again stays held', async t => {
  const w = await compared(t)
  const order = await w.order()
  const { block_number: number } = (await w.deposits(order.trade_no))[0]
  await w.owner.query('update chains set reread_from = $1', [number])
  await w.owner.query(`insert into switches (name, reason, since) values ('reread:eth', 'test', 0)`)
  const filter = { tokens: [usdt], native: true, isOurs: () => true }
  assert.ok((await rereadChain(w.deps, w.chain, { filter, most: 64 })) > 0)
  assert.deepEqual(
    (await w.deposits(order.trade_no)).map(each => [each.state, each.held_at !== null]),
    [['seen', true]],
  )
  assert.equal(await w.decide(), 1)
  assert.equal((await w.payment(order.trade_no)).state, 'paid')
  assert.deepEqual(await rowsOf(w.owner, 'select kind from incidents'), [])
  await assertBooksAgree(w.owner)
})
