import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallRefused, type ChainView, chainAdapters } from '@coffer/chains'
import { followedWorld, hiding, paid, payer, withMethods } from '../../testing/followed.ts'
import { eth, firstRow, rowsOf } from '../../testing/money.ts'
import { reconcileChain } from './reconcile.ts'
import type { SurplusReadings } from './suspects.ts'

const token = eth.tokens[0]!.contract
const usdt = `${eth.id}:USDT`
type World = Awaited<ReturnType<typeof followedWorld>>

/** A chain whose nodes keep no past balances and hide what arrives at an address. */
const withoutPast = ({ chain }: World, more: Parameters<typeof withMethods>[1] = {}) =>
  withMethods(chain, {
    certainBalances: async (requested, addresses, block) => {
      if (block) throw new CallRefused('missing trie node', -32000)
      return chain.certainBalances(requested, addresses)
    },
    ...more,
  })
const verdicts = async ({ deps }: World, chain: ChainView, suspects: SurplusReadings) => {
  const found = (await reconcileChain(deps, chain, suspects)).find(each => each.asset_id === usdt)!
  return [found.verdict, found.unseen]
}

test('without past balances, a deposit that was left out shows once it outlasts finality, and one that was not yet seen never', async t => {
  const world = await followedWorld(t)
  await paid(world)
  const missed = await world.pay()
  const late = await world.pay()
  const silent = hiding(world, missed.address)
  const chain = withoutPast(world)
  const suspects: SurplusReadings = new Map()
  world.chain.mine([
    [{ token, from: payer, to: missed.address, amount: 7n }],
    [{ token, from: payer, to: late.address, amount: 15_000_000n }],
  ])
  assert.deepEqual(await verdicts(world, chain, suspects), ['agrees', []], 'neither was seen')
  await world.catchUp(silent)
  assert.deepEqual(await verdicts(world, chain, suspects), ['agrees', []], 'not final yet')
  for (let i = 1; i < eth.confirmations; i++) world.chain.mine()
  await world.catchUp(silent)
  assert.deepEqual(await verdicts(world, chain, new Map()), ['agrees', []], 'found for the first time')
  assert.deepEqual(await rowsOf(world.owner, 'select * from incidents'), [])
  // The last reading was of a head that is not final yet.
  await verdicts(world, chain, suspects)
  for (let i = 0; i < eth.confirmations; i++) world.chain.mine()
  await world.catchUp(silent)
  const shown = [chainAdapters.evm.address.show(missed.address)]
  assert.deepEqual(await verdicts(world, chain, suspects), ['surplus', shown])
  const incidents = await rowsOf(world.owner, 'select kind, detail from incidents')
  assert.deepEqual(
    incidents.map(({ kind, detail }) => [kind, detail.ledger, detail.found, detail.unseen]),
    [['surplus', '30000000', '30000007', shown]],
  )
})

test('where blocks are not verified, addresses whose payments ended long ago are compared in turn', async t => {
  const world = await followedWorld(t)
  const { address } = await world.pay()
  world.chain.mine([[{ token, from: payer, to: address, amount: 7n }]])
  const silent = hiding(world, address)
  for (let i = 1; i < eth.confirmations; i++) world.chain.mine()
  await world.catchUp(silent)
  const { part } = await firstRow(
    world.owner,
    'select mod(hashtext(address)::bigint + 2147483648, 600)::int as part from deposit_addresses where address = $1',
    [address],
  )
  const week = 7 * 86_400
  const slot = Math.floor((world.deps.clock() + week) / 600)
  world.deps.pass((slot + ((part - (slot % 600) + 600) % 600)) * 600 - world.deps.clock())
  for (const isVerified of [true, false]) {
    const chain = withMethods(withoutPast(world), { isVerified })
    const suspects: SurplusReadings = new Map()
    await verdicts(world, chain, suspects)
    for (let i = 0; i < eth.confirmations; i++) world.chain.mine()
    await world.catchUp(silent)
    const found = isVerified ? ['agrees', []] : ['surplus', [chainAdapters.evm.address.show(address)]]
    assert.deepEqual(await verdicts(world, chain, suspects), found)
  }
})

test('nodes that do not agree on a balance for two readings are an incident, which ends when they agree', async t => {
  const world = await followedWorld(t)
  const { address } = await paid(world)
  const told = [
    { url: 'https://one.example/key', says: '5' },
    { url: 'https://two.example', says: 'timeout' },
  ]
  const unsure = withMethods(world.chain, {
    certainBalances: async (_, addresses) => addresses.map(each => (each === address ? null : 0n)),
    balancesByNode: async () => told,
  })
  const suspects: SurplusReadings = new Map()
  const read = async (chain: ChainView) => {
    await reconcileChain(world.deps, chain, suspects)
    return rowsOf(world.owner, 'select detail, resolved_at from incidents where kind = $1 order by id', [
      'balances_differ',
    ])
  }
  assert.deepEqual(await read(unsure), [], 'it may pass')
  const differing = (await read(unsure)).find(each => each.detail.asset_id === usdt)
  const { reason, addresses } = differing!.detail
  assert.deepEqual(
    [reason, addresses],
    ['each_node | one.example: 5 | two.example: timeout', [chainAdapters.evm.address.show(address)]],
  )
  assert.ok((await read(world.chain)).every(each => each.resolved_at !== null))
})
