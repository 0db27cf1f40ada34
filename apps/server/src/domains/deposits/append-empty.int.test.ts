import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eth, firstRow, moneyWorld } from '../../testing/money.ts'
import { recording } from '../../testing/recording.ts'
import { readChainAssets, selectWatchedAssets } from '../chains/assets.ts'
import { type ApplyBlocksInput, applyBlocks } from './apply-blocks.ts'

test('a block without deposits is applied in one statement, and only as it was read', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  const taken = selectWatchedAssets(await readChainAssets(world.deps.pool, eth.id))
  const [tokens, native] = taken
  const { next_index: asOf } = await firstRow(world.owner, 'select next_index from address_counters')
  const { fence } = await firstRow(world.owner, 'select fence from chains where id = $1', [eth.id])
  const event = { ...world.eth.next(), asOf }
  const { block } = event
  const { pool, transactions, alone } = recording(world.deps.pool)
  const apply = (given: Partial<ApplyBlocksInput>) =>
    applyBlocks({ ...world.deps, pool }, { chainId: eth.id, event, taken, fence, ...given })
  const refusals: [what: string, given: Partial<ApplyBlocksInput>][] = [
    ['a gap', { event: { ...event, from: event.from + 1, block: { ...block, number: block.number + 1 } } }],
    ['another parent', { event: { ...event, parentHash: '0xother' } }],
    ['an address given out that was not looked for', { event: { ...event, asOf: asOf - 1 } }],
    ['another token', { taken: [[...tokens.slice(1), `0x${'ff'.repeat(20)}`], native] }],
    ['one token less', { taken: [tokens.slice(1), native] }],
    ['native coin', { taken: [tokens, !native] }],
    ['the lease of another process', { fence: fence + 1 }],
  ]
  for (const [what, given] of refusals) await assert.rejects(apply(given), { name: 'OutOfOrder' }, what)
  await world.owner.query(`update chains set halted = 'x' where id = $1`, [eth.id])
  await assert.rejects(apply({}), { reason: 'chain_unavailable' })
  await world.owner.query('update chains set halted = null where id = $1', [eth.id])

  transactions.length = 0
  alone.length = 0
  assert.equal(await apply({}), true)
  assert.deepEqual([transactions, alone], [[], ['chain-append-empty']])
  // Once.
  assert.equal(await apply({}), false)
  // A deposit that most nodes deny when its block is final.
  const denied = { ...world.eth.next(), settled: [] }
  assert.equal(denied.final, block.number - 1)
  assert.equal(await apply({ event: denied }), true)
  assert.equal(transactions.at(-1)!.at(-1), 'commit')
  assert.equal((await world.payment(order.trade_no)).pending_amount, '0')
})
