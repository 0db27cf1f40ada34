import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { computeValueInUsdt } from '@coffer/core'
import { until, untilBlocked } from '@coffer/local/testing/until.ts'
import { tx } from '../../kit/db.ts'
import { toPriceSymbol } from '../../kit/price-symbol.ts'
import { breakOnce } from '../../testing/break.ts'
import { call } from '../../testing/call.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testMerchant, visitor } from '../../testing/merchants.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { claimed as asset, linkWorld } from '../../testing/refund-links.ts'
import { outside, paidReceipt as receipt } from '../../testing/withdrawals.ts'
import { merchantById } from '../merchants/store.ts'
import { markPayment } from '../payments/mark-payment.ts'
import { lockMerchantPayment, readMerchantPayment } from '../payments/store.ts'
import { cancelRefund } from './cancel-refund.ts'
import { claimRefund, quoteRefundClaim } from './claim-refund.ts'
import { checkRefund, quoteRefund } from './eligibility.ts'
import { cancelUnclaimedRefundLink, expireRefundLinks } from './end-link.ts'
import { lockRefundLink, readRefundLink, serializeRefundLink } from './link-store.ts'
import { refundOwner } from './owner.ts'
import { requestRefund } from './request-refund.ts'
import { refundHandlers } from './routes.ts'
import { applyRefundSteps } from './steps.ts'
import { lockRefund } from './store.ts'

const ref = { chain_id: 'eth', from_address: '0x7777777777777777777777777777777777777777', nonce: 3 }
const from = visitor
const language = 'en' as const

test('a payer claims a refund by its link, and sees it paid', async t => {
  const w = await linkWorld(t)
  const { deps, merchant } = w
  const id = await w.make()
  const token = w.tokenOf(id)
  const stored = JSON.stringify(await rowsOf(w.owner, 'select * from refund_links'))
  assert.ok(!stored.includes(token), 'the database holds only a hash')
  const { name } = await firstRow(w.owner, 'select name from applications')
  assert.equal((await w.show(token)).merchant_name, name)
  await w.owner.query(
    `update merchants set name = 'Corner Shop'; update applications set name = 'Collect', collects = true`,
  )
  assert.equal((await w.show(token)).merchant_name, 'Corner Shop', 'nobody calls the payee Collect')
  assert.equal(
    serializeRefundLink(deps, (await readRefundLink(deps.pool, merchant.id, id))!, { mayClaim: true }).url,
    `${deps.config.publicUrl}/refund/${token}`,
  )
  assert.deepEqual([await w.state(), await w.counted(), (await w.balances())[1]], ['refunding', 100_000_000n, '0'])
  await assert.rejects(w.make(), { reason: 'cannot_refund' }, 'one at a time')
  const open = await w.show(token)
  assert.deepEqual(
    [open.state, open.amount, open.networks.map(each => each.asset_id)],
    ['open', '100', ['eth:USDT']],
    'only where the balance covers it',
  )
  const quote = await quoteRefundClaim(deps, { ...asset, token, from, language })
  assert.ok(Number(quote.gas) > 0 && Number(quote.receives) + Number(quote.gas) === 100 && quote.refused === '')
  await w.claim(token)
  const [refund] = await w.refunds()
  assert.equal(refund.total, '100000000')
  const waiting = await w.show(token)
  assert.deepEqual([waiting.state, waiting.receives, waiting.address], ['waiting', quote.receives, outside])
  const engine = refundOwner(deps)
  assert.deepEqual(await engine.due(deps.pool, 'eth', 10), [], 'the merchant can still stop it')
  deps.pass(3_601)
  assert.equal((await w.show(token)).state, 'sending')
  const [due] = await engine.due(deps.pool, 'eth', 10)
  const items = [{ owner: 'refund' as const, merchant_id: merchant.id, id: due!.id, amount: due!.amount }]
  const inside = <T>(work: (uow: Parameters<typeof engine.sent>[0]) => Promise<T>) =>
    tx(deps.pool, (_, uow) => work(uow))
  await inside(uow => engine.sent(uow, items, ref))
  await inside(uow => engine.inBlock(uow, items, { txid: receipt.txid, block: { number: 7, hash: '0x1' } }))
  assert.equal((await w.show(token)).state, 'confirming')
  await inside(uow => engine.final(uow, items, receipt))
  assert.deepEqual([(await w.show(token)).state, await w.state()], ['paid', 'refunded'])
  await assertBooksAgree(w.owner)
})

test('a link is claimed once: twice, in two tabs at once, and by somebody faster', async t => {
  const w = await linkWorld(t)
  const token = w.tokenOf(await w.make())
  const other = '0x00000000000000000000000000000000000000cc'
  const tabs = await Promise.allSettled([
    ...Array.from({ length: 4 }, () => w.claim(token)),
    ...Array.from({ length: 2 }, () => w.claim(token, { address: other })),
  ])
  assert.ok(tabs.some(each => each.status === 'fulfilled'))
  const [refund, ...more] = await w.refunds()
  assert.deepEqual(more, [])
  const same = { assetId: 'eth:USDT', address: refund.to_address, token, receives: '1', from }
  await claimRefund(w.deps, same)
  const elsewhere = refund.to_address === outside ? other : outside
  await assert.rejects(claimRefund(w.deps, { ...same, address: elsewhere }), { reason: 'claim_ended' })
  assert.equal((await w.refunds()).length, 1)
  assert.equal((await w.balances())[1], refund.total)
  await assertBooksAgree(w.owner)
})

test('the second of two same claims at once finds the first one’s', async t => {
  const w = await linkWorld(t)
  const token = w.tokenOf(await w.make())
  const holder = await w.owner.connect()
  try {
    await holder.query('begin')
    await holder.query('select from merchants for update')
    const both = [1, 2].map(() => w.claim(token))
    await untilBlocked(w.owner, both.length)
    await holder.query('commit')
    await Promise.all(both)
  } finally {
    holder.release(true)
  }
  assert.equal((await w.refunds()).length, 1)
  await assertBooksAgree(w.owner)
})

test('a policy that pays known addresses lets a link be made, and its claim pay only those', async t => {
  const w = await linkWorld(t)
  const { deps, merchant, owner } = w
  await owner.query(
    `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, 'x', $2, 0, 0)`,
    [merchant.id, JSON.stringify([{ kind: 'destination', cool_down: 0 }])],
  )
  const cost = async () => {
    const payment = (await readMerchantPayment(deps.pool, merchant.id, w.trade_no))!
    const owned = (await merchantById(deps.pool, merchant.id))!
    const quote = await quoteRefund(deps, payment)
    const request = { kind: 'all', basis: 'token', gasPayer: 'payer' } as const
    return checkRefund(deps, deps.pool, { merchant: owned, payment, request, to: null, quote, personId: owned.id })
  }
  assert.equal((await cost()).refusal, null, 'nobody has named an address yet')
  const token = w.tokenOf(await w.make())
  await assert.rejects(w.claim(token), { reason: 'claim_unavailable' })
  await w.claim(token, { address: (await cost()).senders[0]! })
})

test('a payer takes the refund on another network, whose token has other decimals', async t => {
  const w = await linkWorld(t)
  const { deps, merchant } = w
  const { quote: priceOf } = deps.prices
  deps.prices = { ...deps.prices, quote: symbol => priceOf(symbol === 'BNB' ? toPriceSymbol('ETH') : symbol) }
  const token = w.tokenOf(await w.make())
  await assert.rejects(w.claim(token, { assetId: 'bsc:USDT' }), { reason: 'claim_unavailable' }, 'no balance there')
  await w.grant(200n * 10n ** 18n, 'bsc:USDT')
  const quote = await quoteRefundClaim(deps, { ...asset, assetId: 'bsc:USDT', token, from, language })
  await w.claim(token, { assetId: 'bsc:USDT', receives: quote.receives })
  const [refund] = await w.refunds()
  assert.deepEqual([refund.chain_id, refund.amount, refund.counted], ['bsc', String(10n ** 20n), '100000000'])
  await assertBooksAgree(w.owner)
  await cancelRefund(deps, { merchantId: merchant.id, id: refund.id, from })
  assert.deepEqual(
    [await w.counted(), await w.state(), await w.balances('bsc:USDT')],
    [0n, 'paid', [String(200n * 10n ** 18n), '0']],
  )
  await assertBooksAgree(w.owner)
})

test('cancelled before or after the claim, or expired, it gives the payment back', async t => {
  const w = await linkWorld(t)
  const { deps, merchant } = w
  const first = await w.make()
  const cancel = (id: string, merchantId = merchant.id) => cancelUnclaimedRefundLink(deps, { merchantId, id, from })
  await assert.rejects(cancel(first, (await testMerchant(deps)).id), { reason: 'withdrawal_not_exist' })
  const ends = await tx(deps.pool, async c => {
    await lockMerchantPayment(c, merchant.id, w.trade_no)
    const both = [cancel(first), cancel(first)]
    await untilBlocked(w.owner, 2)
    return (await lockRefundLink(c, merchant.id, first)) && both
  })
  await Promise.all(ends!)
  const [count] = await rowsOf(
    w.owner,
    'select sum(deadlocks) from pg_stat_database where datname = current_database()',
  )
  assert.equal(Number(count.sum), 0, 'locked in the order of a claim')
  assert.deepEqual([await w.state(), await w.counted()], ['paid', 0n])
  assert.equal((await w.show(w.tokenOf(first))).state, 'canceled')
  await assert.rejects(w.claim(w.tokenOf(first)), { reason: 'claim_ended' })

  const second = await w.make()
  await w.claim(w.tokenOf(second))
  await assert.rejects(cancel(second), { reason: 'withdrawal_cannot_change' })
  const [refund] = await w.refunds()
  await cancelRefund(deps, { merchantId: merchant.id, id: refund.id, from })
  assert.deepEqual([await w.state(), await w.counted(), (await w.balances())[1]], ['paid', 0n, '0'])
  assert.equal((await w.show(w.tokenOf(second))).state, 'canceled')

  const third = await w.make()
  deps.pass(30 * 86_400)
  assert.equal((await w.show(w.tokenOf(third))).state, 'expired')
  await assert.rejects(w.claim(w.tokenOf(third)), { reason: 'claim_ended' })
  const listener = await w.owner.connect()
  const hints: unknown[] = []
  listener.on('notification', ({ payload }) => hints.push(payload))
  await listener.query('listen coffer')
  await Promise.all([expireRefundLinks(deps), expireRefundLinks(deps)])
    .then(() => until('open pages read their notifications', () => hints.join().includes('"notification"')))
    .finally(() => listener.release(true))
  assert.deepEqual([await w.state(), await w.counted()], ['paid', 0n])
  const reported = await rowsOf(w.owner, "select 1 from notifications where message = 'refund_link_expired'")
  assert.equal(reported.length, 1)
  await w.make()
  await assertBooksAgree(w.owner)
})

test('a payer does not learn of an address of the merchant’s that theirs resembles', async t => {
  const w = await linkWorld(t)
  const token = w.tokenOf(await w.make())
  const similar = `${outside.slice(0, 10)}77${outside.slice(12)}`
  await w.owner.query(
    `insert into address_book (merchant_id, id, chain_id, address, label, created_at, updated_at) values ($1, 'x', 'eth', $2, 'x', 0, 0)`,
    [w.merchant.id, similar],
  )
  await w.claim(token)
  assert.equal((await w.refunds()).length, 1)
})

test('refuses wrong secrets, addresses, networks and amounts; a merchant who cannot pay is notified once', async t => {
  const w = await linkWorld(t)
  const { deps, owner, merchant } = w
  const token = w.tokenOf(await w.make())
  const refused = async (reason: string, more: Partial<Parameters<typeof claimRefund>[1]>) => {
    await assert.rejects(claimRefund(deps, { ...asset, token, receives: '1', from, ...more }), { reason })
    assert.deepEqual(await w.refunds(), [])
  }
  await refused('link_not_valid', { token: 'x'.repeat(22) })
  await refused('bad_address', { address: '0x12' })
  const own = await w.pay()
  await refused('address_not_allowed', { address: own.address })
  const toPayer = { en: 'The refund cannot be sent to this address', 'zh-CN': '退款无法转出至该地址' }
  const away = { ...asset, token, receives: '1', from, address: own.address }
  await assert.rejects(claimRefund(deps, away), {
    text: toPayer,
    detail: { en: 'it belongs to this platform', 'zh-CN': '该地址属于本平台' },
  })
  await refused('currency_not_exist', { assetId: 'eth:ETH' })
  await refused('claim_changed', { receives: '100' })
  const [before] = await w.balances()
  await w.withdraw('900')
  await w.withdraw(String((BigInt((await w.balances())[0]) - 50_000_000n) / 1_000_000n))
  assert.ok(BigInt(before) > 100_000_000n)
  for (let i = 0; i < 2; i++) await refused('claim_unavailable', {})
  const { refused: why } = await quoteRefundClaim(deps, { ...asset, token, from, language })
  assert.match(why, /cannot pay this refund at the moment/)
  const reported = await rowsOf(owner, "select params from notifications where message = 'refund_short'")
  assert.deepEqual(
    reported.map(each => each.params.reason),
    ['insufficient_balance'],
  )
  await w.grant(200_000_000n)
  await owner.query('update merchants set frozen = true where id = $1', [merchant.id])
  await refused('claim_unavailable', {})
  await owner.query('update merchants set frozen = false where id = $1', [merchant.id])
  await w.claim(token)
  await assertBooksAgree(owner)
})

test('killed at any statement, a claim was made whole or not at all', async t => {
  const w = await linkWorld(t)
  const token = w.tokenOf(await w.make())
  for (const pattern of [/into refunds/, /update refund_links/, /ledger_post/, /^commit/i]) {
    const broken = { ...w.deps, pool: breakOnce(w.deps.pool, pattern) }
    await assert.rejects(claimRefund(broken, { ...asset, token, receives: '1', from }), /killed here/)
    assert.deepEqual([await w.refunds(), (await w.show(token)).state, (await w.balances())[1]], [[], 'open', '0'])
  }
  await w.claim(token)
  await assertBooksAgree(w.owner)
})

test('a payment in doubt leaves that status by a mark or a refund, once the operator has decided', async t => {
  const w = await linkWorld(t)
  const { deps, owner, merchant, trade_no } = w
  const doubt = (doubted: boolean) =>
    owner.query('update deposits set doubted = $1 where trade_no = $2', [doubted, trade_no])
  const mark = async () => {
    const proof = await w.proof(merchant.id, 'mark-payment')
    await markPayment(deps, { merchantId: merchant.id, tradeNo: trade_no, as: 'paid', reason: 'settled', proof, from })
  }
  await owner.query('update payments set status = 7 where trade_no = $1', [trade_no])
  await doubt(true)
  await assert.rejects(w.make(), { reason: 'payment_in_doubt' })
  await assert.rejects(mark(), { reason: 'payment_in_doubt' })
  await doubt(false)
  const id = await w.make()
  assert.equal(await w.state(), 'refunding')
  await doubt(true)
  await assert.rejects(w.claim(w.tokenOf(id)), { reason: 'claim_unavailable' })
  await doubt(false)
  await cancelUnclaimedRefundLink(deps, { merchantId: merchant.id, id, from })
  await owner.query('update payments set status = 7 where trade_no = $1', [trade_no])
  await mark()
  assert.equal(await w.state(), 'paid')
  assert.equal((await firstRow(owner, 'select count(*)::int as n from refunds')).n, 0)
})

test('a link for a part leaves the payment as it is until the claim, beside other refunds', async t => {
  const w = await linkWorld(t)
  const { deps, merchant } = w
  const part = { kind: 'part', amount: '10' } as const
  const id = await w.make(part)
  assert.deepEqual([await w.state(), await w.counted()], ['paid', 10_000_000n])
  await assert.rejects(w.make(part), it => /"cannot_refund".+a refund link is still open/.test(JSON.stringify(it)))
  const refund = async (amount: string) =>
    requestRefund(deps, {
      merchantId: merchant.id,
      tradeNo: w.trade_no,
      kind: 'part',
      basis: 'token',
      gasPayer: 'payer',
      amount,
      address: outside,
      reason: '',
      proof: await w.proof(),
      from,
    })
  await assert.rejects(refund('90.000001'), { reason: 'amount_too_large' })
  const direct = await refund('90')
  await assert.rejects(w.claim(w.tokenOf(id)), { reason: 'claim_unavailable' }, 'one refund at a time')
  const pay = (refundId: string) =>
    tx(deps.pool, async (c, uow) => {
      const row = (await lockRefund(c, merchant.id, refundId))!
      await applyRefundSteps(deps, uow, [{ row, event: 'final', to: 'accomplished' }], deps.clock())
    })
  await pay(direct)
  assert.equal(await w.state(), 'paid', 'the link has not been claimed')
  await w.claim(w.tokenOf(id))
  assert.equal(await w.state(), 'refunding')
  await pay((await w.refunds())[1].id)
  assert.deepEqual([await w.state(), await w.counted()], ['refunded', 100_000_000n])
  await assertBooksAgree(w.owner)
})

test('a link for a part that ends during another refund leaves that refund alone', async t => {
  const w = await linkWorld(t)
  const { deps, merchant } = w
  const id = await w.make({ kind: 'part', amount: '10' })
  const direct = await requestRefund(deps, {
    merchantId: merchant.id,
    tradeNo: w.trade_no,
    kind: 'part',
    basis: 'token',
    gasPayer: 'payer',
    amount: '50',
    address: outside,
    reason: '',
    proof: await w.proof(),
    from,
  })
  await cancelUnclaimedRefundLink(deps, { merchantId: merchant.id, id, from })
  assert.deepEqual([await w.state(), await w.counted()], ['refunding', 50_000_000n])
  await cancelRefund(deps, { merchantId: merchant.id, id: direct, from })
  assert.deepEqual([await w.state(), await w.counted()], ['paid', 0n])
  await assertBooksAgree(w.owner)
})

test('a link needs no balance now, and a limit of the price allows to give back all of it', async t => {
  const w = await linkWorld(t)
  const { deps, merchant, owner } = w
  const quote = (query: object) =>
    call(refundHandlers, 'GET /api/v1/transactions/refund/cost', deps, merchant.id, {
      query: { trade_no: w.trade_no, kind: 'all', gas_payer: 'merchant', ...query },
    })
  const policy = (limit: string) =>
    owner.query(
      `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, $2, $3, 0, 0)`,
      [merchant.id, limit, JSON.stringify([{ kind: 'single', limit }])],
    )
  const { rate } = await quoteRefund(deps, (await readMerchantPayment(deps.pool, merchant.id, w.trade_no))!)
  await policy(formatDecimal(computeValueInUsdt(100_000_000n, 6, rate.price), 18))
  assert.ok(Number((await quote({})).gas) > 0)
  assert.equal((await quote({})).refused, '', 'gas is not given back')
  await owner.query('delete from withdrawal_policies')
  await policy('50')
  assert.match((await quote({})).refused, /per-withdrawal limit: 50 USDT/)
  await owner.query('delete from withdrawal_policies')
  await w.withdraw('900')
  await w.withdraw(String((BigInt((await w.balances())[0]) - 50_000_000n) / 1_000_000n))
  assert.match((await quote({ way: 'address' })).refused, /balance \(50.6 USDT available\)/)
  assert.equal((await quote({ way: 'link' })).refused, '')
  await w.make({ gasPayer: 'merchant' })
})

test('a claim is held to what it was shown, also where its network has too few digits for that', async t => {
  const w = await linkWorld(t)
  const token = w.tokenOf(await w.make())
  for (const receives of ['100.0000001', '0.0000001'])
    await assert.rejects(w.claim(token, { receives }), { reason: 'claim_changed' }, receives)
  assert.deepEqual(await w.refunds(), [])
})
