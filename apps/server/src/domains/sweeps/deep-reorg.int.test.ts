import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS } from '../../testing/payout-world.ts'
import { sweepWorld, tronSweepWorld } from '../../testing/sweep-world.ts'
import { resumeChain } from '../deposits/resume-chain.ts'

const ether = 10n ** 18n
type Opened = Awaited<ReturnType<typeof sweepWorld>> | Awaited<ReturnType<typeof tronSweepWorld>>

/**
 * Replaces the blocks since a height with others, without the transactions in them, and resumes the chain, as its
 * operator does.
 */
async function loseSince(w: Opened, height: number) {
  await w.reorg((await w.chain.head()).number - height, 'lost')
  await w.mine(2)
  await resumeChain(w.deps, { chainId: w.definition.id })
  await w.mine(CONFIRMATIONS)
  if ('later' in w) await w.later(600)
  else w.deps.pass(600)
}
const heightOf = async (w: Opened) => (await w.chain.head()).number
const sweepsOf = async (w: Opened, address: string) =>
  (
    await rowsOf(w.deps.owner, 'select asset_id, state from sweeps where address = $1 order by created_at', [address])
  ).map(each => `${each.asset_id} ${each.state}`)
const open = (w: Opened) =>
  rowsOf(w.deps.owner, `select nonce, intent, waits from outgoing where state not in ('final', 'void')`)
const gasPosted = `select coalesce(sum(case when debit_account like 'house/gas/%' then amount else -amount end), 0) as fees
  from ledger_postings where kind = 'gas'`

test('a final sweep whose coin left with a deep reorg is cancelled, and holds up no later sweep of its address', async t => {
  const w = await sweepWorld(t)
  const height = await heightOf(w)
  const [to] = await w.paid([ether], 'ETH')
  await w.settle()
  assert.deepEqual(await sweepsOf(w, to!), ['eth:ETH swept'])
  await loseSince(w, height)
  await w.pay([[{ token: w.token, to: to!, amount: 500_000_000n }]])
  await w.mine(CONFIRMATIONS)
  w.deps.pass(3_600)
  for (let i = 0; i < 3; i++) {
    await w.settle()
    w.deps.pass(600)
  }
  assert.equal(await w.balance(to!), 1n)
  assert.deepEqual((await sweepsOf(w, to!)).sort(), ['eth:ETH failed', 'eth:USDT swept'])
  assert.deepEqual(await open(w), [])
})

for (const [what, isFinal] of [
  ['a final sweep', true],
  ['a sweep in no block', false],
] as const)
  test(`TRON: ${what} whose coin left with a deep reorg is cancelled, and holds up no later sweep of its address`, async t => {
    const w = await tronSweepWorld(t, 'burn')
    const height = await heightOf(w)
    const to = await w.paid('TRX', 1_000_000_000n)
    w.deps.pass(3_600)
    await (isFinal ? w.settle() : w.sweep())
    assert.deepEqual(await sweepsOf(w, to), [`tron:TRX ${isFinal ? 'swept' : 'sent'}`])
    await loseSince(w, height)
    assert.equal(await w.chain.balanceOf(null, to), 0n)
    await w.pay([[{ token: w.token, to, amount: 500_000_000n }]])
    await w.mine(CONFIRMATIONS)
    w.deps.pass(3_600)
    for (let i = 0; i < 3; i++) {
      await w.settle()
      await w.later(600)
    }
    assert.equal(await w.balance(to), 1n)
    assert.deepEqual((await sweepsOf(w, to)).sort(), ['tron:TRX failed', 'tron:USDT swept'])
    assert.deepEqual(await open(w), [])
  })

/** A deposit of 500 USDT that is not swept, on a chain of each kind. */
const everyKind = {
  EVM: async (t: TestContext) => {
    const w = await sweepWorld(t)
    return { w, to: (await w.paid([500_000_000n]))[0]! }
  },
  TRON: async (t: TestContext) => {
    const w = await tronSweepWorld(t, 'burn')
    return { w, to: await w.paid('USDT', 500_000_000n) }
  },
}

for (const [kind, opened] of Object.entries(everyKind))
  test(`${kind}: gas and sweeps that a deep reorg took away are sent again, and what they cost is posted once`, async t => {
    const { w, to }: { w: Opened; to: string } = await opened(t)
    w.deps.pass(3_600)
    const height = await heightOf(w)
    await w.settle()
    const before = await sweepsOf(w, to)
    assert.ok(before[0]!.endsWith(':USDT swept'))
    const counted = (await w.outgoing()).length
    await loseSince(w, height)
    // The local chain beneath TRON would else name what is signed again by the hash of the first.
    if (kind === 'TRON') for (const from of [w.hot, to]) await w.call('anvil_setNonce', from, '0x20')
    assert.equal(await w.balance(to), 500_000_000n)
    for (let i = 0; i < 3; i++) {
      await w.settle()
      if ('later' in w) await w.later(200)
    }
    assert.deepEqual([await w.balance(to), await sweepsOf(w, to), await open(w)], [1n, before, []])
    assert.equal((await w.outgoing()).length, counted, 'nothing is sent in their place')
    const [fees] = await rowsOf(w.deps.owner, 'select sum(fee) as fees from outgoing')
    const [posted] = await rowsOf(w.deps.owner, gasPosted)
    assert.equal(posted.fees, fees.fees)
    assert.deepEqual(await rowsOf(w.deps.owner, `select kind from incidents where kind <> 'deep_reorg'`), [])
  })
