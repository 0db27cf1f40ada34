import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type PaymentState, paymentStatus } from '@coffer/contract'
import fc from 'fast-check'
import { wholeShop } from '../../../kit/visible-to.ts'
import { testStart, withDeps } from '../../../testing/deps.ts'
import { testApplication, testMerchant } from '../../../testing/merchants.ts'
import { addRecords, moveRecord, type TestPayment } from '../../../testing/records.ts'
import { foldStatistics } from '../../statistics/fold-statistics.ts'
import { type PaymentFilter, pagePayments } from './payment-list.ts'

const deps = await withDeps({ after })
const states = Object.keys(paymentStatus) as PaymentState[]

async function merchantWithApps() {
  const { id } = await testMerchant(deps)
  const apps = [await testApplication(deps, id), await testApplication(deps, id)]
  return { id, apps: apps.map(app => app.appid) }
}

const newestFirst = (a: TestPayment, b: TestPayment) =>
  b.created_at - a.created_at || (a.trade_no < b.trade_no ? 1 : -1)

const plain = (payments: TestPayment[], filter: PaymentFilter) =>
  payments
    .filter(each => filter.appid === undefined || each.appid === filter.appid)
    .filter(each => filter.status === undefined || paymentStatus[each.state] === filter.status)
    .filter(each => each.created_at >= (filter.start_time ?? 0) && each.created_at <= (filter.end_time ?? Infinity))
    .sort(newestFirst)
    .map(each => each.trade_no)

async function everyPage(merchantId: string, filter: PaymentFilter, limit: number) {
  const found: string[] = []
  const totals = new Set<number>()
  for (let offset = 0; ; offset += limit) {
    const { rows, total } = await pagePayments(deps.pool, wholeShop(merchantId), filter, { offset, limit })
    totals.add(total)
    found.push(...rows.map(row => row.trade_no))
    if (rows.length < limit) return { found, totals: [...totals] }
  }
}

/** Times within two minutes, two hours, two days or three months, so that slots of every size have neighbours. */
const moment = fc
  .tuple(fc.constantFrom(120, 7_200, 172_800, 7_776_000), fc.nat(1_000_000))
  .map(([span, part]) => testStart - Math.floor((span * part) / 1_000_000))
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('add' as const),
      at: moment,
      app: fc.nat(1),
      state: fc.constantFrom(...states.slice(0, 3)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('move' as const), which: fc.nat(), to: fc.constantFrom(...states) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('fold' as const) }) },
)
const filters = fc.record({
  app: fc.option(fc.nat(1), { nil: undefined }),
  status: fc.option(fc.constantFrom(...Object.values(paymentStatus)), { nil: undefined }),
  start_time: fc.option(moment, { nil: undefined }),
  end_time: fc.option(moment, { nil: undefined }),
  limit: fc.constantFrom(1, 3, 10, 100),
})

test('concatenated pages equal the full list and the total equals its length after any sequence of changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.array(filters, { minLength: 3, maxLength: 6 }),
      async (steps, requested) => {
        const { id, apps } = await merchantWithApps()
        const payments: TestPayment[] = []
        for (const each of steps) {
          if (each.type === 'add')
            payments.push(
              ...(await addRecords(deps, id, [{ appid: apps[each.app]!, created_at: each.at, state: each.state }])),
            )
          else if (each.type === 'fold') while (await foldStatistics(deps));
          else if (payments.length > 0) await moveRecord(deps, id, payments[each.which % payments.length]!, each.to)
        }
        for (const { app, limit, ...range } of requested) {
          const filter = { ...range, appid: app === undefined ? undefined : apps[app]! }
          const expected = plain(payments, filter)
          const { found, totals } = await everyPage(id, filter, limit)
          assert.deepEqual(found, expected)
          assert.deepEqual(totals, [expected.length])
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('paging works within an hour that holds many payments', async () => {
  const { id, apps } = await merchantWithApps()
  const payments = await addRecords(
    deps,
    id,
    Array.from({ length: 500 }, (_, i) => ({
      appid: apps[i % 2]!,
      created_at: testStart - (i % 60),
      state: states[i % 3]!,
    })),
  )
  await foldStatistics(deps)
  for (const filter of [
    {},
    { status: paymentStatus.paid },
    { appid: apps[0]! },
    { appid: apps[1]!, status: paymentStatus.timed_out },
  ]) {
    const { found, totals } = await everyPage(id, filter, 20)
    assert.deepEqual(found, plain(payments, filter))
    assert.deepEqual(totals, [found.length])
  }
})

test('a page past the end is empty and returns the total', async () => {
  const { id, apps } = await merchantWithApps()
  await addRecords(deps, id, [{ appid: apps[0]!, created_at: testStart }])
  assert.deepEqual(await pagePayments(deps.pool, wholeShop(id), {}, { offset: 1_000_000, limit: 10 }), {
    rows: [],
    total: 1,
  })
})

test('lookup by order number also applies the other filters', async () => {
  const { id, apps } = await merchantWithApps()
  const [mine] = await addRecords(deps, id, [{ appid: apps[0]!, created_at: testStart }])
  const page = { offset: 0, limit: 10 }
  const { trade_no } = mine!
  const { rows } = await pagePayments(deps.pool, wholeShop(id), { trade_no }, page)
  assert.deepEqual(
    rows.map(row => row.trade_no),
    [trade_no],
  )
  const out_trade_no = rows[0]!.out_trade_no
  assert.equal((await pagePayments(deps.pool, wholeShop(id), { out_trade_no }, page)).total, 1)
  assert.equal((await pagePayments(deps.pool, wholeShop(id), { out_trade_no, trade_no }, page)).total, 1)
  assert.equal((await pagePayments(deps.pool, wholeShop(id), { out_trade_no: 'other', trade_no }, page)).total, 0)
  assert.equal((await pagePayments(deps.pool, wholeShop(id), { trade_no, status: paymentStatus.paid }, page)).total, 0)
  assert.equal((await pagePayments(deps.pool, wholeShop(id), { trade_no, appid: apps[1]! }, page)).total, 0)
  assert.equal((await pagePayments(deps.pool, wholeShop(id), { trade_no, end_time: testStart - 1 }, page)).total, 0)
  const stranger = await merchantWithApps()
  assert.equal((await pagePayments(deps.pool, wholeShop(stranger.id), { trade_no }, page)).total, 0)
})
