import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import { catchUp } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { visitor as from } from '../../testing/merchants.ts'
import { firstRow, moneyOf } from '../../testing/money.ts'
import { sweepWorld } from '../../testing/sweep-world.ts'
import { insertTicket } from '../identity/store.ts'
import { expirePayments } from '../payments/expire-payments.ts'
import { claimRefund, quoteRefundClaim, readRefundClaim } from './claim-refund.ts'
import { deriveRefundLinkTokens } from './link-store.ts'
import { makeRefundLink } from './make-link.ts'
import { refundOwner } from './owner.ts'

const language = 'en' as const

test('a payer who claims a refund to what burns all gas stops no payout, is told so, and claims it elsewhere', async t => {
  const w = await sweepWorld(t)
  const { deps, merchant } = w
  w.owners.refund = refundOwner(deps)
  const burner = w.receiver(99)
  await w.call('anvil_setCode', burner, '0xfe')
  const { to, trade_no } = await w.order('ETH')
  await catchUp(deps, w.chain)
  await w.pay([[{ token: null, to, amount: 10n ** 17n }]])
  await w.mine(3)
  // The chain's clock is ahead of the server's, so the money is late.
  deps.pass(1_801)
  await expirePayments(deps)
  const link = async () => {
    const code = newSecret()
    await insertTicket(deps.pool, hashSecret(code), merchant.id, 'withdrawal', deps.clock() + 300)
    const id = await makeRefundLink(deps, {
      merchantId: merchant.id,
      tradeNo: trade_no,
      kind: 'part',
      amount: '0.09',
      basis: 'token',
      gasPayer: 'payer',
      reason: 'returned',
      proof: { method: 'ticket', code },
      from,
    })
    return deriveRefundLinkTokens(deps, id)[0]!
  }
  const claim = async (token: string, address: string) => {
    const of = { token, assetId: 'eth:ETH', address, from }
    const { receives } = await quoteRefundClaim(deps, { ...of, language })
    await claimRefund(deps, { ...of, receives })
    deps.pass(deps.config.refundDelay + 1)
  }
  const settle = async () => {
    await w.pass()
    await w.mine(3)
    await w.pass()
  }
  const bad = await link()
  const next = await w.ask({ token: null, amount: 8n })
  await claim(bad, burner)
  await settle()
  assert.deepEqual(await w.log(next.id), ['sent', 'in block', 'final'])
  deps.pass(180)
  await settle()
  assert.equal((await readRefundClaim(deps, bad, from)).state, 'canceled')
  assert.deepEqual(
    w.signer.signed.filter(each => 'to' in each && each.to === burner),
    [],
  )
  const { failure } = await firstRow(deps.owner, 'select failure from refunds')
  assert.equal(failure, 'the destination refuses it')
  assert.equal((await moneyOf(deps.owner, merchant.id).payment(trade_no)).state, 'timed_out')
  // The money is free again: a second link gives back the same amount, which is most of it.
  const good = await link()
  await claim(good, w.receiver(98))
  await settle()
  const paid = await readRefundClaim(deps, good, from)
  assert.equal(paid.state, 'paid')
  assert.ok((await w.chain.balanceOf(null, w.receiver(98))) > 8n * 10n ** 16n)
  await assertBooksAgree(deps.owner)
})
