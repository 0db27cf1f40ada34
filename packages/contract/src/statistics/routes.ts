import { z } from 'zod'
import { limits } from '../kit/limits.ts'
import { defineRoutes } from '../kit/route.ts'
import { flag, id, money, timeRange, wholeText } from '../kit/schemas.ts'

const assetRow = z.object({
  id: z.string().describe('ID of the asset'),
  token: z.string(),
  chain: z.string(),
  balance: money,
  held: money.describe('Amount reserved for withdrawals and refunds in progress'),
  usdt_balance: money,
  logo: z.string(),
  currency_id: z.string(),
})

const day = z.object({
  date: z.string().describe('YYYY-MM-DD in the merchant’s time zone'),
  income: money.describe('Amount credited, after fees, in USDT'),
  refund: money.describe('Amount refunded, in USDT'),
  create_num: z.int().describe('Orders created'),
  pay_num: z.int().describe('Orders paid'),
})
const byAsset = z.object({
  token: z.string().describe('Symbol of the token'),
  chain: z.string().describe('Name of the chain'),
  logo: z.string().describe('URL of the token’s logo'),
  income: day.shape.income,
  amount: money.describe('Amount received in the token'),
  pay_num: day.shape.pay_num,
})

/**
 * Days in the merchant's time zone: those of a time range, or the last ones, for which a client need not know the zone.
 */
const inDays = {
  ...timeRange,
  days: wholeText(1, limits.statisticsDaysMax)
    .optional()
    .describe('The last days up to today, instead of a time range'),
  appid: id.optional(),
}

export const statisticsRoutes = defineRoutes({
  'GET /api/v1/statistics/assets': {
    summary: 'List balances per token and chain. Includes zero balances only with `all`.',
    query: z.strictObject({ all: flag }),
    data: z.object({ list: z.array(assetRow), total_value: money }),
  },
  'GET /api/v1/statistics/overview': {
    summary: 'Get the key figures of the dashboard, in USDT',
    data: z.object({
      income: money,
      sure_withdrawal: money,
      transaction_volume: money,
      cumulative_withdrawal: money,
      frozen_amount: money.describe('Cumulative income, despite its name'),
      operable_balance: money.describe('Amount available for withdrawal'),
      total_assets: money,
      today_amount: money,
    }),
  },
  'GET /api/v1/statistics/daily-collection': {
    summary: 'Get daily figures of a time range or of the last days, including days without payments',
    query: z.strictObject(inDays),
    data: z.object({ list: z.array(day) }),
  },
  'GET /api/v1/statistics/summary': {
    summary:
      'Get income, refunds, and created and paid payments of a time range or of the last days: in total, and per day, application and asset',
    query: z.strictObject(inDays),
    data: z.object({
      total: day.omit({ date: true }),
      days: z.array(day),
      applications: z.array(day.omit({ date: true }).extend({ appid: z.string(), name: z.string() })),
      assets: z.array(byAsset),
    }),
  },
})

/** Figures for a merchant's server: a key has those of its application. */
export const statisticsKeyRoutes = defineRoutes({
  'GET /api/v1/pay/statistics': {
    auth: 'key',
    summary: {
      en: 'Get the figures of the application in total, per day and per asset, of a time range or of the last days: at most 366',
      'zh-CN': '查询应用在某段时间或最近若干天的统计，含总计、每日和各资产：最多 366 天',
    },
    docs: { id: 'getStatistics', tag: 'Account', errors: ['parameter_error'] },
    query: z.strictObject({
      start_time: timeRange.start_time.describe('From the day of this time, in Unix seconds; by default 30 days'),
      end_time: timeRange.end_time.describe('Up to the day of this time, in Unix seconds; by default today'),
      days: inDays.days,
    }),
    data: z
      .object({
        total: day.omit({ date: true }).describe('All days together'),
        days: z.array(day).describe('Each day in order, including those without payments'),
        assets: z.array(byAsset).describe('Assets that were received, largest income first'),
      })
      .meta({
        id: 'ApplicationStatistics',
        description: 'Figures of an application. Amounts are in USDT unless stated',
      }),
  },
})
