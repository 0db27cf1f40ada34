import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Intercept } from '@coffer/chains/testing/proxy.ts'
import { rowsOf } from '../../testing/money.ts'
import { payoutWorld } from '../../testing/payout-world.ts'
import { type FirstSeenPayouts, watchStalledPayouts } from './watch-stalled-payouts.ts'

const done = ['sent', 'in block', 'final']
const waits = 'waits: the destination refuses it'
const refused = [waits, 'voided: the destination refuses it']
/** Burns all gas. */
const burns = '0xfe'
/** A token that says that everybody has some, and burns all gas when it is to move. */
const burningToken = '0x5f3560e01c6370a0823114600f57fe5b633b9aca005f5260205ff3'

async function world(t: Parameters<typeof payoutWorld>[0]) {
  const token = `0x${'7'.repeat(40)}`
  const w = await payoutWorld(t, { nodes: 3, more: () => [{ symbol: 'BURN', contract: token, decimals: 6 }] })
  await w.call('anvil_setCode', token, burningToken)
  const burner = w.receiver(99)
  await w.call('anvil_setCode', burner, burns)
  const settle = async () => {
    await w.pass()
    await w.mine()
    await w.pass()
    await w.confirm()
  }
  const signedFor = (to: string) => w.signer.signed.filter(each => 'to' in each && each.to === to)
  return { ...w, burningToken: token, burner, settle, signedFor }
}

const failed = { error: { code: -32_603, message: 'internal error' } }
const estimates: (answer: object) => Intercept =
  answer =>
  ({ method }) =>
    method === 'eth_estimateGas' ? answer : undefined

test('a receiver that reverts with a megabyte stops no payout, and its own is void after three minutes', async t => {
  const w = await world(t)
  const bad = w.receiver(98)
  // The node reports what the contract says as hex: 1.2 MB.
  await w.call('anvil_setCode', bad, '0x620927c06000fd')
  const stuck = await w.ask({ token: null, to: bad, amount: 1_000n })
  for (let round = 0; round < 3; round++) {
    const good = await w.ask({ token: null, amount: 1_000n })
    await w.settle()
    assert.deepEqual(await w.log(good.id), done)
  }
  w.deps.pass(180)
  await w.settle()
  assert.deepEqual(await w.log(stuck.id), refused)
  assert.deepEqual(w.signedFor(bad), [])
})

test('what burns all gas stops no payout behind it, and its own is void after three minutes, never signed', async t => {
  const w = await world(t)
  const bad = [
    await w.ask({ token: null, amount: 7n, to: w.burner }),
    await w.ask({ token: w.burningToken, to: w.receiver(98) }),
  ]
  const good = [await w.ask({ token: null, amount: 8n }), await w.ask()]
  await w.settle()
  for (const { id } of good) assert.deepEqual(await w.log(id), done)
  for (const { id } of bad) assert.deepEqual(await w.log(id), [waits])
  w.deps.pass(180)
  await w.settle()
  for (const { id, to } of bad) assert.deepEqual([await w.log(id), w.signedFor(to)], [refused, []])
})

test('a receiver that burns more gas than its chain allows is not paid for it, and its money is free again', async t => {
  const w = await world(t)
  const dear = w.receiver(98)
  // Memory of 896,000 bytes: 1.6 million gas.
  await w.call('anvil_setCode', dear, '0x5f620dac005200')
  const { id } = await w.ask({ token: null, to: dear, amount: 1_000n })
  const good = await w.ask({ token: null, amount: 1_000n })
  const reason = 'the destination takes too much gas'
  await w.settle()
  assert.deepEqual([await w.log(good.id), await w.log(id)], [done, [`waits: ${reason}`]])
  w.deps.pass(180)
  await w.settle()
  assert.deepEqual([await w.log(id), w.signedFor(dear)], [[`waits: ${reason}`, `voided: ${reason}`], []])
  Object.assign(w.definition, { mostGas: 2_000_000 })
  const allowed = await w.ask({ token: null, to: dear, amount: 1_000n })
  await w.settle()
  assert.deepEqual(await w.log(allowed.id), done)
})

test('one node of three decides neither that a payout would fail nor that it would not', async t => {
  const w = await world(t)
  const good = await w.ask()
  const bad = await w.ask({ token: null, amount: 7n, to: w.burner })
  for (const answer of [failed, { error: { code: 3, message: 'execution reverted' } }, { result: '0xffffffff' }]) {
    w.proxies[0]!.intercept = estimates(answer)
    await w.settle()
  }
  assert.deepEqual(await w.log(good.id), done)
  w.proxies[0]!.intercept = estimates({ result: '0x5208' })
  for (let i = 0; i < 3; i++) {
    w.deps.pass(90)
    await w.settle()
  }
  assert.deepEqual([await w.log(bad.id), w.signedFor(w.burner)], [refused, []])
})

test('nodes that estimate nothing at all cancel no payout; that they wait is an incident within a minute', async t => {
  const w = await world(t)
  const seen: FirstSeenPayouts = new Map()
  const { id } = await w.ask()
  for (const proxy of w.proxies) proxy.intercept = estimates(failed)
  for (let i = 0; i < 30; i++) {
    await w.pass()
    await watchStalledPayouts(w.deps, w.owners, seen)
    w.deps.pass(10)
    const open = await rowsOf(w.deps.owner, 'select kind, detail from incidents')
    assert.equal(open.length, i < 5 ? 0 : 1)
    if (i === 5) assert.match(open[0].detail.reason, /^nodes estimate no gas/)
  }
  assert.deepEqual(await w.log(id), [])
  for (const proxy of w.proxies) proxy.reset()
  await w.settle()
  assert.deepEqual(await w.log(id), done)
  w.deps.pass(61)
  await watchStalledPayouts(w.deps, w.owners, seen)
  assert.deepEqual(await rowsOf(w.deps.owner, 'select kind from incidents where resolved_at is null'), [])
})
