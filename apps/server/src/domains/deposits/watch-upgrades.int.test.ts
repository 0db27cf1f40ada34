import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { payoutWorld, tronPayoutWorld } from '../../testing/payout-world.ts'
import { isClosable } from '../chains/close-incident.ts'
import { watchUpgrades } from './watch-upgrades.ts'

const slots = {
  'of EIP-1967': '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  'of USDC': '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
}
const word = (digit: string) => `0x${digit.repeat(40).padStart(64, '0')}`

const worlds = { Ethereum: payoutWorld, TRON: tronPayoutWorld }
const cases = Object.entries(slots).flatMap(([which, slot]) =>
  (['Ethereum', 'TRON'] as const).map(chain => ({ which, slot, chain })),
)

for (const { which, slot, chain } of cases)
  test(`an upgrade of a proxy ${which} on ${chain} is an incident, once, and its deposits are compared anew`, async t => {
    const w = await worlds[chain](t, { nodes: 3 })
    const { id, kind } = w.definition
    const shown = (digit: string) => chainAdapters[kind].address.show(`0x${digit.repeat(40)}`)
    const set = (digit: string) => w.call('anvil_setStorageAt', w.token, slot, word(digit))
    const incidents = () => rowsOf(w.deps.owner, `select detail from incidents where kind = 'token_upgraded'`)
    await set('1')
    await watchUpgrades(w.deps, w.chain)
    await w.deps.owner.query('update assets set compared = 10')
    await watchUpgrades(w.deps, w.chain)
    assert.deepEqual(await incidents(), [])
    await set('2')
    await Promise.all([watchUpgrades(w.deps, w.chain), watchUpgrades(w.deps, w.chain)])
    await watchUpgrades(w.deps, w.chain)
    const found = await incidents()
    assert.equal(found.length, 1)
    assert.ok(isClosable('token_upgraded'), 'nothing ends it but who has read what changed')
    const { asset_id, was, now } = found[0].detail
    assert.deepEqual([asset_id, was, now], [`${id}:USDT`, shown('1'), shown('2')])
    assert.equal((await firstRow(w.deps.owner, 'select compared from assets where id = $1', [asset_id])).compared, 0)
  })

test('one node of three that reports another code on TRON is no upgrade, nor one that has no storage', async t => {
  const w = await tronPayoutWorld(t, { nodes: 3 })
  await watchUpgrades(w.deps, w.chain)
  w.proxies[0]!.alter = (what, own) => (what === 'eth_getStorageAt' ? word('3') : own)
  w.proxies[1]!.alter = (what, own) => {
    if (what === 'eth_getStorageAt') throw Object.assign(new Error('not available'), { code: -32_601 })
    return own
  }
  await watchUpgrades(w.deps, w.chain)
  assert.deepEqual(await rowsOf(w.deps.owner, 'select kind from incidents'), [])
})

test('one node of three that reports another code is no upgrade', async t => {
  const w = await payoutWorld(t, { nodes: 3 })
  await watchUpgrades(w.deps, w.chain)
  w.proxies[0]!.intercept = ({ method }) => (method === 'eth_getStorageAt' ? { result: word('3') } : undefined)
  await watchUpgrades(w.deps, w.chain)
  assert.deepEqual(await rowsOf(w.deps.owner, 'select kind from incidents'), [])
})
