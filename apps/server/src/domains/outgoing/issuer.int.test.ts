import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LyingToken, UsdtLike } from '@coffer/chains/evm/generated/contracts.ts'
import { type Abi, encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { rowsOf } from '../../testing/money.ts'
import { payoutWorld, tronPayoutWorld } from '../../testing/payout-world.ts'

const done = ['sent', 'in block', 'final']
const issuer = `0x${'1557e'.padEnd(40, '5')}` as Hex
const abi = UsdtLike.abi as Abi

const worlds = { Ethereum: payoutWorld, TRON: tronPayoutWorld }

/** A payout world with a token whose issuer can pause it, list addresses and keep a fee, as Tether's can. */
async function world(t: Parameters<typeof payoutWorld>[0], chain: keyof typeof worlds = 'Ethereum') {
  const token = getContractAddress({ from: issuer, nonce: 0n }).toLowerCase()
  const w = await worlds[chain](t, { nodes: 3, more: () => [{ symbol: 'USDX', contract: token, decimals: 6 }] })
  const send = async (to: string | null, data: Hex) => {
    await w.call('eth_sendTransaction', {
      from: issuer,
      ...(to && { to }),
      data,
      gas: '0x4c4b40',
      gasPrice: '0xe8d4a51000',
    })
    await w.mine()
  }
  await w.call('anvil_setBalance', issuer, `0x${(10n ** 20n).toString(16)}`)
  await w.call('anvil_impersonateAccount', issuer)
  await send(null, encodeDeployData({ abi, bytecode: UsdtLike.bytecode as Hex, args: ['Tether USD', 'USDX', 6] }))
  const write = (functionName: string, ...args: unknown[]) =>
    send(token, encodeFunctionData({ abi, functionName, args }))
  await write('issue', w.hot, 1_000_000_000n)
  return {
    ...w,
    write,
    issued: (more: object = {}) => w.ask({ token, ...more }),
    held: (address: string) => w.chain.balanceOf(token, address),
    settle: async () => {
      await w.pass()
      await w.mine()
      await w.pass()
      await w.confirm()
    },
    incidents: () => rowsOf(w.deps.owner, 'select kind, detail from incidents where resolved_at is null'),
  }
}

const stops = [
  { what: 'paused', on: ['setPaused', true], off: ['setPaused', false] },
  { what: 'listed', on: ['setBlackListed', 'hot', true], off: ['setBlackListed', 'hot', false] },
]
for (const { what, on, off, chain } of stops.flatMap(each =>
  (['Ethereum', 'TRON'] as const).map(chain => ({ ...each, chain })),
))
  test(`payouts of a token on ${chain} wait while its issuer has our wallet ${what}, by one incident, and others are paid`, async t => {
    const w = await world(t, chain)
    const write = ([name, ...args]: unknown[]) =>
      w.write(String(name), ...args.map(each => (each === 'hot' ? w.hot : each)))
    await write(on)
    const waiting = [await w.issued(), await w.issued(), await w.issued()]
    const other = await w.ask()
    for (let i = 0; i < 4; i++) {
      await w.settle()
      w.deps.pass(180)
    }
    await w.pass()
    assert.deepEqual(await w.log(other.id), done)
    for (const { id } of waiting) assert.deepEqual(await w.log(id), [`waits: issuer: ${what}`])
    const open = await w.incidents()
    assert.deepEqual([open.length, open[0].kind, open[0].detail.reason], [1, 'issuer_stops', `issuer: ${what}`])
    await write(off)
    await w.settle()
    w.deps.pass(181)
    await w.pass()
    for (const { id, to } of waiting)
      assert.deepEqual([(await w.log(id)).slice(1), await w.held(to)], [done, 5_000_000n])
    assert.deepEqual(await w.incidents(), [])
  })

for (const chain of ['Ethereum', 'TRON'] as const)
  test(`a payout on ${chain} that reverts because its token is paused meanwhile is paid once it moves again`, async t => {
    const w = await world(t, chain)
    const { id, to } = await w.issued()
    await w.pass()
    await w.write('setPaused', true)
    await w.pass()
    await w.confirm()
    await w.pass()
    const before = ['sent', 'in block', 'taken back: issuer: paused', 'waits: issuer: paused']
    assert.deepEqual(await w.log(id), before)
    await w.write('setPaused', false)
    w.deps.pass(60)
    await w.settle()
    assert.deepEqual([await w.log(id), await w.held(to)], [[...before, ...done], 5_000_000n])
  })

test('a payout on TRON of which the issuer keeps a fee was paid less', async t => {
  const w = await world(t, 'TRON')
  await w.write('setParams', 10n, 50_000_000n)
  const less = await w.issued()
  for (let i = 0; i < 2; i++) await w.settle()
  assert.ok((await w.held(less.to)) < 5_000_000n)
  assert.deepEqual((await w.log(less.id)).at(-1), 'failed: the token delivered less')
})

test('a receiver whom the issuer lists is refused, and a payout of which a fee is kept was paid less', async t => {
  const w = await world(t)
  const listed = await w.issued()
  await w.write('setBlackListed', listed.to, true)
  await w.pass()
  w.deps.pass(180)
  await w.pass()
  const reason = 'the destination refuses it'
  // Sending to a listed address may be allowed, as with Tether's token.
  if ((await w.log(listed.id))[0] !== 'sent')
    assert.deepEqual(await w.log(listed.id), [`waits: ${reason}`, `voided: ${reason}`])
  // A fee that comes while one is under way takes more gas than its limit.
  const late = await w.issued()
  await w.pass()
  await w.write('setParams', 10n, 50_000_000n)
  await w.pass()
  await w.confirm()
  assert.deepEqual((await w.log(late.id)).slice(0, 3), ['sent', 'in block', 'taken back: out of energy'])
  const less = await w.issued()
  await w.settle()
  assert.ok((await w.held(less.to)) < 5_000_000n)
  assert.deepEqual((await w.log(less.id)).at(-1), 'failed: the token delivered less')
})

test('a payout that a token logs in full though a part of it did not arrive is not accomplished', async t => {
  const token = getContractAddress({ from: issuer, nonce: 0n }).toLowerCase()
  const w = await payoutWorld(t, { nodes: 3, more: () => [{ symbol: 'LIE', contract: token, decimals: 6 }] })
  const lying = LyingToken.abi as Abi
  const send = async (to: string | null, data: Hex) => {
    const terms = { gas: '0x4c4b40', gasPrice: '0xe8d4a51000' }
    await w.call('eth_sendTransaction', { from: issuer, ...(to && { to }), data, ...terms })
    await w.mine()
  }
  const write = (functionName: string, ...args: unknown[]) =>
    send(token, encodeFunctionData({ abi: lying, functionName, args }))
  await w.call('anvil_setBalance', issuer, `0x${(10n ** 20n).toString(16)}`)
  await w.call('anvil_impersonateAccount', issuer)
  await send(null, encodeDeployData({ abi: lying, bytecode: LyingToken.bytecode as Hex, args: ['Lying', 'LIE', 0] }))
  await write('issue', w.hot, 1_000_000_000n)
  const round = async () => {
    await w.pass()
    await w.mine()
    await w.confirm()
    await w.pass()
  }
  const honest = await w.ask({ token })
  await round()
  assert.deepEqual(await w.log(honest.id), done)
  await write('become', 1)
  const kept = await w.ask({ token })
  await round()
  assert.deepEqual(await w.log(kept.id), ['sent', 'in block', 'failed: the balance did not rise'])
  const open = await rowsOf(w.deps.owner, 'select kind, detail from incidents where resolved_at is null')
  assert.deepEqual(
    open.map(each => [each.kind, each.detail.token]),
    [['payout_unmoved', token]],
  )
})
