import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { payoutWorld, tronPayoutWorld } from '../../testing/payout-world.ts'
import { readChain } from '../chains/store.ts'
import { resumeChain } from '../deposits/resume-chain.ts'
import { cancelNonce } from './cancel-nonce.ts'

type Opened = Awaited<ReturnType<typeof payoutWorld>> | Awaited<ReturnType<typeof tronPayoutWorld>>
const everyKind = [
  { kind: 'EVM', open: payoutWorld },
  { kind: 'TRON', open: tronPayoutWorld },
] as const
const usdt = 5_000_000n

/** Sends what is due and mines it until it is final. */
async function toFinal(w: Opened) {
  await w.pass()
  await w.mine()
  await w.pass()
  await w.confirm()
}

/** A payout whose token reverts, until that is final, with the token's code and the height before. */
async function askReverted(w: Opened) {
  const payout = await w.ask()
  const code = await w.call('eth_getCode', w.token, 'latest')
  const height = await heightOf(w)
  await w.pass()
  await w.call('anvil_setCode', w.token, '0x5f5ffd')
  await w.mine()
  await w.pass()
  await w.confirm()
  return { payout, code, height }
}

/**
 * Replaces the final blocks since a height with others, without the transactions in them, and resumes the chain, as its
 * operator does.
 */
async function loseSince(w: Opened, height: number) {
  const { number } = await w.chain.head()
  await w.reorg(number - height, 'lost')
  await w.mine(2)
  const { id } = w.definition
  assert.match((await readChain(w.deps.pool, id))?.halted ?? '', /^deep_reorg/)
  await w.pass()
  await resumeChain(w.deps, { chainId: id })
  await w.mine()
  w.deps.pass(15)
}

const heightOf = async (w: Opened) => (await w.chain.head()).number
const gasPosted = async (w: Opened) => {
  const [row] = await rowsOf(
    w.deps.owner,
    `select coalesce(sum(case when debit_account like 'house/gas/%' then amount else -amount end), 0) as fees
     from ledger_postings where kind = 'gas'`,
  )
  return BigInt(row.fees)
}
const incidents = (w: Opened) =>
  rowsOf(w.deps.owner, `select kind, detail from incidents where kind <> 'deep_reorg' order by created_at`)

for (const { kind, open } of everyKind) {
  test(`${kind}: a final payout that a deep reorg took away is sent again, by the same bytes, and its fee is posted once`, async t => {
    const w = await open(t)
    const before = await w.chain.balanceOf(null, w.hot)
    const height = await heightOf(w)
    const payout = await w.ask()
    await toFinal(w)
    assert.deepEqual(await w.log(payout.id), ['sent', 'in block', 'final'])
    await loseSince(w, height)
    assert.equal(await w.balance(payout.to), 0n)
    const { detail } = await firstRow(w.deps.owner, `select detail from incidents where kind = 'deep_reorg'`)
    assert.equal(detail.transactions, 1)
    const { baseFeePerGas } = await w.call<{ baseFeePerGas: string }>('eth_getBlockByNumber', 'latest', false)
    const dearer = BigInt(baseFeePerGas) + BigInt(baseFeePerGas) / 10n
    await w.call('anvil_setNextBlockBaseFeePerGas', `0x${dearer.toString(16)}`)
    await toFinal(w)
    assert.deepEqual(await w.log(payout.id), ['sent', 'in block', 'final', 'restored'])
    assert.deepEqual([await w.balance(payout.to), (await w.attempts()).length], [usdt, 1])
    const [row] = await w.outgoing()
    const fee = before - (await w.chain.balanceOf(null, w.hot))
    assert.deepEqual([row.state, row.outcome, row.ended, BigInt(row.fee)], ['final', 'success', null, fee])
    assert.equal(await gasPosted(w), fee)
    const next = await w.ask()
    await toFinal(w)
    assert.deepEqual([await w.log(next.id), await w.balance(next.to)], [['sent', 'in block', 'final'], usdt])
    assert.deepEqual(await incidents(w), [])
  })

  test(`${kind}: a payout that had reverted is not made by the bytes that a deep reorg made valid again`, async t => {
    const w = await open(t)
    const before = await w.chain.balanceOf(null, w.hot)
    const { payout, code, height } = await askReverted(w)
    assert.deepEqual(await w.log(payout.id), ['sent', 'in block', 'failed: reverted'])
    await loseSince(w, height)
    await w.call('anvil_setCode', w.token, code)
    if ('later' in w) await w.later(600)
    for (let i = 0; i < 2; i++) await toFinal(w)
    assert.deepEqual(await w.log(payout.id), ['sent', 'in block', 'failed: reverted'], 'nothing more is reported')
    const [row] = await w.outgoing()
    assert.deepEqual([row.state, row.ended, await w.balance(payout.to)], ['void', null, 0n])
    assert.equal(await gasPosted(w), before - (await w.chain.balanceOf(null, w.hot)))
    const next = await w.ask()
    await toFinal(w)
    assert.equal(await w.balance(next.to), usdt)
    assert.deepEqual(await incidents(w), [])
  })

  test(`${kind}: a payout that a deep reorg took away and that then reverts is undone, and the operator is told`, async t => {
    const w = await open(t)
    const payout = await w.ask()
    const height = await heightOf(w)
    await toFinal(w)
    await loseSince(w, height)
    await w.pass()
    await w.call('anvil_setCode', w.token, '0x5f5ffd')
    await w.mine()
    await w.pass()
    await w.confirm()
    assert.deepEqual((await w.log(payout.id)).slice(2), ['final', 'undone: reverted'])
    const { kind: what, detail } = (await incidents(w))[0]
    assert.deepEqual([what, detail.payouts, detail.reason], ['payout_undone', [payout.id], 'reverted'])
    assert.deepEqual(await rowsOf(w.deps.owner, 'select live from outgoing_items'), [{ live: false }])
  })
}

test('TRON: one that expired before it was sent again is signed again only once no block can have it', async t => {
  const w = await tronPayoutWorld(t)
  const payout = await w.ask()
  const height = await heightOf(w)
  await toFinal(w)
  w.deps.pass(121)
  await loseSince(w, height)
  await w.pass()
  assert.equal((await w.attempts()).length, 1, 'its block may still come')
  // The local chain beneath would else name both by one hash.
  await w.call('anvil_setNonce', w.hot, '0x7')
  await w.later(600)
  for (let i = 0; i < 2; i++) await toFinal(w)
  assert.deepEqual([(await w.attempts()).length, await w.balance(payout.to)], [2, usdt])
  assert.deepEqual((await w.log(payout.id)).slice(2), ['final', 'restored'])
})

test('EVM: a cancellation that a deep reorg took away is sent again, and one that came too late is not', async t => {
  const w = await payoutWorld(t)
  const late = await w.ask()
  const height = await heightOf(w)
  await w.pass()
  const cancel = (nonce: number) =>
    cancelNonce(w.deps, { chainId: w.definition.id, nonce, reason: 'an operator said so' })
  // Signed while the payout was mined already.
  await w.call('anvil_dropAllTransactions')
  await cancel(0)
  await w.pass()
  await w.call('anvil_dropAllTransactions')
  const [{ raw }] = await w.attempts()
  await w.call('eth_sendRawTransaction', raw)
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.equal((await w.log(late.id)).at(-1), 'final')
  const early = await w.ask()
  await w.pass()
  await w.call('anvil_dropAllTransactions')
  await cancel(1)
  await toFinal(w)
  assert.equal((await w.log(early.id)).at(-1), 'voided: an operator said so')
  await loseSince(w, height)
  await toFinal(w)
  assert.deepEqual([await w.balance(late.to), await w.balance(early.to)], [usdt, 0n])
  assert.deepEqual(
    [(await w.log(late.id)).at(-1), (await w.log(early.id)).at(-1)],
    ['restored', 'voided: an operator said so'],
  )
  const fees = await firstRow(w.deps.owner, 'select sum(fee) as fees from outgoing')
  assert.equal(await gasPosted(w), BigInt(fees.fees))
  assert.deepEqual(await incidents(w), [])
})

test('EVM: a payout that had reverted and that others broadcast after a deep reorg is made, and the operator is told', async t => {
  const w = await payoutWorld(t)
  const { payout, code, height } = await askReverted(w)
  const [{ raw }] = await w.attempts()
  await loseSince(w, height)
  await w.call('anvil_setCode', w.token, code)
  await w.call('eth_sendRawTransaction', raw)
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(payout.id), ['sent', 'in block', 'failed: reverted', 'made'])
  assert.equal(await w.balance(payout.to), usdt)
  const { kind, detail } = (await incidents(w))[0]
  assert.deepEqual([kind, detail.payouts], ['payout_made', [payout.id]])
})
