import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import type { OutgoingOwner } from '../../owner.ts'
import { rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS, tronPayoutWorld } from '../../testing/payout-world.ts'
import { watchChains } from '../chains/watch-chains.ts'
import { readPayoutAsset } from '../withdrawals/payout-asset.ts'
import { cancelOutgoing } from './cancel-outgoing.ts'
import { listPayoutTransactions } from './carried.ts'
import { createSendingFor } from './kinds.ts'
import { stuckTransactionSeconds, watchStuckTransactions } from './watch-stuck-transactions.ts'

const done = ['sent', 'in block', 'final']
const trx = 1_000_000n

test('one that was lost is signed again, but not before it can be in no block', async t => {
  const w = await tronPayoutWorld(t, { nodes: 3 })
  for (const id of ['tron:USDT', 'tron:TRX'])
    assert.equal((await readPayoutAsset(w.deps, id)).id, id, 'can be withdrawn')
  const fees = [await createSendingFor(w.chain).usualFee(true), await createSendingFor(w.chain).usualFee(false)]
  assert.deepEqual(fees, [131_000n * 420n + 1_600_000n, 1_600_000n])
  const payout = await w.ask()
  for (const node of w.proxies) node.forgets = true
  await w.pass()
  w.deps.pass(15)
  await w.pass()
  const [first] = await w.attempts()
  assert.deepEqual([first.broadcasts, first.refused], [2, null], 'broadcast again, unchanged')
  assert.ok(Number(first.expires) > w.deps.clock() * 1_000)
  for (const node of w.proxies) node.forgets = false
  // Expired, but not for a minute by the final blocks; then one node lags.
  await w.later(130)
  await w.pass()
  assert.equal((await w.attempts()).length, 1, 'too early')
  w.proxies[2]!.behind = CONFIRMATIONS + 5
  await w.later(60)
  await w.pass()
  assert.equal((await w.attempts()).length, 1, 'a node contradicts')
  w.proxies[2]!.behind = 0
  await Promise.all([w.pass(), w.pass({ ...w.deps, clock: () => w.deps.clock() + 1 })])
  const attempts = await w.attempts()
  assert.deepEqual([attempts.length, w.signer.signed.length], [2, 2], 'two servers sign it once')
  assert.notEqual(attempts[1].txid, first.txid)
  await w.mine()
  await w.pass()
  await w.confirm()
  assert.deepEqual([await w.log(payout.id), await w.balance(payout.to)], [done, 5n * trx])
})

test('one that was mined although nobody said so is never signed again', async t => {
  const w = await tronPayoutWorld(t)
  const payout = await w.ask()
  const [node] = w.proxies
  node!.alter = (what, own) => (what === '/wallet/broadcasthex' ? { code: 'SERVER_BUSY' } : own)
  await w.pass()
  assert.equal((await w.attempts())[0].refused, 'SERVER_BUSY')
  await w.mine()
  // The node hides it until long after the expiration.
  node!.alter = (what, own) => (what === '/wallet/gettransactioninfobyid' ? {} : own)
  await w.later(600)
  await w.pass()
  assert.equal((await w.attempts()).length, 1)
  node!.alter = (_, own) => own
  await w.pass()
  await w.confirm()
  assert.deepEqual([await w.log(payout.id), await w.balance(payout.to)], [done, 5n * trx])
})

test('a crash after the signature waits for its expiration, and pays once', async t => {
  const w = await tronPayoutWorld(t)
  const payout = await w.ask()
  const { sign } = w.signer
  w.signer.sign = async request => {
    await sign(request)
    throw new Error('the server died')
  }
  await assert.rejects(w.pass(), /died/)
  w.signer.sign = sign
  w.deps.pass(1)
  await w.pass()
  assert.deepEqual([(await w.attempts()).length, (await w.outgoing())[0].waits], [0, null], 'the signer knows another')
  await w.later(200)
  await w.pass()
  await w.mine()
  await w.confirm()
  assert.deepEqual([await w.log(payout.id), await w.balance(payout.to)], [done, 5n * trx])
})

test('a cancelled one is void once it can be in no block, and at once without a signature', async t => {
  const w = await tronPayoutWorld(t)
  const sent = await w.ask()
  const mined = await w.ask()
  w.proxies[0]!.forgets = true
  await w.pass()
  const cancel = (nonce: number) =>
    cancelOutgoing(w.deps.pool, { chain_id: 'tron', from_address: w.hot, nonce }, 'asked', w.deps.clock())
  assert.deepEqual([await cancel(0), await cancel(1)], [true, true])
  await w.pass()
  assert.deepEqual(await w.log(sent.id), ['sent'], 'it may still be mined')
  // The second one reaches a node nevertheless, and is paid.
  w.proxies[0]!.forgets = false
  await w.chain.expiring.send((await w.attempts())[1].raw)
  await w.mine()
  await w.later(200)
  await w.pass()
  await w.confirm()
  assert.deepEqual(await w.log(sent.id), ['sent', 'voided: asked'])
  assert.deepEqual(await w.log(mined.id), done)
  const unsigned = await w.ask()
  w.signer.isDown = 'to sign'
  await w.pass()
  assert.equal(await cancel(2), true)
  await w.pass()
  assert.deepEqual(await w.log(unsigned.id), ['sent', 'voided: asked'])
  assert.deepEqual(
    (await w.outgoing()).map(each => [each.state, each.txid === null]),
    [
      ['void', true],
      ['final', false],
      ['void', true],
    ],
  )
})

for (const kind of ['withdrawal', 'refund'] as const)
  test(`a receiver of a ${kind} that is emptied meanwhile is paid, and what runs out of energy is sent once more by itself`, async t => {
    const w = await tronPayoutWorld(t)
    const owner = w.owners.withdrawal!
    const due: OutgoingOwner['due'] = async (...asked) =>
      (await owner.due(...asked)).map(each => ({ ...each, owner: kind }))
    delete w.owners.withdrawal
    w.owners[kind] = { ...owner, due }
    const holder = w.receiver(90)
    await w.pay([[{ token: w.token, to: holder, amount: trx }]])
    await w.mine(CONFIRMATIONS)
    const transfer = { from: w.hot, token: w.token, to: holder, amount: trx }
    const usual = await w.chain.expiring.feeLimitFor(transfer)
    const dear = await w.chain.expiring.feeLimitFor(transfer, true)
    assert.equal(dear, usual * 2n, 'the limit covers an emptied receiver')
    const { feeLimitFor } = w.chain.expiring
    const short = async () => ((await feeLimitFor.call(w.chain.expiring, transfer)) * 6n) / 10n
    const settle = async () => {
      await w.pass()
      await w.mine()
      await w.confirm()
    }
    let first = 0
    w.chain.expiring.feeLimitFor = payout =>
      payout.amount === 2n * trx || first++ === 0 ? short() : feeLimitFor.call(w.chain.expiring, payout, true)
    const once = await w.ask()
    const twice = await w.ask({ amount: 2n * trx })
    const before = await w.chain.balanceOf(null, w.hot)
    for (let i = 0; i < 4; i++) await settle()
    const short1 = ['sent', 'in block', 'taken back: out of energy']
    assert.deepEqual([await w.log(once.id), await w.balance(once.to)], [[...short1, ...done], 5n * trx])
    assert.deepEqual(
      [await w.log(twice.id), await w.balance(twice.to)],
      [[...short1, 'sent', 'in block', 'failed: reverted'], 0n],
    )
    const [{ fees }] = await rowsOf(w.deps.owner, `select sum(amount) as fees from ledger_postings where kind = 'gas'`)
    assert.equal(BigInt(fees), before - (await w.chain.balanceOf(null, w.hot)), 'lost fees are booked')
    const shown = await listPayoutTransactions(w.deps.pool, kind, w.merchant.id, once.id)
    assert.deepEqual(
      shown.map(each => [each.outcome, each.fee > 0n]),
      [
        ['reverted', true],
        ['success', true],
      ],
      'the lost fee is shown where the payout is',
    )
  })

test('native coin to a contract, which the chain refuses as often as it is sent, is void and never signed', async t => {
  const w = await tronPayoutWorld(t, { nodes: 3 })
  const contract = w.receiver(91)
  for (const node of w.proxies)
    node.alter = (what, own) => (what === '/wallet/getaccount' ? { ...(own as object), type: 'Contract' } : own)
  const payout = await w.ask({ token: null, to: contract, amount: trx })
  await w.pass()
  w.deps.pass(180)
  await w.pass()
  const reason = 'the destination refuses it'
  assert.deepEqual([await w.log(payout.id), w.signer.signed], [[`waits: ${reason}`, `voided: ${reason}`], []])
})

/** A block as the HTTP API shows it. */
type Shown = { transactions?: object[] }

/** A payout that was lost, which one node puts into a block that nobody can prove, if `isNamed` with a receipt. */
async function claimedPayout(t: Parameters<typeof tronPayoutWorld>[0], nodes: number, isNamed: boolean) {
  const w = await tronPayoutWorld(t, { nodes })
  const claims: Record<string, unknown> = {}
  for (const [i, node] of w.proxies.entries())
    node.alter = (what, own) => {
      // Only what is asked of the lost transaction: it is the only one that no node has.
      const isNone = own === null || Object.keys(own as object).length === 0
      if (i === nodes - 1 && isNone && claims[what]) return claims[what]
      // From the start, since a block that was proven once stays so.
      const isOne = what === '/wallet/getblockbyid'
      if (!isOne && what !== '/wallet/getblockbylimitnext') return own
      const blocks = isOne ? [own as Shown] : (own as { block: Shown[] }).block
      const unproven = blocks.map(({ transactions = [], ...block }) => ({
        ...block,
        transactions: transactions.map(each => ({ ...each, ret: [{ contractRet: 'SUCCESS', orderId: '1' }] })),
      }))
      return isOne ? unproven[0] : { block: unproven }
    }
  const [other] = await w.pay([[{ token: w.token, to: w.receiver(99), amount: trx }]])
  await w.mine()
  const { number, hash } = (await w.chain.blockAt((await w.chain.head()).number - 1))!
  const payout = await w.ask()
  for (const node of w.proxies) node.forgets = true
  await w.pass()
  const [{ txid }] = await w.attempts()
  claims['/walletsolidity/gettransactionbyid'] = { txID: txid.slice(2) }
  claims['/walletsolidity/gettransactioninfobyid'] = { id: txid.slice(2), blockNumber: number }
  if (isNamed) {
    const ofOther = await w.call<object>('eth_getTransactionReceipt', other)
    claims.eth_getTransactionReceipt = { ...ofOther, transactionHash: txid, blockHash: hash }
    claims['/wallet/gettransactioninfobyid'] = { id: txid.slice(2), blockNumber: number, fee: 1 }
  }
  const incidents = () => rowsOf(w.deps.owner, 'select kind, detail from incidents where resolved_at is null')
  const { host } = new URL(w.proxies[nodes - 1]!.url)
  return { ...w, payout, txid, number, incidents, host, liar: w.proxies[nodes - 1]! }
}

for (const isNamed of [false, true])
  test(`one node that puts a lost payout into a block which nobody can prove${isNamed ? ', with a receipt,' : ''} holds it up for an hour, and is named`, async t => {
    const w = await claimedPayout(t, 3, isNamed)
    const { payout, txid, number, incidents, host } = w
    await w.later(600)
    for (let i = 0; i < 2; i++) await w.pass()
    w.deps.pass(stuckTransactionSeconds)
    await watchStuckTransactions(w.deps)
    const [stuck] = await incidents()
    assert.deepEqual([stuck.kind, stuck.detail.nonce], ['payout_stuck', 0])
    const { code, node } = isNamed
      ? { code: 'receipt_uncertain', node: '' }
      : { code: 'expired_claimed', node: `${host} (${number})` }
    assert.deepEqual(stuck.detail.reason, [code, node].filter(Boolean).join(' | '))
    await watchChains(w.deps, new Map())
    assert.deepEqual(
      (await incidents()).filter(each => each.kind === 'node_differs').map(each => each.detail),
      [{ node: host, reason: `claims_in_block | ${txid} | ${number}` }],
    )
    assert.equal((await w.attempts()).length, 1, 'not yet sent again')
    for (const node of w.proxies) node.forgets = false
    await w.later(3_600)
    for (let i = 0; i < 3; i++) await w.pass()
    const attempts = await w.attempts()
    assert.equal(attempts.length, 2, 'sent again')
    await w.mine()
    await w.confirm()
    await w.confirm()
    assert.deepEqual([(await w.log(payout.id)).at(-1), await w.balance(payout.to)], ['final', 5n * trx], 'paid once')
  })

for (const isNamed of [false, true])
  test(`with two nodes a lost payout that one puts into a block${isNamed ? ', with a receipt,' : ''} waits for an operator, whom the incident tells what to do`, async t => {
    const w = await claimedPayout(t, 2, isNamed)
    await w.later(600)
    for (let i = 0; i < 2; i++) await w.pass()
    await w.later(7_200)
    for (let i = 0; i < 3; i++) await w.pass()
    w.deps.pass(stuckTransactionSeconds)
    await watchStuckTransactions(w.deps)
    const [stuck] = (await w.incidents()).filter(each => each.kind === 'payout_stuck')
    assert.equal(stuck.detail.reason, `expired_undecided | ${w.host} (${w.number})`)
    assert.match(formatStoredReason(stuck.detail.reason, 'en'), /replace the node.*or name a third/)
    assert.match(formatStoredReason(stuck.detail.reason, 'zh-CN'), /更换该节点.*第三个节点/)
    assert.equal((await w.attempts()).length, 1, 'not sent again, however long it is')
    // The operator has named another node in its place.
    w.liar.alter = (_, own) => own
    for (const node of w.proxies) node.forgets = false
    await w.later(60)
    for (let i = 0; i < 3; i++) await w.pass()
    await w.mine()
    for (let i = 0; i < 2; i++) await w.confirm()
    assert.deepEqual(
      [(await w.log(w.payout.id)).at(-1), await w.balance(w.payout.to)],
      ['final', 5n * trx],
      'paid once',
    )
  })
