import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import fc from 'fast-check'
import { dayStart, findDayInZone } from '../../kit/days.ts'
import { Refusal } from '../../kit/refusal.ts'
import { call } from '../../testing/call.ts'
import { testStart } from '../../testing/deps.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { eth, moneyWorld } from '../../testing/money.ts'
import { changeMerchant } from '../merchants/store.ts'
import { foldStatistics } from './fold-statistics.ts'
import { statisticsHandlers } from './routes.ts'
import { addStatistics } from './statistics-write.ts'

const world = await moneyWorld({ after })
const { deps } = world
const usdtOnEth = `${eth.id}:USDT`

const daily = (
  merchantId: string,
  query: { start_time?: number; end_time?: number; days?: number; appid?: string } = {},
) => call(statisticsHandlers, 'GET /api/v1/statistics/daily-collection', deps, merchantId, { query })
const zeros = { income: '0', refund: '0', create_num: 0, pay_num: 0 }

test('a merchant without payments has thirty empty days and empty totals', async () => {
  const { id } = await testMerchant(deps)
  const { list } = await daily(id)
  assert.equal(list.length, 30)
  assert.deepEqual(list.at(-1), { date: '2025-06-02', ...zeros })
  assert.deepEqual(list[0], { date: '2025-05-04', ...zeros })
  const overview = await call(statisticsHandlers, 'GET /api/v1/statistics/overview', deps, id)
  assert.ok(Object.values(overview).every(value => value === '0'))
  const assets = await call(statisticsHandlers, 'GET /api/v1/statistics/assets', deps, id)
  assert.deepEqual(assets, { list: [], total_value: '0' })
  const all = await call(statisticsHandlers, 'GET /api/v1/statistics/assets', deps, id, { query: { all: '1' } })
  assert.ok(all.list.some(row => row.token === 'USDT' && row.chain === eth.name))
})

test('a credited payment counts in the balance, overview, day, application and asset', async () => {
  const { id } = await testMerchant(deps)
  const { appid } = await testApplication(deps, id)
  const order = await world.pay({}, { merchantId: id, appid })
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  await world.eth.confirm()
  for (const folded of [false, true]) {
    if (folded) await foldStatistics(deps)
    const overview = await call(statisticsHandlers, 'GET /api/v1/statistics/overview', deps, id)
    assert.deepEqual(overview, {
      income: '9.96',
      sure_withdrawal: '0',
      transaction_volume: '10',
      cumulative_withdrawal: '0',
      frozen_amount: '9.96',
      operable_balance: '9.96',
      total_assets: '9.96',
      today_amount: '9.96',
    })
    const summary = await call(statisticsHandlers, 'GET /api/v1/statistics/summary', deps, id, { query: {} })
    const figures = { income: '9.96', refund: '0', create_num: 1, pay_num: 1 }
    assert.deepEqual(summary.total, figures)
    assert.deepEqual(summary.days.at(-1), { date: '2025-06-02', ...figures })
    assert.deepEqual(summary.applications, [{ appid, name: appid, ...figures }])
    assert.deepEqual(
      summary.assets.map(({ token, chain, income, amount, pay_num }) => [token, chain, income, amount, pay_num]),
      [['USDT', eth.name, '9.96', '10', 1]],
    )
  }
  const { list, total_value } = await call(statisticsHandlers, 'GET /api/v1/statistics/assets', deps, id)
  assert.deepEqual(
    list.map(row => [row.token, row.balance, row.held, row.usdt_balance, row.currency_id]),
    [['USDT', '9.96', '0', '9.96', eth.id]],
  )
  assert.equal(total_value, '9.96')
  const stranger = await testMerchant(deps)
  assert.equal((await call(statisticsHandlers, 'GET /api/v1/statistics/overview', deps, stranger.id)).total_assets, '0')
})

const arrival = fc.record({
  chain: fc.constantFrom('eth' as const, 'bsc' as const),
  digits: fc.bigInt({ min: 1n, max: 30n * 10n ** 18n }),
})
const sum = (values: string[]) =>
  formatDecimal(
    values.reduce((total, value) => total + parseDecimal(value, 18)!, 0n),
    18,
  )

test('figures of the same money agree to the last digit, whatever arrived', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arrival, { minLength: 1, maxLength: 6 }), fc.boolean(), async (arrivals, folded) => {
      const { id: merchantId } = await testMerchant(deps)
      const apps = [await testApplication(deps, merchantId), await testApplication(deps, merchantId)]
      const came: string[] = []
      for (const [index, { chain, digits }] of arrivals.entries()) {
        const order = await world.pay({}, { merchantId, appid: apps[index % 2]!.appid })
        const decimals = chain === 'eth' ? 6 : 18
        const amount = digits / 10n ** BigInt(18 - decimals) + 1n
        await world[chain].add([{ to: order.address, amount }])
        came.push(formatDecimal(amount, decimals))
      }
      await world.eth.confirm()
      await world.bsc.confirm()
      if (folded) await foldStatistics(deps)
      const overview = await call(statisticsHandlers, 'GET /api/v1/statistics/overview', deps, merchantId)
      const assets = await call(statisticsHandlers, 'GET /api/v1/statistics/assets', deps, merchantId)
      const summary = await call(statisticsHandlers, 'GET /api/v1/statistics/summary', deps, merchantId, { query: {} })
      const { list } = await daily(merchantId)
      assert.equal(overview.transaction_volume, sum(came))
      for (const [what, value] of Object.entries({
        balance: overview.total_assets,
        extractable: overview.operable_balance,
        cumulative: overview.frozen_amount,
        today: overview.today_amount,
        assets: assets.total_value,
        assetRows: sum(assets.list.map(row => row.usdt_balance)),
        total: summary.total.income,
        days: sum(summary.days.map(day => day.income)),
        chart: sum(list.map(day => day.income)),
        applications: sum(summary.applications.map(row => row.income)),
        perAsset: sum(summary.assets.map(row => row.income)),
      }))
        assert.equal(value, overview.income, what)
    }),
    { numRuns: 15 },
  )
})

const zone = fc.constantFrom('UTC', 'Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe')
/** Instants in the 300 days before the test's clock, which include both New York daylight saving changes. */
const moment = fc.nat(300 * 86_400).map(seconds => testStart - seconds)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('gain' as const),
      at: moment,
      app: fc.nat(1),
      income: fc.bigInt({ min: -5_000_000n, max: 50_000_000n }),
      paid: fc.nat(2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('fold' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('move' as const), zone }) },
)

test('days follow the merchant’s time zone, whenever changes are folded and the zone changes', async () => {
  const apps = await Promise.all([0, 1].map(() => testApplication(deps, world.merchant.id)))
  await fc.assert(
    fc.asyncProperty(zone, fc.array(step, { maxLength: 30 }), moment, async (first, steps, start) => {
      const { id } = await testMerchant(deps, { time_zone: first })
      let current = first
      const gains: { at: number; app: number; income: bigint; paid: number }[] = []
      for (const each of steps) {
        if (each.type === 'fold') await foldStatistics(deps)
        else if (each.type === 'move') {
          current = each.zone
          await changeMerchant(deps.pool, id, { time_zone: current })
        } else {
          gains.push(each)
          await addStatistics(deps.pool, [
            {
              merchant_id: id,
              appid: apps[each.app]!.appid,
              asset_id: usdtOnEth,
              at: each.at,
              income_usdt: each.income,
              paid_num: BigInt(each.paid),
            },
          ])
        }
      }
      for (const app of [undefined, 0, 1]) {
        const query = { start_time: start, ...(app !== undefined && { appid: apps[app]!.appid }) }
        const { list } = await daily(id, query)
        assert.equal(list[0]!.date, findDayInZone(start, current))
        assert.equal(list.at(-1)!.date, findDayInZone(testStart, current))
        for (const day of list) {
          const of = gains.filter(
            each => (app === undefined || each.app === app) && findDayInZone(each.at, current) === day.date,
          )
          assert.equal(
            parseDecimal(day.income, 18),
            of.reduce((sum, each) => sum + each.income, 0n),
          )
          assert.equal(
            day.pay_num,
            of.reduce((sum, each) => sum + each.paid, 0),
          )
        }
      }
      const overview = await call(statisticsHandlers, 'GET /api/v1/statistics/overview', deps, id)
      const income = gains.reduce((sum, each) => sum + each.income, 0n)
      assert.equal(parseDecimal(overview.income, 18), income)
    }),
    { numRuns: 30 },
  )
})

test('a range ends today at the latest and has at most 366 days', async () => {
  const { id } = await testMerchant(deps, { time_zone: 'Asia/Shanghai' })
  const day = 86_400
  const ahead = await daily(id, { start_time: testStart - day, end_time: testStart + 100 * day })
  assert.deepEqual(
    ahead.list.map(point => point.date),
    ['2025-06-01', '2025-06-02'],
  )
  assert.deepEqual((await daily(id, { start_time: testStart + 5 * day })).list, [])
  assert.deepEqual((await daily(id, { start_time: testStart, end_time: testStart - 9 * day })).list, [])
  const start = dayStart('2024-06-02', 'Asia/Shanghai')
  assert.equal((await daily(id, { start_time: start })).list.length, 366)
  await assert.rejects(daily(id, { start_time: start - 1 }), (error: unknown) => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual([error.reason, error.field], ['parameter_error', 'start_time'])
    return true
  })
  const one = await daily(id, { start_time: testStart - 40 * day, end_time: testStart - 40 * day })
  assert.equal(one.list.length, 1)
  for (const days of [1, 59, 366]) {
    const { list } = await daily(id, { days, start_time: start - day, end_time: start })
    assert.deepEqual([list.length, list.at(-1)!.date], [days, '2025-06-02'], 'the last days need no range')
  }
})

test('the summary sorts by income, highest first', async () => {
  const { id } = await testMerchant(deps)
  const apps = [await testApplication(deps, id), await testApplication(deps, id)]
  const assets = [`${eth.id}:${eth.native.symbol}`, usdtOnEth]
  for (const [first, second] of [
    [9n, 10n],
    [2n, 0n],
  ] as const) {
    const gains = [first, second].map((income, index) => ({
      merchant_id: id,
      appid: apps[index]!.appid,
      asset_id: assets[index]!,
      at: testStart,
      income_usdt: income * 10n ** 18n,
      paid_num: 1n,
    }))
    await addStatistics(deps.pool, gains)
    const summary = await call(statisticsHandlers, 'GET /api/v1/statistics/summary', deps, id, { query: {} })
    const order = first < second ? [1, 0] : [0, 1]
    assert.deepEqual(
      summary.applications.map(each => each.appid),
      order.map(index => apps[index]!.appid),
    )
    assert.deepEqual(
      summary.assets.map(each => each.token),
      order.map(index => assets[index]!.split(':')[1]),
    )
    const { appid, name: _, ...own } = summary.applications.find(each => each.appid === apps[0]!.appid)!
    const holder = { merchantId: id, appid }
    const handle = statisticsHandlers['GET /api/v1/pay/statistics']
    const ofKey = await handle({ deps, holder, query: {} } as never)
    assert.deepEqual([ofKey.total, ofKey.days.length, ofKey.assets.length], [own, 30, 1], 'a key sees its application')
  }
})

test('another merchant’s application has no figures', async () => {
  const { id } = await testMerchant(deps)
  const { list } = await daily(id, { appid: world.appid })
  assert.ok(list.every(point => point.create_num === 0))
  const summary = await call(statisticsHandlers, 'GET /api/v1/statistics/summary', deps, id, {
    query: { appid: world.appid },
  })
  assert.deepEqual([summary.applications, summary.assets], [[], []])
})
