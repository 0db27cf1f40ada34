import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { until } from '@coffer/local/testing/until.ts'
import type { Session } from '../../http/context.ts'
import { Refusal } from '../../kit/refusal.ts'
import { call } from '../../testing/call.ts'
import { setTestRole, testMember } from '../../testing/members.ts'
import { visitor } from '../../testing/merchants.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { outside, withdrawalWorld } from '../../testing/withdrawals.ts'
import { cancelRefund } from './cancel-refund.ts'
import { claimRefund, quoteRefundClaim } from './claim-refund.ts'
import { cancelUnclaimedRefundLink, expireRefundLinks } from './end-link.ts'
import { deriveRefundLinkTokens } from './link-store.ts'
import { makeRefundLink } from './make-link.ts'
import { requestRefund } from './request-refund.ts'
import { refundHandlers } from './routes.ts'

const usdt = 1_000_000n
const day = 86_400

/** A shop with paid payments of 100 USDT, and persons who refund them. */
async function shopWithSupport(scope: Parameters<typeof withdrawalWorld>[0], { payments = 3, limit = 100n } = {}) {
  const world = await withdrawalWorld(scope)
  const { deps, merchant, owner } = world
  const paid: string[] = []
  for (let n = 0; n < payments; n++) {
    const { trade_no, address } = await world.pay({ amount: '100' })
    await world.eth.add([{ to: address, amount: 100n * usdt }])
    paid.push(trade_no)
  }
  await world.eth.confirm()
  deps.pass(1_800)

  /** Adds a person; `limit` is in USDT, null for none. */
  async function hire(role: MerchantRole, limit: bigint | null) {
    const { personId, signIn } = await testMember(deps, owner, { merchantId: merchant.id, role })
    await setLimit(personId, limit)
    const { session } = await signIn()
    return session
  }
  const setLimit = (personId: string, limit: bigint | null) =>
    owner.query('update members set refund_limit = $2 where person_id = $1 and merchant_id = $3', [
      personId,
      limit === null ? null : String(limit * usdt),
      merchant.id,
    ])
  const common = async (by: Session, tradeNo: string, amount: string) => ({
    merchantId: merchant.id,
    tradeNo,
    kind: 'part' as const,
    amount,
    basis: 'token' as const,
    gasPayer: 'payer' as const,
    reason: '',
    proof: await world.proof(by.personId),
    from: { ...visitor, session: by },
  })
  const support = await hire('support', limit)
  const refund = async (by: Session, tradeNo: string, amount: string) =>
    requestRefund(deps, { ...(await common(by, tradeNo, amount)), address: outside })
  const link = async (by: Session, tradeNo: string, amount: string) =>
    makeRefundLink(deps, await common(by, tradeNo, amount))
  const cancel = (id: string) => cancelRefund(deps, { merchantId: merchant.id, id, from: visitor })
  const cancelLink = (id: string) => cancelUnclaimedRefundLink(deps, { merchantId: merchant.id, id, from: visitor })
  const claim = async (id: string) => {
    const token = deriveRefundLinkTokens(deps, id)[0]!
    const claimed = { token, assetId: 'eth:USDT', address: outside, from: visitor }
    const { receives } = await quoteRefundClaim(deps, { ...claimed, language: 'en' })
    await claimRefund(deps, { ...claimed, receives })
  }
  const cost = (by: Session, tradeNo: string, amount: string) =>
    call(
      {
        ...refundHandlers,
        'GET /api/v1/transactions/refund/cost': (context: never) =>
          refundHandlers['GET /api/v1/transactions/refund/cost']({ ...(context as object), session: by } as never),
      },
      'GET /api/v1/transactions/refund/cost',
      deps,
      merchant.id,
      { query: { trade_no: tradeNo, kind: 'part', amount, gas_payer: 'payer', way: 'link' } },
    )
  return { ...world, paid, support, hire, setLimit, refund, link, cancel, cancelLink, claim, cost }
}

const above =
  (left: string, limit = '100') =>
  (error: unknown) => {
    assert.ok(error instanceof Refusal)
    assert.equal(error.reason, 'refund_limit_reached')
    assert.equal(error.detail?.en, `${left} of ${limit} USDT left`)
    return true
  }

test('support refunds within its limit for a day, by refunds and links together', async t => {
  const { deps, paid, support, refund, link, cost } = await shopWithSupport(t)
  const [a = '', b = '', c = ''] = paid
  await refund(support, a, '60')
  await assert.rejects(refund(support, b, '40.000001'), above('40'))
  await assert.rejects(link(support, b, '40.000001'), above('40'))
  await link(support, b, '30')
  await assert.rejects(refund(support, c, '10.1'), above('10'))
  const quote = await cost(support, c, '10.1')
  assert.deepEqual([quote.limit, quote.left], ['100', '10'])
  assert.match(quote.refused, /above your limit for 24 hours \(10 of 100 USDT left\)/)
  assert.equal((await cost(support, c, '10')).refused, '')
  await refund(support, c, '10')
  deps.pass(day - 1)
  assert.equal((await cost(support, c, '1')).left, '0')
  deps.pass(1)
  assert.equal((await cost(support, c, '1')).left, '100')
})

test('the limit counts the gas that the shop pays, so that many small refunds do not burn it', async t => {
  const { deps, paid, support, owner, merchant, proof } = await shopWithSupport(t)
  const request = { merchantId: merchant.id, tradeNo: paid[0]!, kind: 'all' as const, basis: 'token' as const }
  const how = { gasPayer: 'merchant' as const, address: outside, reason: '', from: { ...visitor, session: support } }
  await assert.rejects(requestRefund(deps, { ...request, ...how, proof: await proof(support.personId) }), above('100'))
  await requestRefund(deps, { ...request, ...how, kind: 'part', amount: '1', proof: await proof(support.personId) })
  const row = await firstRow(owner, 'select usdt_value, requested_by from refunds')
  assert.ok(BigInt(row.usdt_value) > 10n ** 18n)
  assert.equal(row.requested_by, support.personId)
})

test('without a limit support refunds nothing; owners and finance have none', async t => {
  const { merchant, paid, support, refund, link, setLimit, hire, cost } = await shopWithSupport(t)
  await setLimit(support.personId, null)
  await assert.rejects(refund(support, paid[0]!, '0.01'), above('0', '0'))
  await assert.rejects(link(support, paid[0]!, '0.01'), above('0', '0'))
  const finance = await hire('finance', null)
  assert.ok(!('left' in (await cost(finance, paid[0]!, '1'))))
  assert.ok(!('limit' in (await cost(merchant.session, paid[0]!, '1'))))
  await refund(finance, paid[0]!, '100')
  await refund(merchant.session, paid[1]!, '100')
  await link(finance, paid[2]!, '100')
})

test('each person has a limit of its own', async t => {
  const { paid, support, refund, hire, cost } = await shopWithSupport(t)
  const other = await hire('support', 50n)
  await refund(support, paid[0]!, '100')
  await assert.rejects(refund(other, paid[1]!, '51'), above('50', '50'))
  await refund(other, paid[1]!, '50')
  assert.equal((await cost(other, paid[2]!, '1')).left, '0')
})

test('what was canceled or expired returns; what was claimed counts once, until its refund is canceled', async t => {
  const { deps, owner, paid, support, refund, link, cancel, cancelLink, claim, cost } = await shopWithSupport(t)
  const left = async () => (await cost(support, paid[2]!, '1')).left
  const first = await refund(support, paid[0]!, '70')
  assert.equal(await left(), '30')
  await cancel(first)
  assert.equal(await left(), '100')
  const made = await link(support, paid[0]!, '80')
  assert.equal(await left(), '20')
  await cancelLink(made)
  assert.equal(await left(), '100')
  const claimed = await link(support, paid[1]!, '80')
  await claim(claimed)
  assert.equal(await left(), '20')
  const { refund_id } = await firstRow(owner, 'select refund_id from refund_links where id = $1', [claimed])
  // As if the payer had chosen a network with dearer gas, which the shop pays.
  await owner.query('update refunds set usdt_value = usdt_value + 15 * 1e18 where id = $1', [refund_id])
  assert.equal(await left(), '5')
  assert.equal((await firstRow(owner, 'select requested_by from refunds where id = $1', [refund_id])).requested_by, '')
  await cancel(refund_id)
  assert.equal(await left(), '100')
  await link(support, paid[0]!, '100')
  assert.equal(await left(), '0')
  await owner.query('update refund_links set expires_at = $1', [deps.clock()])
  await expireRefundLinks(deps)
  assert.equal(await left(), '100')
})

test('of many at once as many pass as the limit allows', async t => {
  const { paid, support, refund, link, owner } = await shopWithSupport(t, { payments: 8 })
  const results = await Promise.allSettled(
    paid.map((tradeNo, n) => (n % 2 === 0 ? refund : link)(support, tradeNo, '30')),
  )
  for (const each of results) if (each.status === 'rejected') assert.equal(each.reason.reason, 'refund_limit_reached')
  assert.equal(results.filter(each => each.status === 'fulfilled').length, 3)
  const rows = await rowsOf(owner, 'select usdt_value from refunds union all select usdt_value from refund_links')
  assert.equal(rows.length, 3)
})

test('a role that is taken away while a refund runs refuses it, and one that is lowered limits it', async t => {
  const { deps, owner, merchant, paid, support, refund, hire, setLimit } = await shopWithSupport(t)
  const setRole = (personId: string, role: MerchantRole) =>
    setTestRole(owner, { personId, merchantId: merchant.id, role, now: deps.clock() })
  await setRole(support.personId, 'viewer')
  await assert.rejects(refund(support, paid[0]!, '1'), { reason: 'forbidden' })
  // An owner's request that began before: the session says owner, the row does not any more.
  const second = await hire('owner', null)
  await setRole(second.personId, 'support')
  await assert.rejects(refund(second, paid[0]!, '1'), above('0', '0'))
  await setLimit(second.personId, 5n)
  await assert.rejects(refund(second, paid[0]!, '6'), above('5', '5'))
  await setRole(second.personId, 'owner')
  await owner.query('update members set removed_at = 1 where person_id = $1 and merchant_id = $2', [
    second.personId,
    merchant.id,
  ])
  await assert.rejects(refund(second, paid[0]!, '1'), { reason: 'login_expired' })
  assert.equal((await rowsOf(owner, 'select from refunds')).length, 0)
})

test('a refund waits for a change of the role that has begun', async t => {
  const { owner, merchant, paid, support, refund } = await shopWithSupport(t)
  const c = await owner.connect()
  try {
    await c.query('begin')
    await c.query(`update members set role = 'viewer' where person_id = $1 and merchant_id = $2`, [
      support.personId,
      merchant.id,
    ])
    const refunding = refund(support, paid[0]!, '1').catch((error: Refusal) => error.reason)
    const waiting = () =>
      rowsOf(owner, `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    await until('it waits for the member', waiting, rows => rows.length > 0)
    await c.query('commit')
    assert.equal(await refunding, 'forbidden')
  } finally {
    c.release(true)
  }
})

test('whatever a person does, no day has more than the limit', async t => {
  const world = await shopWithSupport(t, { payments: 6 })
  const { deps, owner, paid, support } = world
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const open = { refunds: [] as string[], links: [] as string[] }
  const take = (from: string[]) => from.splice(random(from.length), 1)[0]
  const quietly = (work: Promise<unknown>) => work.catch(error => assert.ok(error instanceof Refusal, error))
  for (let step = 0; step < 120; step++) {
    const payment = paid[random(paid.length)]!
    const amount = String(1 + random(60))
    const kind = random(7)
    if (kind <= 1) await quietly(world.refund(support, payment, amount).then(id => void open.refunds.push(id)))
    else if (kind === 2) await quietly(world.link(support, payment, amount).then(id => void open.links.push(id)))
    else if (kind === 3 && open.refunds.length > 0) await quietly(world.cancel(take(open.refunds)!))
    else if (kind === 4 && open.links.length > 0) await quietly(world.cancelLink(take(open.links)!))
    else if (kind === 5 && open.links.length > 0) await quietly(world.claim(take(open.links)!))
    else deps.pass(random(20_000))
    const [worst] = await rowsOf(
      owner,
      `with made as (
         select created_at, usdt_value from refunds where requested_by = $1 and status <> 6
         union all
         select l.created_at, l.usdt_value from refund_links l left join refunds r on r.id = l.refund_id
         where l.made_by = $1 and l.state in ('open', 'claimed') and r.status is distinct from 6
       )
       select coalesce(max(n), 0) as n from (
         select sum(usdt_value) over (order by created_at range between ${day - 1} preceding and current row) as n from made
       ) sums`,
      [support.personId],
    )
    assert.ok(BigInt(worst.n) <= 100n * 10n ** 18n, `step ${step}: ${worst.n}`)
  }
  const [{ n }] = await rowsOf(
    owner,
    'select (select count(*) from refunds) + (select count(*) from refund_links) as n',
  )
  assert.ok(Number(n) > 10, `${n} were made`)
})
