import type { RouteData } from '@coffer/contract'
import { compareDecimals, formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import { defineHandlers } from '../../http/context.ts'
import { tokenLogo } from '../../http/logos.ts'
import { usdtValueText as usdt } from '../../kit/amounts.ts'
import { allApplications } from '../applications/store.ts'
import { readAssetNames } from '../chains/currencies.ts'
import { readBalances } from '../ledger/store.ts'
import { readQuotes, valueInUsdt } from '../prices/store.ts'
import {
  type DailyFigures,
  readAllTimeFigures,
  readStatistics,
  type StatisticsFigures,
  sumFigures,
} from './read-statistics.ts'

/** Handlers for merchant statistics. They read maintained sums, never the payments themselves. */
export const statisticsHandlers = defineHandlers({
  'GET /api/v1/statistics/assets': async ({ deps, session: { merchantId }, query: { all } }) => {
    const [balances, quotes] = await Promise.all([readBalances(deps.pool, merchantId), readQuotes(deps.pool)])
    const rows = balances.map(row => {
      const units = row.available + row.held
      return { ...row, units, value: valueInUsdt(units, row.decimals, quotes.get(row.price_of)) }
    })
    return {
      list: rows
        .filter(row => all || row.units > 0n)
        .sort((a, b) => (a.value < b.value ? 1 : a.value > b.value ? -1 : 0))
        .map(row => ({
          id: row.asset_id,
          token: row.token,
          chain: row.chain,
          balance: formatDecimal(row.available, row.decimals),
          held: formatDecimal(row.held, row.decimals),
          usdt_balance: usdt(row.value),
          logo: tokenLogo(row.token),
          currency_id: row.chain_id,
        })),
      total_value: usdt(rows.reduce((sum, row) => sum + row.value, 0n)),
    }
  },

  'GET /api/v1/statistics/overview': async ({ deps, session: { merchantId } }) => {
    const now = deps.clock()
    const [figures, today, balances, quotes] = await Promise.all([
      readAllTimeFigures(deps.pool, merchantId),
      readStatistics(deps, { merchantId, start: now, end: now }),
      readBalances(deps.pool, merchantId),
      readQuotes(deps.pool),
    ])
    const totalIn = (part: 'available' | 'held') =>
      balances.reduce((sum, row) => sum + valueInUsdt(row[part], row.decimals, quotes.get(row.price_of)), 0n)
    const available = totalIn('available')
    const held = totalIn('held')
    return {
      income: usdt(figures.income_usdt),
      sure_withdrawal: usdt(figures.withdrawn_usdt),
      transaction_volume: usdt(figures.volume_usdt),
      cumulative_withdrawal: usdt(figures.withdrawn_usdt + held),
      frozen_amount: usdt(figures.income_usdt),
      operable_balance: usdt(available),
      total_assets: usdt(available + held),
      today_amount: usdt(sumFigures(today.figures).income_usdt),
    }
  },

  'GET /api/v1/statistics/daily-collection': async ({ deps, session: { merchantId }, query }) => ({
    list: daily(await readStatistics(deps, toInput(merchantId, query))),
  }),

  'GET /api/v1/statistics/summary': async ({ deps, session: { merchantId }, query }) => {
    const [read, applications] = await Promise.all([
      readStatistics(deps, toInput(merchantId, query)),
      allApplications(deps.pool, merchantId),
    ])
    const byApplication = Map.groupBy(read.figures, row => row.appid)
    return {
      ...(await summary(deps, read)),
      applications: applications
        .filter(({ appid }) => query.appid === undefined || appid === query.appid)
        .filter(({ appid, deleted_at }) => deleted_at === null || byApplication.has(appid))
        .map(({ appid, name }) => ({ appid, name, ...point(sumFigures(byApplication.get(appid) ?? [])) }))
        .sort(largestFirst),
    }
  },

  'GET /api/v1/pay/statistics': async ({ deps, holder: { merchantId, appid }, query }) =>
    summary(deps, await readStatistics(deps, toInput(merchantId, { ...query, appid }))),
})

/** Returns figures in total, per day and per asset. */
async function summary(deps: Deps, read: DailyFigures): Promise<RouteData<'GET /api/v1/pay/statistics'>> {
  const byAsset = Map.groupBy(read.figures, row => row.asset_id)
  const assets = await readAssetNames(deps.pool)
  return {
    total: point(sumFigures(read.figures)),
    days: daily(read),
    assets: assets
      .filter(({ id }) => byAsset.has(id))
      .map(({ id, token, chain, decimals }) => {
        const figures = sumFigures(byAsset.get(id) ?? [])
        return {
          token,
          chain,
          logo: tokenLogo(token),
          income: usdt(figures.income_usdt),
          amount: formatDecimal(figures.volume, decimals),
          pay_num: Number(figures.paid_num),
        }
      })
      .sort(largestFirst),
  }
}

interface StatisticsQuery {
  start_time?: number | undefined
  end_time?: number | undefined
  days?: number | undefined
  appid?: string | undefined
}

const toInput = (merchantId: string, { start_time, end_time, days, appid }: StatisticsQuery) => ({
  merchantId,
  start: start_time,
  end: end_time,
  days,
  appid,
})

const largestFirst = (a: { income: string }, b: { income: string }) => compareDecimals(b.income, a.income)

const point = ({ income_usdt, refund_usdt, created_num, paid_num }: StatisticsFigures) => ({
  income: usdt(income_usdt),
  refund: usdt(refund_usdt),
  create_num: Number(created_num),
  pay_num: Number(paid_num),
})

/** Returns a point for each day, including days without payments. */
function daily({ days, figures }: DailyFigures) {
  const byDay = Map.groupBy(figures, row => row.slot)
  return days.map(({ date, start }) => ({ date, ...point(sumFigures(byDay.get(start) ?? [])) }))
}
